// A search for values by the names that people read, of which the service has codes.
import { ClickCondition } from '../api/generated/constraints.ts';
import { formatCountry, formatLanguage } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Condition, Dimension } from './conditions.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** The names of all codes of two letters that have one. */
const pairs = (name: (code: string) => string, after = ''): Record<string, string> =>
  Object.fromEntries(LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) => name(code) !== code).map((code) => [code + after, name(code)]));

/** The names of codes, or of their beginnings. */
const NAMES: Partial<Record<Dimension, () => Record<string, string>>> = {
  country: () => pairs(formatCountry),
  region: () => pairs(formatCountry, '-'),
  city: () => pairs(formatCountry, ':'),
  language: () => pairs((code) => formatLanguage(code.toLowerCase())),
  channel: () => t.analytics.channel,
  device: () => t.devices,
  trigger: () => t.analytics.opened,
};

/** The condition on clicks that stands for a search. Undefined: the service searches the values themselves. */
export function meantBy(dimension: Dimension, text: string): Condition | undefined {
  const names = text && NAMES[dimension]?.();
  if (!names) return undefined;
  const codes = (isMeant: (at: number) => boolean) => Object.keys(names).filter((code) => isMeant(names[code]!.toLowerCase().indexOf(text.toLowerCase())));
  const within = codes((at) => at >= 0);
  // A letter or two are in more names than a condition takes values.
  const meant = within.length < ClickCondition.values.maxItems ? within : codes((at) => at === 0);
  return { dimension, operator: 'CONTAINS', values: [text, ...meant] };
}
