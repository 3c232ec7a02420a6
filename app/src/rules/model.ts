// Rules and splits as the page edits them, and as the service has them. Each part has an id of its own, by which its fields are named, so
// that errors stay with it when the order changes.
import { graphql } from '../api/generated/gql.ts';
import type { LinkRuleInput, RuleConditionInput, RuleKind, RulesShownFragment, RuleWarningReason, SplitPartInput, SplitShownFragment } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { timeZone } from '../i18n/format.ts';
import { isUrl, withScheme } from '../links/address.ts';

export const RULES = graphql(`
  fragment RulesShown on LinkRules {
    id
    updatedAt
    rules {
      number
      name
      conditions {
        kind
        values
        key
        negated
      }
      destination {
        url
      }
      split {
        destination {
          url
          label
        }
        weight
      }
    }
    warnings {
      rule
      condition
      reason
    }
  }
`);

export const SPLIT = graphql(`
  fragment SplitShown on LinkSplit {
    id
    updatedAt
    autoStopsAt
    parts {
      destination {
        url
        label
      }
      weight
    }
  }
`);

export const KINDS: readonly RuleKind[] = [
  'DEVICE',
  'COUNTRY',
  'LANGUAGE',
  'WEEKLY_HOURS',
  'TIME_WINDOW',
  'REFERRER',
  'QUERY',
  'OS',
  'BROWSER',
  'CITY',
  'REGION',
  'ADDRESS',
  'IS_BOT',
];

/** What a parameter has to be: there, a text, or one in which a text is. It stands before each value. */
export type How = '' | '=' | '~';

export interface Condition {
  id: number;
  kind: RuleKind;
  isNot: boolean;
  key: string;
  values: string[];
  how: How;
  warnings: RuleWarningReason[];
}

export interface Part {
  id: number;
  url: string;
  label: string;
  weight: string;
}

export interface Rule {
  id: number;
  /** Its place among the saved ones. */
  number?: number;
  name: string;
  conditions: Condition[];
  url: string;
  /** Where it divides visitors; empty: it leads to `url`. */
  parts: Part[];
  warnings: RuleWarningReason[];
}

let ids = 0;
const newId = (): number => (ids += 1);

export const isTime = (kind: RuleKind): boolean => kind === 'TIME_WINDOW' || kind === 'WEEKLY_HOURS';

export const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];
export const OPEN = '..';
const ANY_TIME = `${OPEN}/${OPEN}`;
const OFFICE_HOURS = 'MON-FRI 09:00-17:00';

/** A value that a condition begins with, and each further one of its kind. */
export const firstValues = (kind: RuleKind): string[] =>
  kind === 'TIME_WINDOW' ? [ANY_TIME] : kind === 'WEEKLY_HOURS' ? [OFFICE_HOURS] : [];

export const newCondition = (kind: RuleKind = 'DEVICE'): Condition => ({
  id: newId(),
  kind,
  isNot: false,
  key: isTime(kind) ? timeZone() : '',
  values: firstValues(kind),
  how: '',
  warnings: [],
});

export const newPart = (url = ''): Part => ({ id: newId(), url, label: '', weight: '50' });

export const newRule = (): Rule => ({ id: newId(), name: '', conditions: [newCondition()], url: '', parts: [], warnings: [] });

export const partsOf = (parts: SplitShownFragment['parts']): Part[] =>
  parts.map(({ destination: { url, label }, weight }) => ({ id: newId(), url, label: label ?? '', weight: String(weight) }));

export function rulesOf({ rules, warnings }: RulesShownFragment): Rule[] {
  const reasons = (rule: number, at: number | null) =>
    warnings.filter((each) => each.rule === rule && each.condition === at).map(({ reason }) => reason);
  return rules.map(({ number, name, conditions, destination, split }) => ({
    id: newId(),
    number,
    name: name ?? '',
    conditions: conditions.map(({ kind, values, key, negated }, at) => ({
      id: newId(),
      kind,
      isNot: negated,
      key: key ?? '',
      values,
      how: kind === 'QUERY' ? ((values[0]?.[0] ?? '') as How) : '',
      warnings: reasons(number, at + 1),
    })),
    url: destination?.url ?? '',
    parts: partsOf(split),
    warnings: reasons(number, null),
  }));
}

export interface Hours {
  days: string[];
  from: string;
  until: string;
}

/** `MON-FRI,SUN 09:00-17:30` in its parts. A day's end is 00:00, as clocks show it. */
export function hoursIn(value: string): Hours {
  const [spans = '', times = ''] = value.split(' ');
  const [from = '', until = ''] = times.split('-');
  const days = spans.split(',').flatMap((span) => {
    const [first, last] = span.split('-').map((day) => DAYS.indexOf(day));
    return DAYS.slice(first, (last ?? first!) + 1);
  });
  return { days: spans === '' ? [] : days, from, until: until === '24:00' ? '00:00' : until };
}

