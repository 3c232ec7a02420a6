// What a change of a link means to its visitors, by the visits of the last days, before it is saved.
import { useRef } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { LinkRehearsalQuery, RehearseLinkInput, UpdateLinkInput } from '../api/generated/graphql.ts';
import { formatMinute, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { naming } from '../ui/naming.tsx';
import { useTyped } from '../ui/typed.ts';

const REHEARSE = graphql(`
  query LinkRehearsal($id: ID!, $input: RehearseLinkInput!) {
    rehearseLink(linkId: $id, input: $input) {
      visits
      bots
      visitsPerDay
      phases {
        startsAt
        outcomes {
          outcome
          visits
          bots
        }
      }
      rules {
        rule
        name
        visits
        bots
      }
      notes
    }
  }
`);

/** Whoever goes on typing is not asked. */
const TYPING_MS = 600;

type Told = LinkRehearsalQuery['rehearseLink'];

/** What visitors notice of a change. */
function noticed({ slug: _slug, domain: _domain, tags: _tags, title: _title, notes: _notes, externalId: _id, ...change }: UpdateLinkInput): RehearseLinkInput {
  return change;
}

/** The rehearsal of the change that a form has, once nothing more is typed in it. */
export function useRehearsal(id: string, changeIn: (values: FormData) => UpdateLinkInput) {
  const newest = useRef(changeIn);
  newest.current = changeIn;
  const asked = useRef('');
  return useTyped<HTMLFormElement, Told | null>(async (form) => {
    const input = noticed(newest.current(new FormData(form)));
    const text = JSON.stringify(input);
    if (text === asked.current) return undefined;
    asked.current = text;
    if (text === '{}' || !form.checkValidity()) return null;
    const { data } = await fetchOnce(REHEARSE, { id, input });
    return data?.rehearseLink ?? null;
  }, TYPING_MS);
}

/** How many visits a day of so many in all the week; none where it is less than one. */
const daily = ({ visitsPerDay, visits, bots }: Told, count: number): number => Math.round((visitsPerDay * count) / (visits + bots));

function outcomesTold(told: Told, { startsAt, outcomes }: Told['phases'][number]): string {
  const words = t.linkForms.rehearsal;
  const parts = outcomes.map(({ outcome, visits, bots }) => {
    const perDay = startsAt ? daily(told, visits + bots) : 0;
    const what = words.outcomes[outcome];
    if (perDay > 0) return words.daily(formatNumber(perDay), what);
    return outcomes.length === 1 ? words.all(what) : words.some(formatNumber(visits + bots), what);
  });
  return (startsAt ? words.from(formatMinute(startsAt)) : words.saved) + parts.join(', ');
}

export function Rehearsed({ told }: { told: Told | null | undefined }) {
  const words = t.linkForms.rehearsal;
  const all = told ? told.visits + told.bots : 0;
  return (
    <div role="status" class={all > 0 ? 'hint' : 'hidden'}>
      {told && all > 0 && (
        <>
          <p>{words.had(all, formatNumber(all), daily(told, all))}</p>
          {told.phases.map((phase) => (
            <p key={phase.startsAt}>{outcomesTold(told, phase)}.</p>
          ))}
          {told.phases[0]!.outcomes.some(({ outcome }) => outcome === 'OTHER_DESTINATION') &&
            told.rules.map(({ rule, name, visits, bots }) => (
              <p key={rule}>{naming(words.rule, formatNumber(visits + bots), name ?? String(rule))}</p>
            ))}
          {told.notes.map((note) => (
            <p key={note}>{words.notes[note]}</p>
          ))}
        </>
      )}
    </div>
  );
}
