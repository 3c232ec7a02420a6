// Names of what conditions ask about, in the language of the page.
import type { RuleKind } from '../api/generated/graphql.ts';
import { formatCountry, formatLanguage } from '../i18n/format.ts';
import { t, tag } from '../i18n/index.ts';
import { DAYS, endsOf, hoursIn } from './model.ts';

/** Some that visits are known by, the most frequent first. */
const SYSTEMS = ['iOS', 'Android', 'Windows', 'macOS', 'Linux', 'ChromeOS', 'HarmonyOS', 'KaiOS'];
const BROWSERS = [
  'Chrome',
  'Safari',
  'Edge',
  'Firefox',
  'Samsung Internet',
  'Opera',
  'Brave',
  'DuckDuckGo',
  'Instagram',
  'Facebook',
  'TikTok',
  'LinkedIn',
  'Pinterest',
  'Snapchat',
  'Threads',
  'Reddit',
  'Telegram',
  'WeChat',
  'X',
];
/** Codes that stand for no country of a visit: groups of them, parts of others, and those for tests. */
const NO_COUNTRIES = ['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const PAIRS = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));

export interface Named {
  value: string;
  label: string;
}

const isLanguage = (code: string): boolean => new Intl.Locale(code).language === code;
const isCountry = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code && !NO_COUNTRIES.includes(code);

function sorted(codes: string[], format: (code: string) => string): Named[] {
  const { compare } = new Intl.Collator(tag());
  return codes
    .map((value) => ({ value, label: format(value) }))
    .filter(({ value, label }) => label !== value)
    .sort((a, b) => compare(a.label, b.label));
}

const kept = new Map<string, Named[]>();
/** Made once for each language of the page. */
function once(name: string, make: () => Named[]): Named[] {
  const key = `${tag()} ${name}`;
  let made = kept.get(key);
  if (!made) kept.set(key, (made = make()));
  return made;
}

export const countries = (): Named[] => once('countries', () => sorted(PAIRS.map((pair) => pair.toUpperCase()).filter(isCountry), formatCountry));
export const languages = (): Named[] => once('languages', () => sorted(PAIRS.filter(isLanguage), formatLanguage));

const same = (values: string[]): Named[] => values.map((value) => ({ value, label: value }));

/** What can be chosen for a kind; others can be typed. */
export function choices(kind: RuleKind): Named[] {
  if (kind === 'COUNTRY') return countries();
  if (kind === 'LANGUAGE') return languages();
  if (kind === 'OS') return same(SYSTEMS);
  if (kind === 'BROWSER') return same(BROWSERS);
  return kind === 'REFERRER' ? [{ value: 'none', label: t.rules.noReferrer }] : [];
}

const CODES: Partial<Record<RuleKind, RegExp>> = { COUNTRY: /^[a-z]{2}$/i, LANGUAGE: /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i };

/** What is typed, as a value: the name of a choice, its code, or, where any text will do, itself. */
export function valueOf(kind: RuleKind, text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const choice = choices(kind).find(({ value, label }) => label.toLowerCase() === typed || value.toLowerCase() === typed);
  if (choice) return choice.value;
  if (kind === 'REFERRER') return typed.replace(/^[a-z]+:\/\//, '').replace(/[/?#:].*$/, '');
  const code = CODES[kind];
  return code && !code.test(typed) ? undefined : text.trim();
}

const weekdays = new Map<string, string[]>();
export function dayNames(): string[] {
  const locale = tag();
  let names = weekdays.get(locale);
  if (!names) {
    const format = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
    // A Monday.
    names = DAYS.map((_day, at) => format.format(Date.UTC(2024, 0, 1 + at)));
    weekdays.set(locale, names);
  }
  return names;
}

/** `Mon–Fri, Sun` */
function daySpans(days: string[]): string {
  const names = dayNames();
  const isIn = DAYS.map((day) => days.includes(day));
  const firsts = DAYS.map((_day, at) => at).filter((at) => isIn[at] && !isIn[at - 1]);
  return firsts
    .map((first) => {
      const end = isIn.indexOf(false, first);
      const last = (end < 0 ? DAYS.length : end) - 1;
      return last > first ? `${names[first]}–${names[last]}` : names[first];
    })
    .join(', ');
}

/** A time of the clocks of any zone, such as 2026-12-01T00:00. */
const shownTime = (time: string): string =>
  new Intl.DateTimeFormat(tag(), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`${time}Z`));

/** A value as people read it. */
export function nameOf(kind: RuleKind, value: string): string {
  if (kind === 'DEVICE') return t.rules.onDevice[value] ?? value;
  if (kind === 'COUNTRY') return formatCountry(value);
  if (kind === 'LANGUAGE') return formatLanguage(value);
  if (kind === 'REFERRER') return value === 'none' ? t.rules.noReferrer : value;
  if (kind === 'QUERY') return value.startsWith('=') ? value.slice(1) : `…${value.slice(1)}…`;
  if (kind === 'WEEKLY_HOURS') {
    const { days, from, until } = hoursIn(value);
    return `${daySpans(days) || '…'} ${from}–${until}`;
  }
  if (kind !== 'TIME_WINDOW') return value;
  const [from, until] = endsOf(value).map((end) => end && shownTime(end)) as [string, string];
  return t.rules.window(from, until);
}

/** “a, b or c” */
export const either = (names: string[]): string => new Intl.ListFormat(tag(), { type: 'disjunction' }).format(names);
