// Actions on a link, for each page that shows it.
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { complain, say } from '../ui/toast.tsx';
import { naming } from '../ui/naming.tsx';
import { readableShort } from './address.ts';

export const LINK_CORE = graphql(`
  fragment LinkCore on Link {
    id
    slug
    domain
    shortUrl
    destinationUrl
    title
    notes
    externalId
    tags
    isActive
    state
    startsAt
    expiresAt
    expiredUrl
    maxClicks
    usedClicks
    isArchived
    forwardsQuery
    hasPassword
    asksFirst
    notice
    updatedAt
    utm {
      source
      medium
      campaign
      term
      content
    }
  }
`);

type Link = LinkCoreFragment;

export const UPDATE = graphql(`
  mutation UpdateLink($id: ID!, $input: UpdateLinkInput!) {
    updateLink(id: $id, input: $input) {
      id
      slug
      shortUrl
      destinationUrl
      isActive
    }
  }
`);

export const nameOf = ({ shortUrl }: Pick<Link, 'shortUrl'>): string => readableShort(shortUrl);

/** How many of a link's clicks were made before its import. */
export const importedTold = (clicks: number): string => t.links.imported(t.clicks(clicks, formatNumber(clicks)));

/** Answers whether it was changed, and says so. */
export async function switchLink(link: Link, isActive: boolean): Promise<boolean> {
  const { problem } = await mutate(UPDATE, { id: link.id, input: { isActive } });
  if (problem) complain(problem);
  else say(naming(isActive ? t.links.switched.on : t.links.switched.off, nameOf(link)));
  return !problem;
}

/** Says what it means, as a link that is not in the list any more may seem to be gone. */
export async function archiveLink(link: Link, isArchived: boolean): Promise<void> {
  const { problem } = await mutate(UPDATE, { id: link.id, input: { isArchived } });
  if (problem) complain(problem);
  else if (!isArchived) say(naming(t.links.archive.undone, nameOf(link)));
  else say(naming(t.links.archive.done, nameOf(link)), { undo: () => void archiveLink(link, false) });
}

export interface DialogProps {
  link: Link;
  onClose(): void;
}

export type Asked = 'edit' | 'qr' | 'give' | 'delete';
