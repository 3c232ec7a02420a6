import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { CreateLinkInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { useData, useLive } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { copy, CopyButton } from '../ui/copy.tsx';
import { Select } from '../ui/field.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { QrCode } from '../ui/qr.tsx';
import { UtmSection } from '../utm/section.tsx';
import { useUtm } from '../utm/typed.ts';
import { isUrl, withScheme } from './address.ts';
import { fieldsIn } from './fields.ts';
import { ForwardField, LifeFields, TextFields, TitleField } from './form-fields.tsx';
import { FORM, FORM_TYPES, hostsOf } from './hosts.ts';
import { KnownHint, USE_KNOWN, useKnown } from './known.tsx';
import { LifeFacts } from './life.tsx';

const CREATE = graphql(`
  mutation CreateLink($input: CreateLinkInput!) {
    createLink(input: $input) {
      ...LinkCore
    }
  }
`);

const CLICKED = graphql(`
  subscription NewLinkClicked($linkId: ID!) {
    clickRecorded(linkId: $linkId) {
      id
    }
  }
`);

interface Created {
  link: LinkCoreFragment;
  /** It was there before. */
  isKnown: boolean;
  isCopied: boolean;
}

function Ready({ link, isKnown, isCopied, again }: Created & { again(): void }) {
  const [clicks, setClicks] = useState(0);
  // Opened by its author, a link that waits would answer 404, and one with a limit would lose a click.
  const canWatch = link.state === 'ACTIVE' && link.maxClicks === null;
  useLive(CLICKED, { linkId: link.id }, () => setClicks((count) => count + 1), canWatch);
  return (
    <section class="card ready" aria-label={t.links.create.ready}>
      <div class="ready-main">
        <h2>{isKnown ? t.links.known.isReady : t.links.create.ready}</h2>
        {link.title && <p dir="auto">{link.title}</p>}
        <div class="input-group">
          <input
            class="short-url"
            aria-label={t.links.create.ready}
            value={link.shortUrl}
            readOnly
            ref={(input) => {
              if (!input || input.dataset.focused) return;
              input.dataset.focused = 'true';
              input.focus();
              input.select();
            }}
          />
          <CopyButton text={link.shortUrl} label={t.links.row.copy(link.shortUrl)} />
        </div>
        <p class="muted destination">
          {isCopied ? (
            <span class="done">
              <Icon name="check" /> {t.links.create.isCopied}
            </span>
          ) : (
            t.copyByHand
          )}
        </p>
        <LifeFacts link={link} />
        {canWatch && (
          <>
            <div class="ready-watch">
              <LinkButton kind="primary" icon="open" href={link.shortUrl} isExternal>
                {t.links.create.watch}
              </LinkButton>
              <p role="status">
                <strong key={clicks} class={clicks > 0 ? 'count fresh' : 'count'}>
                  {t.clicks(clicks, formatNumber(clicks))}
                </strong>
              </p>
            </div>
            <p class="muted small">{t.links.create.watching}</p>
          </>
        )}
        <div class="form-actions start">
          <Button onClick={again} icon="plus">
            {t.links.create.another}
          </Button>
          <LinkButton href={`/app/links/${link.id}`}>{t.links.create.details}</LinkButton>
        </div>
      </div>
      <QrCode text={link.shortUrl} name={link.slug} />
    </section>
  );
}

/** A bookmark that brings the page one is on here. It runs there: the policy of this page lets no such address run. */
function Bookmarklet() {
  const code = `javascript:void open('${location.origin}/app/links/new?url='+encodeURIComponent(location.href)+'&title='+encodeURIComponent(document.title))`;
  const { label, hint, name } = t.links.bookmarklet;
  return (
    <details class="more">
      <summary>{label}</summary>
      <p class="muted">{hint}</p>
      <div class="form-actions start">
        <a
          class="button plain"
          href="/app/links/new"
          // Preact would warn of such an address.
          ref={(element) => element?.setAttribute('href', code)}
          onClick={(event) => event.preventDefault()}
        >
          <Icon name="link" />
          {name}
        </a>
        <CopyButton text={code} label={t.action.copy} isUnsaid>
          {t.action.copy}
        </CopyButton>
      </div>
    </details>
  );
}

export default function NewLink() {
  useTitle(t.links.create.title);
  const { query } = useLocation();
  const { data } = useData(FORM, {}, FORM_TYPES);
  const hosts = data ? hostsOf(data) : [];
  const [domain, setDomain] = useState(query.domain);
  const [created, setCreated] = useState<Created>();
  const [isAnother, setAnother] = useState(false);
  // Apps share an address as text as often as they share it as an address.
  const given = query.url ?? [query.text, query.title].find((text) => text && isUrl(text));
  const title = query.title === given ? undefined : query.title?.trim().slice(0, CreateLinkInput.title.maxLength);
  const [destination, setDestination] = useState(given ?? '');
  const host = domain && hosts.includes(domain) ? domain : hosts[0];
  const utm = useUtm(withScheme(destination));
  const known = useKnown(utm.url, host);

  async function send(values: FormData) {
    // Before the choice is there, the address says it.
    const asked = data ? values.get('domain') : query.domain;
    const isKnownUsed = values.has(USE_KNOWN);
    const { data: answer, problem } = await mutate(CREATE, {
      input: {
        destinationUrl: withScheme(String(values.get('destinationUrl'))),
        // The link that is there has its own.
        slug: isKnownUsed ? null : String(values.get('slug')) || null,
        domain: asked && asked !== hosts[0] ? String(asked) : null,
        isActive: values.has('isActive'),
        utm: utm.change,
        tags: tagsIn(values, 'tags'),
        ifExists: isKnownUsed ? 'RETURN' : null,
        ...fieldsIn(values),
      },
    });
    if (problem) return problem;
    const link = answer.createLink;
    setCreated({ link, isKnown: isKnownUsed && link.id === known?.id, isCopied: await copy(link.shortUrl) });
    return undefined;
  }

  return (
    <div class="narrow">
      <header class="page-head">
        <h1>{t.links.create.title}</h1>
      </header>
      {created ? (
        <Ready
          key={created.link.id}
          {...created}
          again={() => {
            setCreated(undefined);
            setDestination('');
            utm.reset();
            setAnother(true);
          }}
        />
      ) : (
        <>
          <Form submit={t.links.create.submit} onSubmit={send} class="form card">
            <div class="field-with-hint">
              <Field
                name="destinationUrl"
                label={t.links.destination}
                value={isAnother ? undefined : given}
                inputMode="url"
                placeholder={t.links.create.placeholder}
                rule={CreateLinkInput.destinationUrl}
                onInput={setDestination}
                hasFocus
              />
              <KnownHint known={known} />
            </div>
            <div class="field-row">
              {hosts.length > 1 && (
                <Select
                  name="domain"
                  label={t.links.domain}
                  value={host}
                  onChange={setDomain}
                  options={hosts.map((each) => ({ value: each, label: each }))}
                />
              )}
              <Field
                name="slug"
                label={t.links.slug}
                prefix={hosts.length === 1 ? `${hosts[0]}/` : undefined}
                hint={t.links.slugHint}
                rule={CreateLinkInput.slug}
                isOptional
              />
            </div>
            <TitleField value={isAnother ? undefined : title} />
            <TagsField name="tags" label={t.tags.title} hint={t.tags.field.hint} isOptional />
            <UtmSection utm={utm} templates={data?.utmTemplates.data ?? []} />
            <details class="more">
              <summary>{t.links.more}</summary>
              <TextFields />
              <LifeFields />
              <ForwardField />
              <Check name="isActive" label={t.links.isActive} hint={t.links.isActiveHint} isOn />
            </details>
          </Form>
          <Bookmarklet />
        </>
      )}
    </div>
  );
}
