import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { ClickLineFragment } from '../api/generated/graphql.ts';
import { useData, useLateBeginning, useLive, useSoon } from '../api/use.ts';
import { formatAgo, formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LiveDot } from '../analytics/live-dot.tsx';
import { may } from '../session/role.ts';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { TagChips } from '../tags/chips.tsx';
import { Button, LinkButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Panel } from '../ui/states.tsx';
import { Switch } from '../ui/switch.tsx';
import { UtmFacts } from '../utm/facts.tsx';
import { type Asked, importedTold, nameOf, switchLink } from './actions.ts';
import { readable } from './address.ts';
import { ArchiveItem } from './archive-item.tsx';
import { destinationsOf } from './destinations.ts';
import { LifeFacts } from './life.tsx';
import { newer } from './newer.ts';
import { Report } from './report.tsx';
import { ShortName } from './short-name.tsx';

const LinkDialog = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.LinkDialog, 'linkForms');

const LINK = graphql(`
  query LinkPage($id: ID!) {
    link(id: $id) {
      ...LinkCore
      clickCount
      importedClicks
      lastClickedAt
      createdAt
      app {
        data
      }
      card {
        title
      }
      clicks(limit: 20) {
        data {
          id
          clickedAt
        }
      }
    }
    linkRules(linkId: $id) {
      id
      rules {
        number
      }
      destinations {
        number
        url
        label
      }
    }
    linkSplit(linkId: $id) {
      id
      parts {
        weight
      }
    }
  }
`);

const CLICKED = graphql(`
  subscription LinkClicked($linkId: ID!) {
    clickRecorded(linkId: $linkId) {
      ...ClickLine
    }
  }
`);

/** As many as the query of a link has. */
const LISTED_CLICKS = 20;
/** Clicks that are remembered of those that messages told of. */
const MOST_TOLD = 1000;

function Detail({ id }: { id: string }) {
  const { route } = useLocation();
  const loaded = useData(LINK, { id });
  const [told, setTold] = useState<ClickLineFragment[]>([]);
  const [asked, setAsked] = useState<Asked>();
  const link = loaded.data?.link;
  const isMissing = loaded.problem?.code === 'NOT_FOUND';
  useTitle(link ? (link.title ?? nameOf(link)) : t.links.title);

  const reloadSoon = useSoon(loaded.reload);
  useLive(CLICKED, { linkId: id }, ({ clickRecorded }) => {
    setTold((before) => [clickRecorded, ...before].slice(0, MOST_TOLD));
    // It may have been one of those that the link has, or tell that the link has begun.
    if (link?.state !== 'ACTIVE' || link.maxClicks !== null) reloadSoon();
  });
  // Clicks that no message told of are in the number.
  useLateBeginning(loaded.reload);
  const fresh = newer(told, link?.clicks.data ?? [], LISTED_CLICKS);

  return (
    <>
      {!link && <h1 class="hidden">{t.links.title}</h1>}
      <Panel loaded={loaded} rows={2} missing={t.linkPage.missing}>
        {({ link: shown, linkRules, linkSplit }) => {
          const lastClick = fresh[0]?.clickedAt ?? shown.lastClickedAt;
          const imported = shown.importedClicks ?? 0;
          const clickCount = shown.clickCount + imported + fresh.length;
          return (
            <>
              <header class="page-head link-head">
                <div class="link-title">
                  <h1 dir="auto">{shown.title ?? <ShortName link={shown} />}</h1>
                  {shown.title && (
                    <p class="short-name" dir="auto">
                      <ShortName link={shown} />
                    </p>
                  )}
                  <div class="link-name">
                    <a class="destination" href={shown.destinationUrl} dir="auto" title={shown.destinationUrl} target="_blank" rel="noreferrer">
                      {readable(shown.destinationUrl)}
                    </a>
                    <CopyButton text={shown.destinationUrl} label={t.linkPage.copyDestination} />
                  </div>
                  <p class="muted small facts">
                    <span role="status">{t.clicks(clickCount, formatNumber(clickCount))}</span>
                    {imported > 0 && <span>{importedTold(imported)}</span>}
                    <span>{lastClick ? t.linkPage.lastClick(formatAgo(lastClick)) : t.linkPage.neverClicked}</span>
                    <span>{t.linkPage.created(formatDay(shown.createdAt))}</span>
                    {shown.externalId && (
                      <span>
                        {t.links.texts.externalId}: <code dir="auto">{shown.externalId}</code>
                      </span>
                    )}
                    {shown.forwardsQuery !== null && <span>{shown.forwardsQuery ? t.links.forwards.does : t.links.forwards.doesNot}</span>}
                    <LiveDot />
                  </p>
                  <a href={`/app/links/${id}/rules`}>{t.linkPage.leads(linkRules.rules.length, linkSplit.parts.length)}</a>
                  <a href={`/app/links/${id}/card`}>{t.linkPage.card(shown.card?.title)}</a>
                  <a href={`/app/links/${id}/app`}>{t.linkPage.app(shown.app !== null)}</a>
                  <LifeFacts link={shown} />
                  {shown.utm && <UtmFacts values={shown.utm} />}
                  <TagChips tags={shown.tags} />
                  {shown.notes && (
                    <section class="notes" dir="auto" aria-label={t.links.texts.notes}>
                      {shown.notes}
                    </section>
                  )}
                </div>
                <div class="link-actions">
                  <Switch
                    label={t.links.row.active(nameOf(shown))}
                    isOn={shown.isActive}
                    isDisabled={!may('LINKS_WRITE')}
                    onChange={(isOn) => switchLink(shown, isOn)}
                  >
                    {t.links.isActive}
                  </Switch>
                  <CopyButton text={shown.shortUrl} label={t.links.row.copy(nameOf(shown))}>
                    {t.action.copy}
                  </CopyButton>
                  <Button dataKey="e" needs="LINKS_WRITE" onClick={() => setAsked('edit')}>
                    {t.action.edit}
                  </Button>
                  <Button onClick={() => setAsked('qr')}>{t.links.qr.title}</Button>
                  <LinkButton href={shown.shortUrl} isExternal>
                    {t.linkPage.open}
                  </LinkButton>
                  {may('LINKS_WRITE') && (
                    <Menu label={t.links.row.actions(nameOf(shown))}>
                      <ArchiveItem link={shown} />
                      <MenuItem icon="send" needs="MEMBERS_MANAGE" isWrite onSelect={() => setAsked('give')}>
                        {t.links.give}
                      </MenuItem>
                      <MenuItem icon="trash" kind="danger" isWrite onSelect={() => setAsked('delete')}>
                        {t.action.delete}
                      </MenuItem>
                    </Menu>
                  )}
                </div>
              </header>
              {asked && (
                <LinkDialog
                  asked={asked}
                  link={shown}
                  onClose={() => setAsked(undefined)}
                  onDone={() => route('/app/links', true)}
                />
              )}
            </>
          );
        }}
      </Panel>
      {!isMissing && <Report id={id} name={link && nameOf(link)} since={link?.createdAt} told={told} count={link?.clickCount} destinations={loaded.data && destinationsOf(loaded.data.link, loaded.data.linkRules)} />}
    </>
  );
}

export default function LinkDetail() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <Detail key={id} id={id} />;
}
