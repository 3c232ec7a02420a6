import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { formatNumber } from '../i18n/format.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { Tabs } from '../ui/tabs.tsx';

function Tool({ href, icon, name, hint }: { href: string; icon: IconName; name: string; hint: string }) {
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

interface FrameProps {
  current: 'keys' | 'webhooks';
  used?: { used: number; limit?: number | null };
  action: ComponentChildren;
  children: ComponentChildren;
}

/** The frame of the lists of keys and of webhooks. */
export function DevelopersFrame({ current, used, action, children }: FrameProps) {
  const { tabs, tools } = t.developers;
  return (
    <>
      <header class="page-head">
        <h1>{t.developers.title}</h1>
        {used?.limit != null && (
          <span class="muted">{t.developers[current].used(formatNumber(used.used), used.limit, formatNumber(used.limit))}</span>
        )}
        <div class="page-action">{action}</div>
      </header>
      <Tabs
        label={tabs.label}
        current={current}
        tabs={[
          { id: 'keys', label: tabs.keys, href: '/app/developers' },
          { id: 'webhooks', label: tabs.webhooks, href: '/app/developers/webhooks' },
        ]}
      />
      {children}
      <section aria-label={tools.title} class="tools">
        <Tool href="/graphql" icon="code" name={tools.graphiql} hint={tools.graphiqlHint} />
        <Tool href="/openapi.json" icon="code" name={tools.openapi} hint={tools.openapiHint} />
        <Tool href="/schema.graphql" icon="code" name={tools.schema} hint={tools.schemaHint} />
      </section>
    </>
  );
}
