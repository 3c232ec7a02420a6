// Where the rules, as they stand on the page, would have led last week's visits.
import { useEffect } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { RehearsalQuery } from '../api/generated/graphql.ts';
import { formatMinute, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTyped } from '../ui/typed.ts';
import { type Condition, isWhole, type Rule, ruleInputs } from './model.ts';

const REHEARSE = graphql(`
  query Rehearsal($id: ID!, $input: RehearseRulesInput!) {
    rehearseRules(linkId: $id, input: $input) {
      from
      visits
      outcomes {
        rule
        visits
        bots
        undecided
      }
      unknown {
        rule
        condition
        reason
      }
    }
  }
`);

/** Whoever goes on typing is not asked. */
const TYPING_MS = 600;
const DAYS = 7;
const DAY_MS = 86_400_000;

type Told = RehearsalQuery['rehearseRules'];

export interface Rehearsal {
  told: Told;
  /** The rules that were rehearsed. */
  rules: Rule[];
}

/** What was rehearsed last. Undefined: nothing yet, or the rules are not complete. */
export function useRehearsal(id: string, rules: Rule[]): Rehearsal | undefined {
  const { answer, type, forget } = useTyped(async (asked: Rule[]) => {
    const { data } = await fetchOnce(REHEARSE, { id, input: { rules: ruleInputs(asked), days: DAYS } });
    return { told: data?.rehearseRules, rules: asked };
  }, TYPING_MS);
  const isReady = rules.every(isWhole);
  const asked = JSON.stringify(ruleInputs(rules));
  useEffect(() => {
    if (isReady) type(rules);
    else forget();
  }, [asked, isReady]);
  return answer?.told && { told: answer.told, rules: answer.rules };
}

function sentence({ from, visits }: Told, count: number, isRest: boolean): string {
  const words = t.rules.rehearsal;
  const [total, counted] = [formatNumber(visits), formatNumber(count)];
  // Whole days are rehearsed, today with them; of many visits, only the newest.
  if (Date.parse(from) > Date.now() - (DAYS - 1) * DAY_MS) return (isRest ? words.restSince : words.goneSince)(formatMinute(from), total, counted);
  return (isRest ? words.rest : words.gone)(total, counted);
}

/** How many visits a rule would have decided; undefined: those that none would. */
export function Rehearsed({ rehearsal, rule }: { rehearsal?: Rehearsal; rule?: Rule }) {
  const words = t.rules.rehearsal;
  const place = rehearsal?.rules.findIndex(({ id }) => id === rule?.id) ?? -1;
  const outcome = rehearsal?.told.outcomes.find((each) => each.rule === (rule ? place + 1 : null));
  if (!rehearsal || !outcome || rehearsal.told.visits === 0) return null;
  const { visits, bots, undecided } = outcome;
  return (
    <p class="rehearsed">
      {sentence(rehearsal.told, visits + bots, !rule)}
      {bots > 0 && ` ${words.bots(formatNumber(bots))}`}
      {undecided > 0 && ` ${words.undecided(undecided, formatNumber(undecided))}`}
    </p>
  );
}

/** Why past visits can't tell, or not wholly, whether a condition fits. */
export function unknownOf(rehearsal: Rehearsal | undefined, condition: Condition): string | undefined {
  const found = rehearsal?.told.unknown.find(
    ({ rule, condition: place }) => rehearsal.rules[rule - 1]?.conditions[place - 1]?.id === condition.id,
  );
  return found && t.rules.rehearsal.unknown[found.reason];
}
