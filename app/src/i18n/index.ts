// The words of the interface. `t.area.word` is a text or a function that makes one; all catalogues have the type of
// the English one, so a missing translation does not compile.
import { signal } from '@preact/signals';
import { stored } from '../ui/stored.ts';
import en from './en.ts';

export type Catalogue = typeof en;
export type Locale = 'en' | 'de' | 'pseudo';

export const LOCALES: { id: Locale; name: string }[] = [
  { id: 'en', name: 'English' },
  { id: 'de', name: 'Deutsch' },
];

let disguise = <Words>(words: Words): Words => words;

const CATALOGUES: Record<Locale, () => Promise<Catalogue>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).default,
  pseudo: async () => {
    ({ pseudo: disguise } = await import('./pseudo.ts'));
    return disguise(en);
  },
};

const preferred = stored<Locale | ''>('locale', '');

/** The catalogue in force; read it when rendering, not when loading a module. */
export let t: Catalogue = en;
export const locale = signal<Locale>('en');
/** The locale for `Intl`: the language of the words, as it is written where the user lives. */
export function tag(): string {
  const language = locale.value === 'pseudo' ? 'en' : locale.value;
  return navigator.languages.find((each) => each.startsWith(language)) ?? language;
}

function fitting(): Locale {
  if (preferred.value in CATALOGUES) return preferred.value as Locale;
  const known = navigator.languages.map((language) => language.slice(0, 2)).find((language) => language in CATALOGUES);
  return (known as Locale | undefined) ?? 'en';
}

/** The words of a feature that has them in files of its own, since what is always there must be small. They are read as `t`. */
export const wordsOf = <Words>(all: { en: Words; de: Words }) => (): Words =>
  locale.value === 'pseudo' ? disguise(all.en) : all[locale.value];

async function use(next: Locale): Promise<void> {
  t = await CATALOGUES[next]();
  document.documentElement.lang = next === 'pseudo' ? 'en' : next;
  locale.value = next;
}

export const startLocale = (): Promise<void> => use(fitting()).catch(() => use('en'));

export async function chooseLocale(next: Locale): Promise<void> {
  await use(next);
  preferred.value = next;
}
