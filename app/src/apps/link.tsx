import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { LinkAppInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { LinkAppPageQuery } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { readable } from '../links/address.ts';
import { may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { Field, Form, TextArea } from '../ui/form.tsx';
import { useWarning } from '../ui/leaving.ts';
import { Panel } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';

const PAGE = graphql(`
  query LinkAppPage($id: ID!) {
    link(id: $id) {
      id
      shortUrl
      updatedAt
      ...LinkApps
    }
  }
`);

export const APPS = graphql(`
  fragment LinkApps on Link {
    app {
      iosUri
      iosStoreUrl
      androidUri
      androidPackage
      data
    }
  }
`);

const SET_APP = graphql(`
  mutation SetLinkApp($id: ID!, $input: UpdateLinkInput!) {
    updateLink(id: $id, input: $input) {
      id
      updatedAt
      ...LinkApps
    }
  }
`);

type Link = LinkAppPageQuery['link'];
type App = NonNullable<Link['app']>;

const NAMES = ['iosUri', 'iosStoreUrl', 'androidUri', 'androidPackage', 'data'] as const;
type Texts = Record<(typeof NAMES)[number], string>;
const textsOf = (app: Partial<App> | null): Texts =>
  Object.fromEntries(NAMES.map((name) => [name, (app?.[name] ?? '').trim()])) as Texts;

function AppForm({ link }: { link: Link }) {
  const words = t.apps.link;
  const version = useVersion(link.updatedAt);
  const [saved, setSaved] = useState(textsOf(link.app));
  const [typed, setTyped] = useState(saved);
  const isChanged = NAMES.some((name) => typed[name].trim() !== saved[name]);
  useWarning(isChanged);

  async function store() {
    const texts = textsOf(typed);
    const isNone = NAMES.every((name) => texts[name] === '');
    const app = isNone ? null : Object.fromEntries(NAMES.map((name) => [name, texts[name] || null]));
    const { data, problem } = await mutate(SET_APP, { id: link.id, input: version.of({ app }) });
    if (problem) return version.told(problem);
    version.now(data.updateLink.updatedAt);
    setSaved(textsOf(data.updateLink.app));
    say(isNone ? words.removed : words.saved);
    return undefined;
  }

  const field = (name: keyof Texts) => ({
    name: `app.${name}`,
    label: words.fields[name],
    value: saved[name],
    rule: LinkAppInput[name],
    isOptional: true,
    onInput: (text: string) => setTyped((now) => ({ ...now, [name]: text })),
  });
  return (
    <Form submit={words.save} onSubmit={store}>
      <Field {...field('iosUri')} hint={words.fields.iosUriHint} placeholder="acme://offers/42" />
      <Field {...field('iosStoreUrl')} inputMode="url" placeholder="https://apps.apple.com/app/id1234567890" />
      <Field {...field('androidUri')} hint={words.fields.androidUriHint} />
      <Field {...field('androidPackage')} hint={words.fields.androidPackageHint} />
      <TextArea {...field('data')} hint={words.fields.dataHint} />
      <p role="status" class="muted">
        {isChanged && words.unsaved}
      </p>
    </Form>
  );
}

function Facts({ link }: { link: Link }) {
  const { fields } = t.apps.link;
  return (
    <dl>
      {NAMES.filter((name) => link.app?.[name]).map((name) => (
        <div key={name}>
          <dt>{fields[name]}</dt>
          <dd dir="auto">{link.app?.[name]}</dd>
        </div>
      ))}
    </dl>
  );
}

function LinkAppPage({ id }: { id: string }) {
  const words = t.apps.link;
  const loaded = useData(PAGE, { id });
  useTitle(words.title);
  return (
    <>
      <header class="page-head">
        {loaded.data && (
          <a class="crumb" href={`/app/links/${id}`} dir="auto">
            {readable(loaded.data.link.shortUrl)}
          </a>
        )}
        <h1 tabIndex={-1}>{words.title}</h1>
      </header>
      <p class="muted">{words.lead}</p>
      <Panel loaded={loaded} missing={words.missing}>
        {({ link }) => (may('LINKS_WRITE') ? <AppForm link={link} /> : <Facts link={link} />)}
      </Panel>
      {may('DOMAINS_READ') && <a href="/app/domains/apps">{words.more}</a>}
    </>
  );
}

export default function LinkAppRoute() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <LinkAppPage key={id} id={id} />;
}
