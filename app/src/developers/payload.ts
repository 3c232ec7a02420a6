// The events of a delivery as they are sent; `payload.graphql` has their fields. A field whose type differs between events is
// asked for under another name, with the part behind `_` taken off again.
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { DeliveryStatus } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';

const PAYLOAD = graphql(`
  query DeliveryPayload($webhookId: ID!, $page: Int!, $status: DeliveryStatus) {
    webhookDeliveries(webhookId: $webhookId, page: $page, pageSize: 1, status: $status) {
      total
      deliveries {
        id
        batchSize
        payloads(pageSize: 100) {
          data {
            ...SentEvent
          }
        }
      }
    }
  }
`);

/** Where a delivery stands in the list that it was taken from. */
export interface Place {
  webhookId: string;
  deliveryId: string;
  /** From 1. */
  position: number;
  total: number;
  status: DeliveryStatus | null;
}

const TRIES = 3;

function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent);
  if (value === null || typeof value !== 'object') return value;
  const sent = Object.entries(value).filter(([name]) => name !== '__typename');
  return Object.fromEntries(sent.map(([name, inner]) => [name.replace(/_.*$/, ''), asSent(inner)]));
}

interface Sent {
  type: string;
  timestamp: string;
}

/** One event is the body itself; a batch has the name and the time of its first. */
function bodyOf(events: unknown[], isBatch: boolean): unknown {
  if (!isBatch) return events[0];
  const { type, timestamp } = events[0] as Sent;
  return { type, timestamp, data: events };
}

/**
 * The body that a delivery sends, as JSON text. Undefined: it is no longer in the list. No query finds a delivery by its
 * id, so it is asked for by its place, which moves by as many as were added meanwhile.
 */
export async function fetchBody(place: Place): Promise<{ text?: string; problem?: Problem }> {
  const { webhookId, status } = place;
  let page = place.position;
  let known = place.total;
  for (let tries = 0; tries < TRIES && page > 0; tries += 1) {
    const { data, problem } = await fetchOnce(PAYLOAD, { webhookId, page, status });
    if (problem) return { problem };
    const { deliveries, total } = data.webhookDeliveries;
    const found = deliveries[0];
    if (found?.id === place.deliveryId) {
      const body = bodyOf(asSent(found.payloads.data) as unknown[], found.batchSize !== null);
      return { text: JSON.stringify(body, null, 2) };
    }
    page += total - known;
    known = total;
  }
  return {};
}
