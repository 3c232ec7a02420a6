import { CloseCode, createClient } from 'graphql-ws/client';
import { accessToken, isStale, renew } from '../session/session.ts';
import { live, recoveries } from './service.ts';

let mustRenew = false;

/** One socket for all subscriptions of the page; closed when the last one ends. */
export const socket = createClient({
  // A token that expired closes the socket: the next one is opened with a fresh one.
  async url() {
    if (mustRenew || isStale()) await renew();
    mustRenew = false;
    return `${location.protocol.replace('http', 'ws')}//${location.host}/graphql/ws`;
  },
  connectionParams: () => ({ authorization: `Bearer ${accessToken()}` }),
  retryAttempts: Infinity,
  shouldRetry: () => true,
  retryWait: (retries) =>
    new Promise((resolve) => setTimeout(resolve, Math.min(1000 * 2 ** retries, 15_000) * (0.75 + Math.random() / 2))),
  on: {
    connected(_socket, _payload, wasRetry) {
      live.value = 'connected';
      if (wasRetry) recoveries.value += 1;
    },
    closed(event) {
      mustRenew = event instanceof CloseEvent && event.code === CloseCode.Forbidden;
      live.value = event instanceof CloseEvent && event.code === 1000 ? 'idle' : 'lost';
    },
  },
});
