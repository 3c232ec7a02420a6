// The words of the page of a report, in the browser's language. build.mjs puts them in the place of `i18n/index.ts` there: the page is one
// script, and stores no choice, which a browser may refuse to what is embedded.
import analyticsDe, { overview as overviewDe } from '../../analytics/de.ts';
import analyticsEn, { overview as overviewEn } from '../../analytics/en.ts';
import formsDe from '../../analytics/forms/de.ts';
import formsEn from '../../analytics/forms/en.ts';
import frameDe from '../../i18n/de.ts';
import frameEn from '../../i18n/en.ts';
import de from './de.ts';
import en from './en.ts';

const english = { ...frameEn, analytics: analyticsEn, overview: overviewEn, reportForms: formsEn, report: en };
const CATALOGUES: Record<'en' | 'de', typeof english> = {
  en: english,
  de: { ...frameDe, analytics: analyticsDe, overview: overviewDe, reportForms: formsDe, report: de },
};

const isKnown = (language: string): language is keyof typeof CATALOGUES => language in CATALOGUES;
export const language = navigator.languages.map((each) => each.slice(0, 2)).find(isKnown) ?? 'en';
export const t = CATALOGUES[language];

/** The locale for `Intl`: the language of the words, as it is written where the reader lives. */
export const tag = (): string => navigator.languages.find((each) => each.startsWith(language)) ?? language;
