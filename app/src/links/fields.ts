// The optional fields of a link, in forms and in their changes. An empty field is null.
import type { LinkCoreFragment, LinkField, UpdateLinkInput } from '../api/generated/graphql.ts';
import { minuteOf, momentOf } from '../i18n/clock.ts';
import { withScheme } from './address.ts';

const CLEARED = {
  title: 'TITLE',
  notes: 'NOTES',
  externalId: 'EXTERNAL_ID',
  startsAt: 'STARTS_AT',
  expiresAt: 'EXPIRES_AT',
  expiredUrl: 'EXPIRED_URL',
  maxClicks: 'MAX_CLICKS',
  forwardsQuery: 'FORWARDS_QUERY',
} as const satisfies Partial<Record<keyof UpdateLinkInput, LinkField>>;

export type Name = keyof typeof CLEARED;
export type Fields = Pick<LinkCoreFragment, Name>;
const NAMES = Object.keys(CLEARED) as Name[];

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
  };
}

/** These fields as a form has them, those that are empty to be taken away. */
export function changeOf(values: FormData, names: readonly Name[]): Partial<Fields> & { clear?: LinkField[] } {
  const fields = fieldsIn(values);
  const emptied = names.filter((name) => fields[name] === null);
  return {
    ...Object.fromEntries(names.filter((name) => fields[name] !== null).map((name) => [name, fields[name]])),
    ...(emptied.length > 0 && { clear: emptied.map((name) => CLEARED[name]) }),
  };
}

/** A form's changes of a link. An unchanged field is left out, also because it does not show all, such as seconds. */
export function changes(values: FormData, link: Fields): ReturnType<typeof changeOf> {
  const texts = textsOf(link);
  return changeOf(
    values,
    NAMES.filter((name) => textIn(values, name) !== texts[name]),
  );
}