export const hoursText = ({ days, from, until }: Hours): string =>
  `${DAYS.filter((day) => days.includes(day)).join()} ${from}-${until === '00:00' ? '24:00' : until}`;

/** Both ends of a time; an open one is empty. */
export const endsOf = (value: string): [string, string] => {
  const [from, until] = value.split('/').map((end) => (end === OPEN ? '' : end));
  return [from ?? '', until ?? ''];
};

export const windowText = (from: string, until: string): string => `${from || OPEN}/${until || OPEN}`;

function isFilled({ kind, key, how, values }: Condition): boolean {
  if (kind === 'IS_BOT') return true;
  if (kind === 'QUERY') return key !== '' && (how === '' || values.length > 0);
  if (kind === 'TIME_WINDOW') return values.every((value) => value !== ANY_TIME);
  if (kind === 'WEEKLY_HOURS') return values.every((value) => /^\S+ \d\d:\d\d-\d\d:\d\d$/.test(value));
  return values.length > 0;
}

const isWeight = (weight: string): boolean => /^\d{1,3}$/.test(weight);

export const sumOf = (parts: Part[]): number => parts.reduce((sum, { weight }) => sum + (isWeight(weight) ? Number(weight) : 0), 0);

const isDivision = (parts: Part[]): boolean =>
  parts.length > 1 && sumOf(parts) > 0 && parts.every(({ url, weight }) => isUrl(withScheme(url)) && isWeight(weight));

/** Whether nothing of a rule is missing. */
export const isWhole = ({ conditions, url, parts }: Rule): boolean =>
  conditions.every(isFilled) && (parts.length > 0 ? isDivision(parts) : isUrl(withScheme(url)));

const conditionInput = ({ kind, key, how, values, isNot }: Condition): RuleConditionInput => ({
  kind,
  values: kind === 'QUERY' && how === '' ? [] : values,
  ...(key !== '' && { key }),
  negated: isNot,
});

export const partInputs = (parts: Part[]): SplitPartInput[] =>
  parts.map(({ url, label, weight }) => ({
    destinationUrl: withScheme(url),
    ...(label.trim() !== '' && { label: label.trim() }),
    weight: Number(weight),
  }));

export const ruleInputs = (rules: Rule[]): LinkRuleInput[] =>
  rules.map(({ name, conditions, url, parts }) => ({
    ...(name.trim() !== '' && { name: name.trim() }),
    conditions: conditions.map(conditionInput),
    ...(parts.length > 0 ? { split: partInputs(parts) } : { destinationUrl: withScheme(url) }),
  }));

const failing = (violations: Problem['violations']): Problem | undefined =>
  violations.length > 0 ? { code: 'VALIDATION_ERROR', message: '', violations, details: {} } : undefined;

/** The conditions that lack something, as the service would say it. */
export const lacking = (rules: Rule[], message: string): Problem | undefined =>
  failing(
    rules.flatMap(({ conditions }) => conditions.filter((each) => !isFilled(each)).map(({ id, kind, key }) => ({
      path: kind === 'QUERY' && key === '' ? `c${id}.key` : `c${id}.values`,
      message,
    }))),
  );

const partPath = (parts: Part[], rest: string): string | undefined => {
  const [, place, field] = /^(\d+)(?:\.(.*))?$/.exec(rest) ?? [];
  const part = parts[Number(place)];
  return part && `p${part.id}.${field ?? 'destinationUrl'}`;
};

/** Violations of the parts by the names of their fields. */
export const withPartFields = (problem: Problem, parts: Part[]): Problem => ({
  ...problem,
  violations: problem.violations.map(({ path, message }) => {
    const rest = /^(?:input\.)?parts\.(.*)$/.exec(path)?.[1] ?? '';
    return { path: partPath(parts, rest) ?? path, message };
  }),
});

/** Violations of the rules by the names of their fields. */
export function withRuleFields(problem: Problem, rules: Rule[]): Problem {
  const place = (path: string, message: string) => {
    const [, at, rest = ''] = /^(?:input\.)?rules\.(\d+)(?:\.(.*))?$/.exec(path) ?? [];
    const rule = rules[Number(at)];
    if (!rule) return { path, message };
    const [, list, inner = ''] = /^(conditions|split)\.(.*)$/.exec(rest) ?? [];
    if (list === 'split') return { path: partPath(rule.parts, inner) ?? `r${rule.id}.split`, message };
    if (list !== 'conditions') return { path: `r${rule.id}.${rest || 'conditions'}`, message };
    const [, number, field = 'values', item] = /^(\d+)(?:\.(\w+))?(?:\.(\d+))?$/.exec(inner) ?? [];
    const condition = rule.conditions[Number(number)];
    const value = item && condition?.values[Number(item)];
    return { path: condition ? `c${condition.id}.${field}` : `r${rule.id}.conditions`, message: value ? `${value}: ${message}` : message };
  };
  return { ...problem, violations: problem.violations.map(({ path, message }) => place(path, message)) };
}
