import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import { useClient, useQuery, useSubscription } from '@urql/preact';
import { source } from './client.ts';
import type { TypedDocumentString } from './generated/graphql.ts';
import { problemOf, type Problem } from './problem.ts';
import { beginnings, recoveries } from './service.ts';

export interface Loaded<Data> {
  /** The newest answer; it stays while another is fetched, and when that fails. */
  data?: Data;
  problem?: Problem;
  isLoading: boolean;
  reload(): void;
}

/** Calls `act` when the number has grown since the component was there. */
function useGrowth(number: Signal<number>, act: () => void): void {
  const now = number.value;
  const seen = useRef(now);
  useEffect(() => {
    if (now === seen.current) return;
    seen.current = now;
    act();
  }, [now]);
}

/**
 * The one request of a page or panel. `types` are the types that an empty answer does not show, so that a mutation
 * still fetches it again.
 */
export function useData<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  types: string[] = [],
): Loaded<Data> {
  const context = useMemo(() => ({ additionalTypenames: types, requestPolicy: 'cache-and-network' as const }), []);
  const query = source(document);
  const client = useClient();
  // urql asks after the first paint; this asks while the page is made, and is the same request to it.
  useState(() => void client.query(query, variables as never, context).toPromise());
  const [result, execute] = useQuery({ query, variables: variables as never, context });
  const last = useRef<Data | undefined>(undefined);
  if (result.data) last.current = result.data;
  const reload = () => execute({ requestPolicy: 'network-only' });
  useGrowth(recoveries, reload);
  // One object for one failure: what counts down by it must not begin anew with each rendering.
  const problem = useMemo(() => result.error && problemOf(result.error), [result.error]);
  return {
    data: last.current,
    problem,
    isLoading: result.fetching || result.stale,
    reload,
  };
}

/** Calls `onMessage` for each message of a subscription, while `isOn`. */
export function useLive<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  onMessage: (data: Data) => void,
  isOn = true,
): void {
  useSubscription<Data, undefined, never>(
    { query: source(document), variables: variables as never, pause: !isOn },
    (_previous, message) => {
      // A handler runs inside urql's rendering; what it sets must be set after it.
      queueMicrotask(() => onMessage(message));
      return undefined;
    },
  );
}

/** How long the sums of a page that is live wait for more, in milliseconds. */
const LIVE_MS = 3000;

/** Calls `act` once for all calls of the next seconds: the first click of a moment fetches the sums for all of them. */
export function useSoon(act: () => void): () => void {
  const timer = useRef(0);
  const latest = useRef(act);
  latest.current = act;
  return () => {
    timer.current ||= setTimeout(() => {
      timer.current = 0;
      latest.current();
    }, LIVE_MS);
  };
}

/** A page and its subscription begin within this time, unless the network is slow. */
const USUAL_GAP_MS = 1000;

/**
 * Calls `act` when the page's subscription has begun late, to fetch what happened between the page's data and then. A usual
 * page is not fetched twice for the moment in between.
 */
export function useLateBeginning(act: () => void): void {
  const shownAt = useRef(performance.now());
  useGrowth(beginnings, () => {
    if (performance.now() - shownAt.current > USUAL_GAP_MS) act();
  });
}
