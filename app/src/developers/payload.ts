// The events of a delivery as they are sent. A field whose type differs between events is asked for under another
// name, with the part behind `_` taken off again.
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { DeliveryStatus } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';

export const EVENT = graphql(`
  fragment SentEvent on EventPayload {
    ... on LinkCreatedEventPayload {
      type
      timestamp
      data {
        ...SentLink
      }
    }
    ... on LinkUpdatedEventPayload {
      type
      timestamp
      data {
        ...SentLink
      }
    }
    ... on LinkExpiredEventPayload {
      type
      timestamp
      data {
        ...SentLink
      }
    }
    ... on LinkUsedUpEventPayload {
      type
      timestamp
      data {
        ...SentLink
      }
    }
    ... on LinkDeletedEventPayload {
      type
      timestamp
      data {
        ...SentLink
      }
    }
    ... on LinkClickedEventPayload {
      type
      timestamp
      data {
        click {
          id
          clickedAt
          browser
          os
          device
          isBot
          referrerHost
          country
          language
          utmSource
          utmMedium
          utmCampaign
          utmTerm
          utmContent
        }
        link {
          ...SentLink
        }
      }
    }
    ... on ImportFinishedEventPayload {
      type
      timestamp
      data {
        id
        source
        domain_import: domain
        isDryRun
        state_import: state
        total
        done
        created
        skipped
        failed
        error
        createdAt
        finishedAt
      }
    }
    ... on DomainCreatedEventPayload {
      type
      timestamp
      data {
        ...SentDomain
      }
    }
    ... on DomainActivatedEventPayload {
      type
      timestamp
      data {
        ...SentDomain
      }
    }
    ... on DomainFailingEventPayload {
      type
      timestamp
      data {
        ...SentDomain
      }
    }
    ... on DomainUpdatedEventPayload {
      type
      timestamp
      data {
        ...SentDomain
      }
    }
    ... on DomainDeletedEventPayload {
      type
      timestamp
      data {
        ...SentDomain
      }
    }
    ... on SubdomainClaimedEventPayload {
      type
      timestamp
      data {
        ...SentSubdomain
      }
    }
    ... on SubdomainActivatedEventPayload {
      type
      timestamp
      data {
        ...SentSubdomain
      }
    }
    ... on SubdomainUpdatedEventPayload {
      type
      timestamp
      data {
        ...SentSubdomain
      }
    }
    ... on SubdomainReleasedEventPayload {
      type
      timestamp
      data {
        ...SentSubdomain
      }
    }
    ... on ApiKeyCreatedEventPayload {
      type
      timestamp
      data {
        ...SentApiKey
      }
    }
    ... on ApiKeyRevokedEventPayload {
      type
      timestamp
      data {
        ...SentApiKey
      }
    }
    ... on SubscriptionUpdatedEventPayload {
      type
      timestamp
      data {
        id
        planId
        status_subscription: status
        interval
        currentPeriodStart
        currentPeriodEnd
        cancelAtPeriodEnd
        gracePeriodEnd
        createdAt
      }
    }
    ... on InvoicePaidEventPayload {
      type
      timestamp
      data {
        id
        number
        status_invoice: status
        currency
        amountDue
        amountPaid
        createdAt
        hostedUrl
        pdfUrl
      }
    }
    ... on WebhookDisabledEventPayload {
      type
      timestamp
      data {
        ...SentWebhook
      }
    }
    ... on WebhookTestEventPayload {
      type
      timestamp
      data {
        ...SentWebhook
      }
    }
  }
`);

export const LINK = graphql(`
  fragment SentLink on Link {
    id
    destinationUrl
    utm {
      source
      medium
      campaign
      term
      content
    }
    slug
    domain
    shortUrl
    isActive
    state
    title
    notes
    tags
    externalId
    startsAt
    expiresAt
    expiredUrl
    maxClicks
    usedClicks
    isArchived
    forwardsQuery
    blockedAt
    clickCount
    importedClicks
    lastClickedAt
    createdAt
    updatedAt
  }
`);

export const DOMAIN = graphql(`
  fragment SentDomain on CustomDomain {
    id
    domain
    status_domain: status
    verificationToken
    dnsRecords {
      type
      name
      value
      found
      isSet
      problem
    }
    createdAt
    activatedAt
    failingSince
    checkedAt
    settings {
      ...HostFacts
    }
  }
`);

export const SUBDOMAIN = graphql(`
  fragment SentSubdomain on SubdomainClaim {
    id
    subdomain
    host
    status_subdomain: status
    claimedAt
    activatedAt
    settings {
      ...HostFacts
    }
  }
`);

export const API_KEY = graphql(`
  fragment SentApiKey on ApiKey {
    id
    name
    prefix
    scopes
    createdAt
    lastUsedAt
    expiresAt
    revokedAt
  }
`);

export const WEBHOOK = graphql(`
  fragment SentWebhook on Webhook {
    id
    name
    url
    events
    batch
    linkIds
    excludeBots
    isActive
    createdAt
    updatedAt
    failingSince
    disabledAt
    disabledReason
  }
`);

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
