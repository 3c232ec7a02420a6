import { CloseCode, createClient, MessageType, stringifyMessage } from 'graphql-ws/client';
import { accessToken, isStale, renew } from '../session/session.ts';
import { backoff, beginnings, live, recoveries, waitFor } from './service.ts';

let mustRenew = false;

/** One socket for all subscriptions of the page; closed when the last one ends. */
export const socket = createClient({
  // A token that expired closes the socket: the next one is opened with a fresh one.
  async url() {
    // A failure here would end all tries: an old token is refused, and then this is tried again.
    if (mustRenew || isStale()) await renew().catch(() => undefined);
    mustRenew = false;
    return `${location.protocol.replace('http', 'ws')}//${location.host}/graphql/ws`;
  },
  connectionParams: () => ({ authorization: `Bearer ${accessToken()}` }),
  retryAttempts: Infinity,
  shouldRetry: () => true,
  retryWait: (retries) => waitFor(backoff(retries)),
  on: {
    connected(opened) {
      // The service reads messages in order, and the subscriptions that waited for the connection are sent before this
      // one: its answer says that the service has them.
      setTimeout(() => {
        const { readyState } = opened as WebSocket;
        if (readyState === WebSocket.OPEN) (opened as WebSocket).send(stringifyMessage({ type: MessageType.Ping }));
      });
    },
    pong() {
      (live.value === 'lost' ? recoveries : beginnings).value += 1;
      live.value = 'connected';
    },
    closed(event) {
      mustRenew = event instanceof CloseEvent && event.code === CloseCode.Forbidden;
      live.value = event instanceof CloseEvent && event.code === 1000 ? 'idle' : 'lost';
    },
  },
});
