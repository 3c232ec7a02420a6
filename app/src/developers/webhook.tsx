import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { DeliveryStatus } from '../api/generated/graphql.ts';
import { useData, useLive } from '../api/use.ts';
import { formatAgo, formatDay, formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LiveDot } from '../analytics/live-dot.tsx';
import { may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { addressed, oneOf, page } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Banner, Panel } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { type Delivery, DeliveryDialog, Deliveries } from './deliveries.tsx';
import { activate, type Asked, sendTest, WebhookDialog } from './webhook-actions.tsx';
import { standingOf, TONES, type Webhook } from './webhook-fields.ts';

const WEBHOOK = graphql(`
  query WebhookPage($id: ID!, $page: Int!, $pageSize: Int!, $status: DeliveryStatus) {
    webhook(id: $id) {
      ...WebhookState
      deliveries(page: $page, pageSize: $pageSize, status: $status) {
        total
        page
        pageSize
        totalPages
        deliveries {
          ...DeliveryLine
        }
      }
    }
  }
`);

const CHANGED = graphql(`
  subscription DeliveryChanged($webhookId: ID!) {
    deliveryChanged(webhookId: $webhookId) {
      ...DeliveryLine
    }
  }
`);

const PAGE_SIZE = 20;
const LIVE_MS = 400;
const STATUSES = ['PENDING', 'RETRYING', 'SUCCEEDED', 'FAILED'] as const satisfies DeliveryStatus[];
const ADDRESS = addressed({ status: oneOf<DeliveryStatus | ''>(['', ...STATUSES]), page });

