// Conditions on clicks, as the address of a page of statistics has them: `country=DE,FR`, `source.not=Google`, `utm_campaign.has=spring`.
import { ClickCondition } from '../api/generated/constraints.ts';
import type { ClickCondition as ClickConditionInput, ClickDimension } from '../api/generated/graphql.ts';
import { escaped } from '../ui/address.ts';

/** Dimensions that take one place by turns, in the order of their conditions. */
export const GROUPS = {
  followed: ['link', 'tag', 'domain', 'destination', 'trigger'],
  places: ['country', 'region', 'city', 'language'],
  origins: ['source', 'channel', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  means: ['device', 'browser', 'os'],
} as const;
export const DIMENSIONS = Object.values(GROUPS).flat();
export type Dimension = (typeof DIMENSIONS)[number];

/** What follows the dimension in the name of a parameter. */
const SUFFIXES = { IS: '', IS_NOT: '.not', CONTAINS: '.has' } as const;
export type Operator = keyof typeof SUFFIXES;
type Name = `${Dimension}${(typeof SUFFIXES)[Operator]}`;

/** Alternatives; null: not known. */
export type Values = (string | null)[];
export type Conditions = Record<Name, Values>;

const unique = (values: Values): Values => [...new Set(values)].slice(0, ClickCondition.values.maxItems);

/** Between commas. A comma of a value has a backslash before it, and null is empty: alone it is a comma. */
const LIST = {
  read: (text?: string): Values =>
    text === undefined ? [] : unique([...`${text},`.matchAll(/((?:[^,\\]|\\.)*),/gsu)].map(([, each]) => each!.replace(/\\(.)/gsu, '$1') || null)),
  write: (values: Values): string => (values.length > 0 ? values.map((value) => escaped(value ?? '')).join(',') || ',' : ''),
};

const nameOf = (dimension: Dimension, operator: Operator): Name => `${dimension}${SUFFIXES[operator]}`;
const ALL = DIMENSIONS.flatMap((dimension) => (Object.keys(SUFFIXES) as Operator[]).map((operator) => ({ dimension, operator })));

/** The parameters of an address, by name. */
export const PARAMETERS = Object.fromEntries(ALL.map(({ dimension, operator }) => [nameOf(dimension, operator), LIST])) as Record<Name, typeof LIST>;

export interface Condition {
  dimension: Dimension;
  operator: Operator;
  values: Values;
}

export const conditionsOf = (all: Conditions): Condition[] =>
  ALL.map(({ dimension, operator }) => ({ dimension, operator, values: all[nameOf(dimension, operator)] })).filter(({ values }) => values.length > 0);

export const asInput = ({ dimension, operator, values }: Condition): ClickConditionInput => ({ dimension: dimension.toUpperCase() as ClickDimension, operator, values });

/** With other values as further alternatives. */
export const withCondition = (all: Conditions, { dimension, operator, values }: Condition): Partial<Conditions> => {
  const name = nameOf(dimension, operator);
  return { [name]: unique([...all[name], ...values]) };
};

export const withoutCondition = ({ dimension, operator }: Condition): Partial<Conditions> => ({ [nameOf(dimension, operator)]: [] });

/** Those values excluded, instead of all others, or the other way round. */
export const turned = (all: Conditions, condition: Condition): Partial<Conditions> => ({
  ...withoutCondition(condition),
  ...withCondition(all, { ...condition, operator: condition.operator === 'IS' ? 'IS_NOT' : 'IS' }),
});

/** A campaign has many links and one report: the tag or UTM campaign of which all clicks are. Undefined: they are of none, or of several. */
export function campaignOf(all: Conditions): string | undefined {
  const [first, ...others] = conditionsOf(all).filter(({ dimension }) => dimension === 'tag' || dimension === 'utm_campaign');
  const isOne = first?.operator === 'IS' && first.values.length === 1 && others.length === 0;
  return isOne ? (first.values[0] ?? undefined) : undefined;
}

/** As parameters of the REST API have one: `COUNTRY:IS:DE,FR`. */
export const conditionText = ({ dimension, operator, values }: Condition): string => [dimension.toUpperCase(), operator, LIST.write(values)].join(':');
