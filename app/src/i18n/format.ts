import { stored } from '../ui/stored.ts';
import { tag } from './index.ts';

/** The time zone that was chosen; empty is the browser's. */
export const zone = stored<string>('zone', '');
let found: string | undefined;
// Asked once: making a formatter takes a millisecond or more.
export const browserZone = (): string => (found ??= new Intl.DateTimeFormat().resolvedOptions().timeZone);
export const timeZone = (): string => zone.value || browserZone();

/** Made once for each language and zone. */
export function memoised<Formatter>(make: (locale: string) => Formatter): () => Formatter {
  const made = new Map<string, Formatter>();
  return () => {
    const locale = tag();
    const key = `${locale} ${zone.value}`;
    let formatter = made.get(key);
    if (!formatter) made.set(key, (formatter = make(locale)));
    return formatter;
  };
}

const whole = memoised((locale) => new Intl.NumberFormat(locale));
const share = memoised((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }));
const change = memoised(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }),
);
const times = (options: Intl.DateTimeFormatOptions) =>
  memoised((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: timeZone() }));
const day = times({ dateStyle: 'medium' });
const shortDay = times({ day: 'numeric', month: 'short' });
const hour = times({ hour: '2-digit', minute: '2-digit' });
const month = times({ month: 'short', year: 'numeric' });
const shortMoment = times({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const minute = times({ dateStyle: 'medium', timeStyle: 'short' });
const moment = times({ dateStyle: 'medium', timeStyle: 'medium' });
const waits = (unit: string) =>
  memoised((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }));
const inSeconds = waits('second');
const inMinutes = waits('minute');
const relative = memoised((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
const regions = memoised((locale) => new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }));
const languages = memoised((locale) => new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' }));

const date = (at: string | number): Date => new Date(at);

export const formatNumber = (value: number): string => whole().format(value);
export const formatShare = (value: number): string => share().format(value);
export const formatChange = (value: number): string => change().format(value);
export const formatDay = (at: string | number): string => day().format(date(at));
export const formatShortDay = (at: string | number): string => shortDay().format(date(at));
export const formatHour = (at: string | number): string => hour().format(date(at));
export const formatMonth = (at: string | number): string => month().format(date(at));
export const formatMinute = (at: string | number): string => minute().format(date(at));
export const formatMoment = (at: string | number): string => moment().format(date(at));

/** From when until when; `to` is not in it any more, and null is now. */
export function formatSpan(from: string, to: string | null, hasTimes: boolean): string {
  const end = to === null ? Date.now() : Date.parse(to) - (hasTimes ? 0 : 1);
  return (hasTimes ? shortMoment() : day()).formatRange(Date.parse(from), end);
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** “3 minutes ago” */
export function formatAgo(at: string): string {
  const seconds = (Date.now() - Date.parse(at)) / 1000;
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? ['second', 1];
  return relative().format(-Math.max(0, Math.floor(seconds / length)), unit);
}

/** “45 seconds”, “15 minutes” */
export const formatWait = (seconds: number): string =>
  seconds < 120 ? inSeconds().format(seconds) : inMinutes().format(Math.ceil(seconds / 60));

function named(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

export const formatCountry = (code: string): string => named(regions(), code);
export const formatLanguage = (code: string): string => named(languages(), code);
