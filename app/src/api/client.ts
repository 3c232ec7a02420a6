import { authExchange } from '@urql/exchange-auth';
import {
  cacheExchange,
  Client,
  type CombinedError,
  fetchExchange,
  mapExchange,
  type OperationContext,
  subscriptionExchange,
  type TypedDocumentNode,
} from '@urql/core';
import { accessToken, isStale, renew } from '../session/session.ts';
import type { TypedDocumentString } from './generated/graphql.ts';
import { problemOf, UNREACHABLE, type Problem } from './problem.ts';
import { isDatabaseAway, isUnreachable } from './service.ts';

const has = (error: CombinedError, code: string): boolean =>
  error.graphQLErrors.some((each) => each.extensions?.code === code);

export const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  // 200 for every well-formed answer: `extensions.code` says what is wrong, and the console stays clean.
  fetchOptions: { headers: { accept: 'application/json' } },
  exchanges: [
    mapExchange({
      onResult({ error }) {
        const code = error && problemOf(error).code;
        isUnreachable.value = code === UNREACHABLE;
        isDatabaseAway.value = code === 'UNAVAILABLE';
      },
    }),
    cacheExchange,
    authExchange(async ({ appendHeaders }) => ({
      addAuthToOperation(operation) {
        const token = accessToken();
        return token === null ? operation : appendHeaders(operation, { authorization: `Bearer ${token}` });
      },
      willAuthError: () => isStale(),
      didAuthError: (error) => accessToken() !== null && has(error, 'UNAUTHENTICATED'),
      // What failed waits here, and is sent again with the new token: a form's input survives its session.
      refreshAuth: renew,
    })),
    fetchExchange,
    subscriptionExchange({
      isSubscriptionOperation: ({ kind }) => kind === 'subscription',
      forwardSubscription: ({ query, variables }) => ({
        subscribe(sink) {
          let isWanted = true;
          let stop = () => undefined as void;
          void import('./socket.ts').then(({ socket }) => {
            if (isWanted) stop = socket.subscribe({ query: query ?? '', variables }, { ...sink, next: sink.next as never });
          });
          return {
            unsubscribe() {
              isWanted = false;
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

/**
 * Runs a mutation. Queries on screen that have a type of its answer are fetched again; `types` names those that the
 * answer does not have, as that of a deletion.
 */
export async function mutate<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  types: string[] = [],
): Promise<Outcome<Data>> {
  const context: Partial<OperationContext> = { additionalTypenames: types };
  const { data, error } = await client.mutation(source(document), variables as never, context).toPromise();
  return error ? { problem: problemOf(error) } : { data: data as Data };
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
