import { graphql } from '../api/generated/gql.ts';
import type { LinkRowFragment } from '../api/generated/graphql.ts';
import { formatDay, formatMoment, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { TagChips } from '../tags/chips.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { Switch } from '../ui/switch.tsx';
import { type Asked, importedTold, nameOf, switchLink } from './actions.ts';
import { readable } from './address.ts';
import { ArchiveItem } from './archive-item.tsx';
import { going } from './going.ts';
import { LinkChips } from './life.tsx';
import { ShortName } from './short-name.tsx';
import { ExternalId, NotesMark } from './texts.tsx';

export const LINK_ROW = graphql(`
  fragment LinkRow on Link {
    ...LinkCore
    clickCount
    importedClicks
    createdAt
    clickSeries(days: 14) {
      clicks
    }
  }
`);

export type Row = LinkRowFragment;

const SHOWN_TAGS = 2;

interface RowProps {
  link: Row;
  newClicks: number;
  isSelected: boolean;
  toggle(): void;
  ask(what: Asked): void;
}

export function LinkRow({ link, newClicks, isSelected, toggle, ask }: RowProps) {
  const name = nameOf(link);
  const days = link.clickSeries.map(({ clicks }) => clicks);
  days[days.length - 1]! += newClicks;
  const imported = link.importedClicks ?? 0;
  const clicks = link.clickCount + imported + newClicks;
  const clicksTold = t.clicks(clicks, formatNumber(clicks));
  const inDays = days.reduce((sum, each) => sum + each, 0);
  const trend = t.links.row.trend(t.clicks(inDays, formatNumber(inDays)));
  const isGoing = going.value.has(link.id);
  const isOff = isGoing || link.state === 'INACTIVE' || link.state === 'BLOCKED';
  const copying = <CopyButton text={link.shortUrl} label={t.links.row.copy(name)} dataKey="y" />;
  return (
    <tr data-row={isGoing ? undefined : true} inert={isGoing} class={isGoing ? 'going' : isSelected ? 'selected' : undefined}>
      {may('LINKS_WRITE') && (
        <td class="cell-select">
          <input type="checkbox" aria-label={t.links.row.select(name)} checked={isSelected} data-key="x" onChange={toggle} />
        </td>
      )}
      <td class="cell-link">
        <div class="chips">
          <div class="link-name">
            <a href={`/app/links/${link.id}`} class={`slug${isOff ? ' off' : ''}${link.title ? ' titled' : ''}`} dir="auto" data-open>
              {link.title ?? <ShortName link={link} />}
            </a>
            {!link.title && copying}
          </div>
          {isGoing && <span class="chip danger">{t.links.row.isGoing}</span>}
          <LinkChips link={link} />
          <NotesMark notes={link.notes} />
          <TagChips tags={link.tags} most={SHOWN_TAGS} />
        </div>
        <div class="link-way">
          {link.title && (
            <div class="link-name">
              <span class="short-name" dir="auto">
                <ShortName link={link} />
              </span>
              {copying}
            </div>
          )}
          <div class="destination muted" dir="auto" title={link.destinationUrl}>
            {readable(link.destinationUrl)}
          </div>
          <ExternalId id={link.externalId} />
        </div>
      </td>
      <td class="cell-trend" title={trend}>
        <Sparkline values={days} />
        <span class="hidden">{trend}</span>
      </td>
      <td class="number cell-clicks" title={imported > 0 ? `${clicksTold}. ${importedTold(imported)}` : clicksTold}>
        <span key={newClicks} class={newClicks > 0 ? 'fresh' : undefined}>
          {formatNumber(clicks)}
        </span>
      </td>
      <td class="wide-cell cell-created muted" title={formatMoment(link.createdAt)}>
        {formatDay(link.createdAt)}
      </td>
      <td class="cell-switch">
        <Switch label={t.links.row.active(name)} isOn={link.isActive} isDisabled={!may('LINKS_WRITE')} onChange={(isOn) => switchLink(link, isOn)} />
      </td>
      <td class="cell-actions">
        <div>
          <Button kind="quiet" icon="qr" class="wide-only" label={t.links.row.qr(name)} onClick={() => ask('qr')} />
          <Button kind="quiet" icon="edit" label={t.action.edit} dataKey="e" isForKey needs="LINKS_WRITE" onClick={() => ask('edit')} />
          <Menu label={t.links.row.actions(name)}>
            <MenuItem icon="edit" needs="LINKS_WRITE" onSelect={() => ask('edit')}>
              {t.action.edit}
            </MenuItem>
            <MenuItem icon="qr" onSelect={() => ask('qr')}>
              {t.links.qr.title}
            </MenuItem>
            <ArchiveItem link={link} />
            <MenuItem icon="trash" kind="danger" needs="LINKS_WRITE" isWrite onSelect={() => ask('delete')}>
              {t.action.delete}
            </MenuItem>
          </Menu>
        </div>
      </td>
    </tr>
  );
}
