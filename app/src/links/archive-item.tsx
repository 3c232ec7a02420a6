import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { MenuItem } from '../ui/menu.tsx';
import { archiveLink } from './actions.ts';

export const ArchiveItem = ({ link }: { link: LinkCoreFragment }) => (
  <MenuItem icon={link.isArchived ? 'unarchive' : 'archive'} needs="LINKS_WRITE" isWrite onSelect={() => void archiveLink(link, !link.isArchived)}>
    {link.isArchived ? t.links.archive.undo : t.links.archive.do}
  </MenuItem>
);
