import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { placeOf } from './address.ts';

/** The path counts: it is what differs between links. */
export const ShortName = ({ link }: { link: Pick<LinkCoreFragment, 'shortUrl' | 'slug'> }) => (
  <>
    <span class="host muted">{placeOf(link)}/</span>
    <bdi>{link.slug}</bdi>
  </>
);
