// The optional fields of a link, in forms and in their changes. An empty field is null.
import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { minuteOf, momentOf } from '../i18n/clock.ts';
import { withScheme } from './address.ts';

const NAMES = [
  'title',
  'notes',
  'externalId',
  'startsAt',
  'expiresAt',
  'expiredUrl',
  'maxClicks',
  'forwardsQuery',
  'asksFirst',
  'notice',
] as const;

export type Name = (typeof NAMES)[number];
export type Fields = Pick<LinkCoreFragment, Name>;

/** Whether a form has values among those that are folded. */
export function hasMore(link: Fields & { hasPassword?: boolean }): boolean {
  const texts = textsOf(link);
  return link.hasPassword === true || NAMES.some((name) => name !== 'title' && texts[name] !== '');
}

/** As fields have it: browsers end each line with one character. */
const trimmed = (text: string): string => text.replaceAll(/\r\n?/g, '\n').trim();

/** The values of the fields when a link's form opens. */
export const textsOf = (link: Fields): Record<Name, string> => ({
  title: trimmed(link.title ?? ''),
  notes: trimmed(link.notes ?? ''),
  externalId: trimmed(link.externalId ?? ''),
  startsAt: minuteOf(link.startsAt),
  expiresAt: minuteOf(link.expiresAt),
  expiredUrl: link.expiredUrl ?? '',
  maxClicks: String(link.maxClicks ?? ''),
  forwardsQuery: String(link.forwardsQuery ?? ''),
  asksFirst: link.asksFirst ? 'true' : '',
  notice: trimmed(link.notice ?? ''),
});

const textIn = (values: FormData, name: Name): string => trimmed(String(values.get(name) ?? ''));

/** The values of a form; a field that it lacks is null, too. */
export function fieldsIn(values: FormData): Fields {
  const given = <Value,>(name: Name, read: (text: string) => Value): Value | null => {
    const text = textIn(values, name);
    return text === '' ? null : read(text);
  };
  return {
    title: given('title', String),
    notes: given('notes', String),
    externalId: given('externalId', String),
    startsAt: given('startsAt', momentOf),
    expiresAt: given('expiresAt', momentOf),
    expiredUrl: given('expiredUrl', withScheme),
    maxClicks: given('maxClicks', Number),
    forwardsQuery: given('forwardsQuery', (text) => text === 'true'),
    asksFirst: textIn(values, 'asksFirst') === 'true',
    notice: given('notice', String),
  };
}

/** Takes the password of a link away. */
export const NO_PASSWORD = 'noPassword';

/** The password of a form, as a change has it: nothing where none was typed. */
export function passwordIn(values: FormData): { password?: string | null } {
  if (values.has(NO_PASSWORD)) return { password: null };
  const password = String(values.get('password') ?? '');
  return password === '' ? {} : { password };
}

/** Fields that have not come into the form yet are as they were typed before. */
export function withKept(values: FormData, kept: FormData | undefined): FormData {
  for (const name of NAMES) if (!values.has(name) && kept?.has(name)) values.append(name, String(kept.get(name)));
  return values;
}

/** These fields as a form has them; null takes away those that are empty. */
export function changeOf(values: FormData, names: readonly Name[]): Partial<Fields> {
  const fields = fieldsIn(values);
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** A form's changes of a link. An unchanged field is left out, also because it does not show all, such as seconds. */
export function changes(values: FormData, link: Fields): ReturnType<typeof changeOf> & ReturnType<typeof passwordIn> {
  const texts = textsOf(link);
  const changed = NAMES.filter((name) => textIn(values, name) !== texts[name]);
  return { ...changeOf(values, changed), ...passwordIn(values) };
}
