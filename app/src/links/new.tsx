import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { CreateLinkInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { NewLinkQuery } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Button } from '../ui/button.tsx';
import { copy } from '../ui/copy.tsx';
import { Select } from '../ui/field.tsx';
import { Fold } from '../ui/fold.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { Banner, ProblemText } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { UtmSection } from '../utm/section.tsx';
import { typedUtm, useUtm } from '../utm/typed.ts';
import { isUrl, withScheme } from './address.ts';
import { DestinationField, doubtOf } from './destination.tsx';
import { addToMany, dropDraft, keepDraft, keptDraft } from './draft.ts';
import { fieldsIn, hasMore, passwordIn, withKept } from './fields.ts';
import { FORM_TYPES, hostChoices, hostsOf } from './hosts.ts';
import { KnownHint, USE_KNOWN, useKnown } from './known.tsx';
import type { Created } from './ready.tsx';
import { useTaken } from './taken.ts';
import { TitleField } from './title-field.tsx';

const NewMany = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.NewMany);
const Ready = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Ready);
const MoreFields = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.MoreFields);
const Bookmarklet = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Bookmarklet);

const CREATE = graphql(`
  mutation CreateLink($input: CreateLinkInput!) {
    createLink(input: $input) {
      ...LinkCore
    }
  }
`);

const NEW = graphql(`
  query NewLink {
    ...LinkHosts
    utmTemplates(pageSize: 100) {
      data {
        ...UtmTemplateFields
      }
    }
    usage {
      links {
        used
        limit
      }
    }
  }
`);

/** Of so many or fewer that the plan has room for, the number is said. */
const FEW = 10;

/** How many links the plan has room for, where that is little, before anything is typed. */
function Room({ used, limit }: { used: number; limit: number | null }) {
  if (limit === null || limit - used > FEW) return null;
  const left = limit - used;
  if (left > 0) return <p class="muted">{t.linkForms.room.left(left, formatNumber(left))}</p>;
  const details = { resource: 'links', used, limit };
  return (
    <Banner icon="alert">
      <ProblemText problem={{ code: 'PLAN_LIMIT_REACHED', message: '', violations: [], details }} />
    </Banner>
  );
}

/** What a form begins with. */
interface Beginning {
  destination?: string;
  title?: string;
  /** What was typed before. */
  draft?: FormData;
}

interface NewFormProps extends Beginning {
  data?: NewLinkQuery;
  onCreated(created: Created): void;
  onLeave(values: FormData): void;
  onMany(text: string): void;
}

function NewForm({ data, onCreated, onLeave, onMany, draft, ...given }: NewFormProps) {
  const { query } = useLocation();
  const kept = (name: string) => draft?.get(name)?.toString();
  const hosts = data ? hostsOf(data) : [];
  const choices = hostChoices(hosts, data);
  const [domain, setDomain] = useState(kept('domain') ?? query.domain);
  const [destination, setDestination] = useState(kept('destinationUrl') ?? given.destination ?? '');
  const [slug, setSlug] = useState(kept('slug') ?? '');
  const host = domain && hosts.includes(domain) ? domain : hosts[0];
  const utm = useUtm(withScheme(destination), draft && typedUtm(draft));
  const known = useKnown(utm.url, host);
  const taken = useTaken(slug, host);
  const fields = draft && fieldsIn(draft);
  async function send(values: FormData) {
    const doubt = doubtOf(destination);
    if (doubt) return doubt;
    // Before the choice is there, the address says it.
    const asked = data ? values.get('domain') : query.domain;
    const isKnownUsed = values.has(USE_KNOWN);
    const { data: answer, problem } = await mutate(CREATE, {
      input: {
        destinationUrl: withScheme(destination),
        // The link that is there has its own.
        slug: isKnownUsed ? null : slug || null,
        domain: asked && asked !== hosts[0] ? String(asked) : null,
        isActive: values.has('isActive'),
        utm: utm.change,
        tags: tagsIn(values, 'tags'),
        ifExists: isKnownUsed ? 'RETURN' : null,
        ...fieldsIn(withKept(values, draft)),
        ...passwordIn(values),
      },
    });
    if (problem) return problem;
    const link = answer.createLink;
    onCreated({ link, isKnown: isKnownUsed && link.id === known?.id, isCopied: await copy(link.shortUrl) });
    return undefined;
  }

  return (
    <Form
      submit={t.linkForms.create.submit}
      onSubmit={send}
      onLeave={(values) => onLeave(withKept(values, draft))}
      class="form card"
    >
      <div class="field-with-hint">
        <DestinationField
          typed={destination}
          value={destination}
          placeholder={t.linkForms.create.placeholder}
          onInput={setDestination}
          onMany={onMany}
        />
        <KnownHint known={known} />
      </div>
      <div class="field-row">
        {choices.length > 1 && (
          <Select name="domain" label={t.links.domain} value={host} onChange={setDomain} options={choices} />
        )}
        <Field
          name="slug"
          label={t.links.slug}
          value={slug}
          prefix={choices.length === 1 ? `${choices[0]!.label}/` : undefined}
          hint={t.links.slugHint}
          rule={CreateLinkInput.slug}
          error={taken}
          onInput={setSlug}
          isOptional
        />
      </div>
      <TitleField value={kept('title') ?? given.title} />
      <TagsField name="tags" label={t.tags.title} value={draft && tagsIn(draft, 'tags')} hint={t.tags.field.hint} isOptional />
      <UtmSection utm={utm} templates={data?.utmTemplates.data ?? []} isOpenFirst={utm.change !== null} />
      <Fold
        label={t.links.more}
        isOpenFirst={fields && hasMore(fields)}
        content={(close) => <MoreFields link={fields} onClose={close} />}
      >
        <Check name="isActive" label={t.links.isActive} hint={t.links.isActiveHint} isOn={!draft || draft.has('isActive')} />
      </Fold>
    </Form>
  );
}

