import { readable } from './address.ts';

interface Rules {
  destinations: { number: number; url: string; label?: string | null }[];
}

/** What the numbers of destinations stand for; 0 is the link's own. */
export const destinationsOf = ({ destinationUrl }: { destinationUrl: string }, { destinations }: Rules): Record<string, string> =>
  Object.fromEntries([{ number: 0, url: destinationUrl, label: null }, ...destinations].map(({ number, url, label }) => [number, label ?? readable(url)]));
