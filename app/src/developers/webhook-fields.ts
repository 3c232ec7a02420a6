import { graphql } from '../api/generated/gql.ts';
import type { WebhookStateFragment } from '../api/generated/graphql.ts';

/** The fields of a webhook that pages show and edit. */
export const STATE = graphql(`
  fragment WebhookState on Webhook {
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

export const UPDATE = graphql(`
  mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {
    updateWebhook(id: $id, input: $input) {
      ...WebhookState
    }
  }
`);

export type Webhook = WebhookStateFragment;
export type WebhookStanding = 'active' | 'failing' | 'paused' | 'disabled';

export const TONES: Record<WebhookStanding, string> = { active: 'good', failing: 'warning', paused: '', disabled: 'danger' };

export function standingOf({ isActive, disabledAt, failingSince }: Webhook): WebhookStanding {
  if (disabledAt) return 'disabled';
  if (!isActive) return 'paused';
  return failingSince ? 'failing' : 'active';
}
