// A page that links lead to.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from './fixtures.ts';

export const withDestination = test.extend<{ destination: string }>({
  /** A page at another origin; the service takes none at its own host for a destination. */
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names
  destination: async ({}, use) => {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><link rel="icon" href="data:,"><title>Arrived</title>');
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await use(`http://elsewhere.localhost:${(server.address() as AddressInfo).port}/arrived`);
    server.closeAllConnections();
    server.close();
  },
});
