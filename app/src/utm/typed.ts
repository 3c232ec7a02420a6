import { useState } from 'preact/hooks';
import type { UtmInput } from '../api/generated/graphql.ts';
import { UTM_NAMES, type UtmName, type UtmValues } from './names.ts';
import { utmIn, withUtm } from './url.ts';

export interface Utm {
  /** The values of the fields: the typed ones, or else those of the destination. */
  values: Record<UtmName, string>;
  type(typed: UtmValues): void;
  reset(): void;
  /** The values typed in place of the destination's, null for one to take away. Null: nothing was typed. */
  change: UtmInput | null;
  /** The destination as it will be. */
  url: string;
}

/** What a form has in its fields for them. */
export const typedUtm = (values: FormData): UtmValues =>
  Object.fromEntries(UTM_NAMES.flatMap((name) => (values.has(`utm.${name}`) ? [[name, String(values.get(`utm.${name}`))]] : [])));

/** `initial` has been typed before. */
export function useUtm(destination: string, initial: UtmValues = {}): Utm {
  const [typed, setTyped] = useState(initial);
  const found = utmIn(destination);
  const changed = UTM_NAMES.flatMap((name) => {
    const text = typed[name]?.trim();
    return text === undefined || text === found[name] ? [] : [[name, text] as const];
  });
  const change = changed.length > 0 ? Object.fromEntries(changed.map(([name, text]) => [name, text || null])) : null;
  return {
    values: { ...found, ...typed },
    type: (more) => setTyped((before) => ({ ...before, ...more })),
    reset: () => setTyped({}),
    change,
    url: withUtm(destination, Object.fromEntries(changed)),
  };
}
