/** Picks the form that a language has for a count. */
const pluralOf = (language: string) => {
  const rules = new Intl.PluralRules(language);
  return (count: number, one: string, other: string): string => (rules.select(count) === 'one' ? one : other);
};

export const plural = pluralOf('en');
export const pluralDe = pluralOf('de');
