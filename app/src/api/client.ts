import { authExchange } from '@urql/exchange-auth';
import {
  cacheExchange,
  Client,
  type CombinedError,
  fetchExchange,
  makeOperation,
  mapExchange,
  type Operation,
  type OperationContext,
  subscriptionExchange,
  type TypedDocumentNode,
} from '@urql/core';
import { accessToken, isStale, renew } from '../session/session.ts';
import type { TypedDocumentString } from './generated/graphql.ts';
import { problemOf, UNREACHABLE, UNREADABLE, type Problem } from './problem.ts';
import { askForProof, needsProof } from './proof.ts';
import { live, note } from './service.ts';

const has = (error: CombinedError, code: string): boolean =>
  error.graphQLErrors.some((each) => each.extensions?.code === code);

const AGAIN_MS = 15_000;

/** A page that is not seen is not painted: it does not wait for longer than this, in milliseconds. */
const PAINT_MS = 2000;

/** The first paint: nothing that can wait shall compete with it. */
const painted = new Promise<void>((resolve) => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(resolve, PAINT_MS);
});

/** How many subscriptions the page has. */
let subscriptions = 0;

/**
 * The queries that wait for their answers, by key, and whether a change was answered meanwhile: the cache fetches nothing
 * again that is being fetched, and what was read before the change would stay.
 */
const underWay = new Map<number, boolean>();
const askAgain = (operation: Operation): void =>
  client.reexecuteOperation(makeOperation('query', operation, { ...operation.context, requestPolicy: 'network-only' }));

export const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  // 200 for every well-formed answer: `extensions.code` says what is wrong, and the console stays clean.
  fetchOptions: { headers: { accept: 'application/json' } },
  exchanges: [
    cacheExchange,
    // Below the cache, whose answers tell nothing of the service.
    mapExchange({
      onOperation({ kind, key }) {
        if (kind === 'query') underWay.set(key, false);
        else if (kind === 'teardown') underWay.delete(key);
      },
      onResult(result) {
        const { error, operation } = result;
        if (operation.kind === 'subscription') return;
        note(error && problemOf(error).code);
        if (operation.kind === 'mutation') {
          for (const key of underWay.keys()) underWay.set(key, true);
        } else {
          if (underWay.get(operation.key)) askAgain(operation);
          underWay.delete(operation.key);
        }
        // A page shows the error or the whole answer: the fields that did not fail are not shown alone.
        return error ? { ...result, data: undefined } : result;
      },
    }),
    authExchange(async ({ appendHeaders }) => ({
      addAuthToOperation(operation) {
        const token = accessToken();
        return token === null ? operation : appendHeaders(operation, { authorization: `Bearer ${token}` });
      },
      willAuthError: () => isStale(),
      didAuthError: (error) => accessToken() !== null && has(error, 'UNAUTHENTICATED'),
      // Failed requests wait here, and are sent again with the new token: a form's input survives its session.
      refreshAuth: renew,
    })),
    fetchExchange,
    subscriptionExchange({
      isSubscriptionOperation: ({ kind }) => kind === 'subscription',
      forwardSubscription: ({ query, variables }) => ({
        subscribe(sink) {
          let isWanted = true;
          let stop = () => undefined as void;
          const end = () => {
            if (!isWanted) return;
            isWanted = false;
            subscriptions -= 1;
            // The socket is closed with the last one, which takes a moment: by then another page may be there.
            if (subscriptions === 0) live.value = 'idle';
          };
          subscriptions += 1;
          const listen = async () => {
            const again = () => setTimeout(() => void listen(), AGAIN_MS);
            await painted;
            // The network may be lost before the module has come.
            const module = await import('./socket.ts').catch(() => undefined);
            if (!isWanted) return;
            if (!module) {
              again();
              return;
            }
            stop = module.socket.subscribe(
              { query: query ?? '', variables },
              {
                ...sink,
                next: sink.next as never,
                complete() {
                  end();
                  sink.complete();
                },
                error(error) {
                  // Some codes the socket does not try again after, such as that of a failing service.
                  if (error instanceof CloseEvent) {
                    again();
                    return;
                  }
                  end();
                  sink.error(error);
                },
              },
            );
          };
          void listen();
          return {
            unsubscribe() {
              end();
              stop();
            },
          };
        },
      }),
    }),
  ],
});

/** The documents are text at run time; urql types documents as syntax trees, but takes both. */
export const source = <Data, Variables>(document: TypedDocumentString<Data, Variables>) =>
  document.toString() as unknown as TypedDocumentNode<Data, Variables & Record<string, unknown>>;

export type Outcome<Data> = { data: Data; problem?: undefined } | { data?: undefined; problem: Problem };

/** Errors that leave open whether a change was made: the answer was lost, or came from a proxy. */
const UNCERTAIN = [UNREACHABLE, UNREADABLE, 'UNAVAILABLE'];

async function send<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  types: string[],
): Promise<Outcome<Data>> {
  const context: Partial<OperationContext> = { additionalTypenames: types };
  const { data, error } = await client.mutation(source(document), variables as never, context).toPromise();
  if (!error) return { data: data as Data };
  const problem = problemOf(error);
  return { problem: { ...problem, isUncertain: UNCERTAIN.includes(problem.code) } };
}

/**
 * Runs a mutation. Queries on screen that have a type of its answer are fetched again; `types` names those that the
 * answer does not have, as that of a deletion. One that needs a fresh proof of the user is sent again once there is one.
 */
export async function mutate<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  types: string[] = [],
): Promise<Outcome<Data>> {
  const outcome = await send(document, variables, types);
  const mustProve = outcome.problem !== undefined && needsProof(outcome.problem);
  return mustProve && (await askForProof()) ? send(document, variables, types) : outcome;
}

/** Sends a mutation while the page is being left: it arrives without the page, whose answer nobody waits for. */
export function sendLast<Variables>(document: TypedDocumentString<unknown, Variables>, variables: Variables): void {
  void fetch('/graphql', {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${accessToken()}` },
    body: JSON.stringify({ query: document.toString(), variables }),
  }).catch(() => undefined);
}

/** Runs a query once, past the cache. */
export async function fetchOnce<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Promise<Outcome<Data>> {
  const context: Partial<OperationContext> = { requestPolicy: 'network-only' };
  const { data, error } = await client.query(source(document), variables as never, context).toPromise();
  return error ? { problem: problemOf(error) } : { data: data as Data };
}