/** The address that a page or an app was left with, and its title. Apps share an address as text as often as they share it as an address. */
function sharedBy(query: Record<string, string>): Beginning {
  const destination = query.url ?? [query.text, query.title].find((text) => text && isUrl(text));
  const title = query.title === destination ? undefined : query.title?.trim().slice(0, CreateLinkInput.title.maxLength);
  return { destination, title };
}

function NewOne({ data }: { data?: NewLinkQuery }) {
  const { query, route } = useLocation();
  const [created, setCreated] = useState<Created>();
  const [beginning, setBeginning] = useState<Beginning>(() => {
    const shared = sharedBy(query);
    return shared.destination ? shared : { ...shared, draft: keptDraft('one') };
  });
  // A form for each beginning. One whose link is created, or that was emptied, leaves nothing behind.
  const round = useRef(0);
  const own = round.current;
  function end(link?: Created) {
    round.current += 1;
    dropDraft('one');
    setBeginning({});
    setCreated(link);
  }

  return (
    <>
      {created ? (
        <Ready key={created.link.id} {...created} again={() => end()} onClose={() => route(`/app/links/${created.link.id}`)} />
      ) : (
        <>
          {beginning.draft && (
            <p class="draft muted" role="status">
              {t.linkForms.draft.isBack} <Button onClick={() => end()}>{t.linkForms.draft.anew}</Button>
            </p>
          )}
          <NewForm
            key={own}
            {...beginning}
            data={data}
            onCreated={end}
            onLeave={(values) => round.current === own && keepDraft('one', values)}
            onMany={(text) => {
              addToMany(text);
              route(MANY);
            }}
          />
          <Fold label={t.linkForms.bookmarklet.label} content={(close) => <Bookmarklet onClose={close} />} />
        </>
      )}
    </>
  );
}

const ONE = '/app/links/new';
const MANY = `${ONE}?many=yes`;

export default function NewLink() {
  useTitle(t.linkForms.create.title);
  const { query } = useLocation();
  const { data } = useData(NEW, {}, FORM_TYPES);
  const isMany = query.many !== undefined;
  return (
    <div class="narrow">
      <header class="page-head">
        <h1>{t.linkForms.create.title}</h1>
        <Tabs
          label={t.linkForms.create.title}
          current={isMany ? 'many' : 'one'}
          tabs={[
            { id: 'one', label: t.linkForms.many.tabs.one, href: ONE },
            { id: 'many', label: t.linkForms.many.tabs.many, href: MANY },
          ]}
        />
      </header>
      {data && <Room {...data.usage.links} />}
      {isMany ? <NewMany data={data} /> : <NewOne data={data} />}
    </div>
  );
}
