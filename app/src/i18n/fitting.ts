/** The language that was chosen, or the first of the browser's that there are words in. */
export function fitting(): 'en' | 'de' | 'pseudo' {
  const isKnown = (language: string | null) => language === 'en' || language === 'de' || language === 'pseudo';
  const chosen = localStorage.getItem('linkgraph.locale');
  if (isKnown(chosen)) return chosen;
  return navigator.languages.map((language) => language.slice(0, 2)).find(isKnown) ?? 'en';
}
