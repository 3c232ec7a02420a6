// UTM parameters of a destination, as the service reads and writes them.
import { UTM_NAMES, type UtmName, type UtmValues } from './names.ts';

function partsOf(url: string): { base: string; query: string; fragment: string } {
  const [, base = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?([^]*)$/.exec(url)!;
  return { base, query, fragment };
}

/** The parameters that a URL has; of several with one name, the last. Empty: it has none. */
export function utmIn(url: string): Record<UtmName, string> {
  const found = new Map(new URLSearchParams(partsOf(url).query));
  return Object.fromEntries(UTM_NAMES.map((name) => [name, found.get(`utm_${name}`) ?? ''])) as Record<UtmName, string>;
}

/**
 * The URL with these parameters, without those that are empty: each in the place of the first of its name, or else at the end. All else
 * stays as it is written.
 */
export function withUtm(url: string, values: UtmValues): string {
  const given = UTM_NAMES.filter((name) => values[name] !== undefined);
  if (given.length === 0) return url;
  const { base, query, fragment } = partsOf(url);
  const left = new Map(given.map((name) => [`utm_${name}`, values[name]!]));
  function written(name: string): string[] {
    const value = left.get(name)!;
    left.set(name, '');
    return value === '' ? [] : [new URLSearchParams({ [name]: value }).toString()];
  }
  const kept = (query === '' ? [] : query.split('&')).flatMap((parameter) => {
    const [name = ''] = new URLSearchParams(parameter).keys();
    return left.has(name) ? written(name) : [parameter];
  });
  const parameters = [...kept, ...[...left.keys()].flatMap(written)];
  return `${base}${parameters.length > 0 ? '?' : ''}${parameters.join('&')}${fragment}`;
}
