// Runs before the page is painted.
import { fitting } from './i18n/fitting.ts';

// A chosen theme does not flash.
const chosen = localStorage.getItem('linkgraph.theme');
if (chosen) document.documentElement.dataset.theme = chosen;

// build.mjs knows them.
declare const PAGES: [pattern: string, parts: string[], scripts: string[]][];
declare const WORDS: Record<'en' | 'de', Record<string, string>>;

// The scripts of the page and its words come with the frame, which asks for them only when it runs.
const here = PAGES.find(([pattern]) => new RegExp(`^${pattern.replace(/:\w+/, '[^/]+')}/?$`).test(location.pathname));
const language = fitting();
const words = ['frame', ...(here?.[1] ?? [])].map((part) => WORDS[language === 'pseudo' ? 'en' : language][part]!);
for (const href of [...words, ...(here?.[2] ?? [])]) {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
