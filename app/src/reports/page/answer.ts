// The answer of the service about a report, or why there is none.
import type { Dimension, Operator, Values } from '../../analytics/conditions.ts';
import type { Point } from '../../analytics/plot.tsx';
import type { Interval } from '../../api/generated/graphql.ts';
import type { Panel } from '../panels.ts';

export interface PanelValue {
  /** Of links, their short URLs. */
  value: string;
  title?: string | null;
  destinationUrl?: string | null;
  clicks: number;
}

export interface Report {
  name: string;
  /** Null: the report is about all links. */
  link: { shortUrl: string; title: string | null; destinationUrl: string | null } | null;
  from: string;
  to: string;
  generatedAt: string;
  interval: Interval;
  timeZone: string;
  includeBots: boolean;
  conditions: { dimension: Uppercase<Dimension>; operator: Operator; values: Values }[];
  totals: { clicks: number; uniques: number };
  /** Relative to the time before: 0.25 is a quarter more; null: nothing was counted then. */
  change: { clicks: number | null; uniques: number | null };
  series: Point[];
  panels: { panel: Panel; values: PanelValue[]; unknown: number; other: number }[];
  isExact: boolean;
}

/** `asked`: the page asks for a password; `wrong`: it has another one. */
export type Failure = { reason: 'asked' | 'wrong' | 'missing' | 'tooLarge' | 'failed' | 'away' } | { reason: 'limited'; wait: number };

/** Seconds until a refused request may succeed, where the answer does not say. */
const USUAL_WAIT = 60;

/** Authentication by a password alone (RFC 7617). */
const basic = (password: string): string => `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`:${password}`)))}`;

export async function ask(password?: string): Promise<{ report: Report } | { failure: Failure }> {
  try {
    // Kept by no cache: going back in the history would show the data in the place of the page, as both have one address.
    const response = await fetch(location.pathname, { headers: { accept: 'application/json', ...(password && { authorization: basic(password) }) }, cache: 'no-store' });
    if (response.ok) return { report: (await response.json()) as Report };
    if (response.status === 429) return { failure: { reason: 'limited', wait: Number(response.headers.get('retry-after')) || USUAL_WAIT } };
    // What can't be a token is taken for the id of a report, which only members can read.
    if (response.status === 404 || response.status === 401) return { failure: { reason: 'missing' } };
    const { error } = (await response.json().catch(() => ({}))) as { error?: { code?: string; details?: { reason?: string } } };
    if (error?.details?.reason === 'PASSWORD_REQUIRED') return { failure: { reason: password ? 'wrong' : 'asked' } };
    return { failure: { reason: error?.code === 'RANGE_TOO_LARGE' ? 'tooLarge' : 'failed' } };
  } catch {
    return { failure: { reason: 'away' } };
  }
}