/** Why it does not send, or will not for long, and what to do about it. */
function Situation({ webhook }: { webhook: Webhook }) {
  const words = t.developers.webhooks;
  const { disabledAt, disabledReason, failingSince } = webhook;
  const standing = standingOf(webhook);
  if (standing === 'active') return null;
  if (standing === 'failing') return <Banner icon="alert">{words.failingSince(formatMoment(failingSince!))}</Banner>;
  return (
    <Banner icon="alert">
      <p>
        {standing === 'paused'
          ? words.pausedHint
          : (disabledReason === 'GONE' ? words.gone : words.failed)(formatAgo(disabledAt!))}
      </p>
      {standing === 'disabled' && <p class="small">{words.disabledHint}</p>}
      <Button needs="WEBHOOKS_MANAGE" isWrite onClick={() => void activate(webhook, true)}>
        {standing === 'paused' ? words.resume : words.enable}
      </Button>
    </Banner>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const words = t.developers.webhooks;
  const { events, linkIds, batch, excludeBots, createdAt } = webhook;
  return (
    <p class="chips">
      {events.map((event) => (
        <code key={event} class="chip" title={t.developers.events[event]}>
          {event}
        </code>
      ))}
      {linkIds && <span class="chip good">{words.onlyLinks(linkIds.length)}</span>}
      {batch && <span class="chip good">{words.batched}</span>}
      {excludeBots && <span class="chip good">{words.noBots}</span>}
      <span class="muted small">{words.created(formatDay(createdAt))}</span>
    </p>
  );
}

function Head({ webhook, ask }: { webhook: Webhook; ask(what: Asked): void }) {
  const words = t.developers.webhooks;
  const { id, name, url, isActive } = webhook;
  const standing = standingOf(webhook);
  return (
    <header class="page-head link-head">
      <div class="link-title">
        <a class="crumb" href="/app/developers/webhooks">
          {t.developers.tabs.webhooks}
        </a>
        <h1>
          <bdi>{name}</bdi> <span class={`chip ${TONES[standing]}`}>{words.states[standing]}</span>
        </h1>
        <p class="webhook-url muted">
          <span dir="auto">{url}</span>
          <CopyButton text={url} label={words.copyUrl(name)} dataKey="y" />
        </p>
      </div>
      <div class="link-actions">
        <LiveDot />
        <Button icon="send" dataKey="t" needs="WEBHOOKS_MANAGE" isWrite isDisabled={!isActive} onClick={() => void sendTest(id)}>
          {words.test}
        </Button>
        <Button icon="edit" label={t.action.edit} dataKey="e" needs="WEBHOOKS_MANAGE" onClick={() => ask('edit')} />
        {may('WEBHOOKS_MANAGE') && (
          <Menu label={words.actions(name)}>
            <MenuItem icon={isActive ? 'pause' : 'check'} isWrite onSelect={() => void activate(webhook, !isActive)}>
              {isActive ? words.pause : words.resume}
            </MenuItem>
            <MenuItem icon="key" isWrite onSelect={() => ask('rotate')}>
              {words.rotate}
            </MenuItem>
            <MenuItem icon="trash" kind="danger" isWrite onSelect={() => ask('delete')}>
              {words.remove}
            </MenuItem>
          </Menu>
        )}
      </div>
    </header>
  );
}

/** Deliveries as they are now: those of the page, with what was told of them since. New ones fetch the page again. */
function useToldDeliveries(webhookId: string, listed: Delivery[] | undefined, reload: () => void) {
  const [told, setTold] = useState<ReadonlyMap<string, Delivery>>(new Map());
  const next = useRef(0);
  useEffect(() => setTold(new Map()), [listed]);
  useEffect(() => () => clearTimeout(next.current), []);
  useLive(
    CHANGED,
    { webhookId },
    ({ deliveryChanged }) => {
      setTold((before) => new Map(before).set(deliveryChanged.id, deliveryChanged));
      // The webhook's own state follows from its deliveries, so that is fetched too.
      clearTimeout(next.current);
      next.current = setTimeout(reload, LIVE_MS);
    },
    listed !== undefined,
  );
  return (delivery: Delivery): Delivery => told.get(delivery.id) ?? delivery;
}

function Detail({ id }: { id: string }) {
  const words = t.developers.deliveries;
  const { query, route } = useLocation();
  const { status, page: turned } = ADDRESS.read(query);
  const loaded = useData(WEBHOOK, { id, page: turned, pageSize: PAGE_SIZE, status: status || null }, ['Delivery']);
  const [asked, setAsked] = useState<Asked>();
  const [opened, setOpened] = useState<Delivery>();
  const webhook = loaded.data?.webhook;
  const list = webhook?.deliveries;
  const newest = useToldDeliveries(id, list?.deliveries, loaded.reload);
  useTitle(webhook?.name ?? t.developers.tabs.webhooks);

  // The deliveries that came after the page was opened.
  const known = useRef<Set<string> | undefined>(undefined);
  if (list && !known.current) known.current = new Set(list.deliveries.map((each) => each.id));
  const fresh = new Set(turned === 1 && !status ? list?.deliveries.map((each) => each.id) : []);
  for (const each of known.current ?? []) fresh.delete(each);

  const address = (values: Parameters<typeof ADDRESS.write>[1]) => ADDRESS.write(`/app/developers/webhooks/${id}`, values);
  const at = list?.deliveries.findIndex((each) => each.id === opened?.id) ?? -1;
  const shown = list?.deliveries[at] ?? opened;

  return (
    <>
      {!webhook && <h1 class="hidden">{t.developers.tabs.webhooks}</h1>}
      <Panel loaded={loaded} rows={8} missing={t.developers.webhooks.missing}>
        {({ webhook: current }) => (
          <>
            <Head webhook={current} ask={setAsked} />
            <Situation webhook={current} />
            <Facts webhook={current} />
            <section class="deliveries">
              <div class="page-head">
                <h2>{words.title}</h2>
                <Tabs
                  label={words.filter}
                  current={status || 'ALL'}
                  tabs={[
                    { id: 'ALL', label: words.all, href: address({}) },
                    ...STATUSES.map((each) => ({ id: each, label: words.status[each], href: address({ status: each }) })),
                  ]}
                />
              </div>
              <Deliveries
                list={{ ...current.deliveries, deliveries: current.deliveries.deliveries.map(newest) }}
                webhookId={id}
                isActive={current.isActive}
                isFiltered={status !== ''}
                fresh={fresh}
                href={(to) => address({ status, page: to })}
                open={setOpened}
              />
            </section>
            {asked && (
              <WebhookDialog
                asked={asked}
                webhook={current}
                onClose={() => setAsked(undefined)}
                onGone={() => route('/app/developers/webhooks', true)}
              />
            )}
          </>
        )}
      </Panel>
      {shown && opened && list && (
        <DeliveryDialog
          delivery={newest(shown)}
          place={{
            webhookId: id,
            deliveryId: opened.id,
            position: (list.page - 1) * list.pageSize + Math.max(at, 0) + 1,
            total: list.total,
            status: status || null,
          }}
          isActive={webhook?.isActive ?? false}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

export default function WebhookDetail() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <Detail key={id} id={id} />;
}
