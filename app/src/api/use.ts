import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useQuery, useSubscription } from '@urql/preact';
import { source } from './client.ts';
import type { TypedDocumentString } from './generated/graphql.ts';
import { problemOf, type Problem } from './problem.ts';
import { recoveries } from './service.ts';

export interface Loaded<Data> {
  /** The newest answer; it stays while another is fetched, and when that fails. */
  data?: Data;
  problem?: Problem;
  isLoading: boolean;
  reload(): void;
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
  const [result, execute] = useQuery({ query: source(document), variables: variables as never, context });
  const last = useRef<Data | undefined>(undefined);
  if (result.data) last.current = result.data;
  const reload = () => execute({ requestPolicy: 'network-only' });
  const missed = recoveries.value;
  const seen = useRef(missed);
  useEffect(() => {
    if (missed === seen.current) return;
    seen.current = missed;
    reload();
  }, [missed]);
  return {
    data: last.current,
    problem: result.error && problemOf(result.error),
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
