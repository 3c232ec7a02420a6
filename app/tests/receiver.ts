// Where webhooks send to in tests.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  url: string;
  /** Sets its answer to further requests; its text is that of a failure, if none is given. */
  answer(status: number, text?: string): void;
  /** The requests that it got. */
  received: { id: string; body: unknown }[];
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  let status = 204;
  let answered = 'not today';
  const received: Receiver['received'] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += part));
    request.on('end', () => {
      received.push({ id: String(request.headers['webhook-id']), body: JSON.parse(text) });
      response.writeHead(status).end(status < 300 ? undefined : answered);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer(next, told = 'not today') {
      status = next;
      answered = told;
    },
    received,
    close: () => server.close(),
  };
}
