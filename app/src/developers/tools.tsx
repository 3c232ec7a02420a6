import { t } from '../i18n/index.ts';
import { Icon, type IconName } from '../ui/icons.tsx';

export function Tool({ href, icon, name, hint }: { href: string; icon: IconName; name: string; hint: string }) {
  return (
    <a href={href} class="tool" target="_blank" rel="noreferrer">
      <Icon name={icon} />
      <span>
        <strong>{name}</strong>
        <span class="muted small">{hint}</span>
      </span>
      <Icon name="open" />
    </a>
  );
}

/** The documents of the API, which the service has in itself. */
export function ApiTools() {
  const { tools } = t.developers;
  return (
    <>
      <Tool href="/graphql" icon="code" name={tools.graphiql} hint={tools.graphiqlHint} />
      <Tool href="/api/v1/openapi.json" icon="code" name={tools.publicApi} hint={tools.publicApiHint} />
      <Tool href="/openapi.json" icon="code" name={tools.allPaths} hint={tools.allPathsHint} />
      <Tool href="/schema.graphql" icon="code" name={tools.schema} hint={tools.schemaHint} />
    </>
  );
}
