// The words of the interface. `t.area.word` is a text or a function that makes one; all catalogues have the type of
// the English one, so a missing translation does not compile.
import { signal } from '@preact/signals';
import { stored } from '../ui/stored.ts';
import { fitting } from './fitting.ts';
import { type Part, PARTS } from './parts.ts';

type Words<Of extends Part> = Awaited<ReturnType<(typeof PARTS)[Of]['en']>>;
export type Catalogue = Words<'frame'>['default'] &
  { [Each in Exclude<Part, 'frame'>]: Words<Each>['default'] } &
  Omit<Words<'analytics'> & Words<'domains'> & Words<'keys'> & Words<'links'> & Words<'reportForms'>, 'default'>;
export type Locale = ReturnType<typeof fitting>;

export const LOCALES: { id: Locale; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
];

/** Before the words are asked for again that could not be fetched, in milliseconds. */
const AGAIN_MS = 3000;

const preferred = stored<Locale | ''>('locale', '');
export const locale = signal(fitting());

/** What was fetched of each language, and the parts that pages asked for. */
const fetched: Record<Locale, Catalogue> = { en: {} as Catalogue, de: {} as Catalogue, pseudo: {} as Catalogue };
const needed = new Set<Part>(['frame']);
/** The catalogue in force; read it when rendering, not when loading a module. */
export let t: Catalogue = fetched[locale.value];

/** The locale for `Intl`: the language of the words, as it is written where the user lives. */
export function tag(): string {
  const language = locale.value === 'pseudo' ? 'en' : locale.value;
  return navigator.languages.find((each) => each.startsWith(language)) ?? language;
}

async function fetchPart(part: Part, of: Locale): Promise<void> {
  const { default: own, ...others } = await PARTS[part][of === 'pseudo' ? 'en' : of]();
  const words = { [part]: own, ...(part === 'frame' && own), ...others };
  Object.assign(fetched[of], of === 'pseudo' ? (await import('./pseudo.ts')).pseudo(words) : words);
}

async function fetchWords(of: Locale): Promise<void> {
  await Promise.all([...needed].filter((part) => !(part in fetched[of])).map((part) => fetchPart(part, of)));
}

/** Fetches parts of the words in the language in force, whichever that is when they are there. */
export async function needWords(parts: Part[]): Promise<void> {
  for (const part of parts) needed.add(part);
  let of;
  do {
    of = locale.value;
    await fetchWords(of);
  } while (of !== locale.value);
}

async function use(next: Locale): Promise<void> {
  await fetchWords(next);
  t = fetched[next];
  document.documentElement.lang = next === 'pseudo' ? 'en' : next;
  locale.value = next;
}

/** Without words there is nothing to show: if those of neither language come, the page is loaded anew. */
export const startLocale = (): Promise<void> =>
  use(locale.value)
    .catch(() => use('en'))
    .catch(() => new Promise(() => setTimeout(() => location.reload(), AGAIN_MS)));

export async function chooseLocale(next: Locale): Promise<void> {
  await use(next);
  preferred.value = next;
}
