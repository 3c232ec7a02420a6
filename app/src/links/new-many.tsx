// Many new links at once, out of what is pasted.
import { useRef, useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { NewLinkQuery } from '../api/generated/graphql.ts';
import { mutate } from '../api/client.ts';
import { type Problem, problemOfPart } from '../api/problem.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Select } from '../ui/field.tsx';
import { Check, Form, TextArea } from '../ui/form.tsx';
import { ProblemText } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { readable, readableShort } from './address.ts';
import { dropDraft, keepDraft, keptDraft } from './draft.ts';
import { hostChoices, hostsOf } from './hosts.ts';
import { PART, partsOf, patiently } from './many.ts';
import { type Pasted, pastedIn } from './pasted.ts';

const CREATE_ALL = graphql(`
  mutation CreateLinks($input: CreateLinksInput!) {
    createLinks(input: $input) {
      results {
        link {
          id
          shortUrl
          destinationUrl
        }
        error {
          ...WhyNot
        }
      }
    }
  }
`);

/** More come by an import, which goes on without the page. */
const MOST = 1000;
const SHOWN = 5;

interface Made {
  id: string;
  shortUrl: string;
  destinationUrl: string;
}

interface Failed extends Pasted {
  problem: Problem;
}

interface Outcome {
  made: Made[];
  failed: Failed[];
}

/** What was found in the text, to be compared before it is sent. */
function Preview({ rows }: { rows: Pasted[] }) {
  const words = t.linkForms.many;
  const columns = [
    [t.links.destination, ({ link }: Pasted) => readable(link.destinationUrl)],
    [t.links.slug, ({ link }: Pasted) => link.slug],
    [t.links.texts.title, ({ link }: Pasted) => link.title],
    [t.tags.title, ({ link }: Pasted) => link.tags?.join(', ')],
    [t.links.texts.notes, ({ link }: Pasted) => link.notes],
  ] as const;
  const used = columns.filter(([, read], at) => at === 0 || rows.some((row) => read(row)));
  return (
    <>
      <Table
        caption={words.preview}
        class="preview-table"
        head={used.map(([title]) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      >
        {rows.slice(0, SHOWN).map((row, at) => (
          <tr key={at}>
            {used.map(([title, read]) => (
              <td key={title}>{read(row)}</td>
            ))}
          </tr>
        ))}
      </Table>
      {rows.length > SHOWN && <p class="muted small">{words.others(rows.length - SHOWN, formatNumber(rows.length - SHOWN))}</p>}
    </>
  );
}

function Done({ made, failed, again }: Outcome & { again(text: string): void }) {
  const words = t.linkForms.many;
  return (
    <section class="card part" aria-label={words.done(made.length, formatNumber(made.length))}>
      <h2
        tabIndex={-1}
        ref={(heading) => {
          if (heading && !heading.dataset.focused) {
            heading.dataset.focused = 'true';
            heading.focus();
          }
        }}
      >
        {words.done(made.length, formatNumber(made.length))}
      </h2>
      {made.length > 0 && (
        <>
          <div class="form-actions start">
            <CopyButton text={made.map(({ shortUrl }) => shortUrl).join('\n')} label={words.copy} isUnsaid>
              {words.copy}
            </CopyButton>
            <CopyButton
              text={made.map(({ destinationUrl, shortUrl }) => `${destinationUrl}\t${shortUrl}`).join('\n')}
              label={words.copyTable}
              isUnsaid
            >
              {words.copyTable}
            </CopyButton>
          </div>
          <Table
            caption={t.links.yours}
            class="preview-table"
            head={[t.links.link, t.links.destination].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          >
            {made.map(({ id, shortUrl, destinationUrl }, at) => (
              <tr key={at}>
                <td>
                  <a href={`/app/links/${id}`}>{readableShort(shortUrl)}</a>
                </td>
                <td class="muted">{readable(destinationUrl)}</td>
              </tr>
            ))}
          </Table>
        </>
      )}
      {failed.length > 0 && (
        <>
          <h2>{words.failed(failed.length, formatNumber(failed.length))}</h2>
          <ul class="failures">
            {failed.map(({ text, problem }, at) => (
              <li key={at}>
                <strong>{text}</strong>
                <ProblemText problem={problem} />
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="form-actions start">
        {failed.length > 0 && <Button onClick={() => again(failed.map(({ text }) => text).join('\n'))}>{words.again}</Button>}
        <Button icon="plus" onClick={() => again('')}>
          {words.more}
        </Button>
        <LinkButton href="/app/links">{words.list}</LinkButton>
      </div>
    </section>
  );
}

interface NewManyProps {
  data?: NewLinkQuery;
  onClose?(): void;
}

export default function NewMany({ data }: NewManyProps) {
  const [draft] = useState(() => keptDraft('many'));
  const [given, setGiven] = useState(draft?.get('urls')?.toString() ?? '');
  const [text, setText] = useState(given);
  const [domain, setDomain] = useState(draft?.get('domain')?.toString());
  const [outcome, setOutcome] = useState<Outcome>();
  const [done, setDone] = useState<number>();
  const isSent = useRef(false);
  const words = t.linkForms.many;
  const hosts = data ? hostsOf(data) : [];
  const host = domain && hosts.includes(domain) ? domain : hosts[0];
  const rows = pastedIn(text);
  const { used = 0, limit = null } = data?.usage.links ?? {};
  const room = limit === null ? Infinity : Math.max(0, limit - used);

  async function send(values: FormData): Promise<Problem | undefined> {
    const refusal = (message: string): Problem => ({ code: '', message: '', details: {}, violations: [{ path: 'urls', message }] });
    if (rows.length > MOST) return refusal(words.tooMany(formatNumber(MOST)));
    const tags = tagsIn(values, 'tags');
    const all: Outcome = { made: [], failed: [] };
    for (const part of partsOf(rows)) {
      setDone(all.made.length + all.failed.length);
      const links = part.map(({ link }) => ({
        ...link,
        tags: [...new Set([...(link.tags ?? []), ...tags])],
        domain: host && host !== hosts[0] ? host : null,
        ifExists: values.has('useKnown') ? ('RETURN' as const) : null,
      }));
      const { data: answer, problem } = await patiently(() => mutate(CREATE_ALL, { input: { links } }, ['Link', 'LinkPageResult']));
      if (!answer && all.made.length === 0) {
        setDone(undefined);
        return problem;
      }
      for (const [at, row] of part.entries()) {
        const result = answer?.createLinks.results[at];
        if (result?.link) all.made.push(result.link);
        else all.failed.push({ ...row, problem: result?.error ? problemOfPart(result.error) : problem! });
      }
    }
    isSent.current = true;
    dropDraft('many');
    setDone(undefined);
    setOutcome(all);
    return undefined;
  }

  if (outcome) {
    return (
      <Done
        {...outcome}
        again={(left) => {
          isSent.current = false;
          setGiven(left);
          setText(left);
          setOutcome(undefined);
        }}
      />
    );
  }
  return (
    <Form
      submit={words.submit(rows.length, formatNumber(rows.length))}
      onSubmit={send}
      onLeave={(values) => isSent.current || keepDraft('many', values)}
      class="form card"
    >
      <TextArea
        name="urls"
        label={words.label}
        hint={words.hint}
        value={given}
        rule={{ required: true }}
        rows={8}
        onInput={setText}
        hasFocus
      />
      <p role="status" class={rows.length > 0 ? 'muted' : 'hidden'}>
        {rows.length > 0 && words.found(rows.length, formatNumber(rows.length))}{' '}
        {rows.length > room && words.room(formatNumber(room))}
        {rows.length > MOST && words.tooMany(formatNumber(MOST))}
      </p>
      {rows.length > 0 && <Preview rows={rows} />}
      {hosts.length > 1 && (
        <Select name="domain" label={t.links.domain} value={host} onChange={setDomain} options={hostChoices(hosts, data)} />
      )}
      <TagsField name="tags" label={words.tags} value={draft && tagsIn(draft, 'tags')} hint={t.tags.field.hint} isOptional />
      <Check name="useKnown" label={words.useKnown} isOn={draft?.has('useKnown')} />
      {done !== undefined && rows.length > PART && (
        <p class="progress">
          <progress max={rows.length} value={done} aria-label={words.submit(rows.length, formatNumber(rows.length))} />
          <span class="muted">{t.linkForms.selection.progress(formatNumber(done), formatNumber(rows.length))}</span>
        </p>
      )}
    </Form>
  );
}
