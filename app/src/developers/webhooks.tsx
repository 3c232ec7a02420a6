import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { paged } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { DevelopersFrame } from './frame.tsx';
import { activate, type Asked, SecretDialog, sendTest, WebhookDialog } from './webhook-actions.tsx';
import { standingOf, TONES, type Webhook } from './webhook-fields.ts';
import { type Created, WebhookForm } from './webhook-form.tsx';

const WEBHOOKS = graphql(`
  query Webhooks($page: Int!, $pageSize: Int!) {
    webhooks(page: $page, pageSize: $pageSize) {
      total
      page
      pageSize
      totalPages
      data {
        ...WebhookState
      }
    }
    usage {
      webhooks {
        used
        limit
      }
    }
  }
`);

const PAGE_SIZE = 20;
const PATH = '/app/developers/webhooks';

function Row({ webhook, ask }: { webhook: Webhook; ask(what: Asked): void }) {
  const words = t.developers.webhooks;
  const { id, name, url, events, isActive } = webhook;
  const standing = standingOf(webhook);
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          <a href={`${PATH}/${id}`} class={isActive ? 'slug' : 'slug off'} dir="auto" data-open>
            {name}
          </a>
        </div>
        <div class="destination muted" dir="auto" title={url}>
          {url}
        </div>
      </td>
      <td class="wide-cell muted" title={events.join(', ')}>
        {words.eventCount(events.length)}
      </td>
      <td>
        <span class={`chip ${TONES[standing]}`}>{words.states[standing]}</span>
      </td>
      <td class="cell-actions">
        <div>
          <span class="wide-cell">
            <CopyButton text={url} label={words.copyUrl(name)} dataKey="y" />
          </span>
          <Button kind="quiet" icon="edit" label={t.action.edit} dataKey="e" isForKey needs="WEBHOOKS_MANAGE" onClick={() => ask('edit')} />
          {may('WEBHOOKS_MANAGE') && (
            <Menu label={words.actions(name)}>
              <MenuItem icon="edit" onSelect={() => ask('edit')}>
                {t.action.edit}
              </MenuItem>
              {isActive && (
                <MenuItem icon="send" isWrite onSelect={() => void sendTest(id)}>
                  {words.test}
                </MenuItem>
              )}
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
      </td>
    </tr>
  );
}

export default function Webhooks() {
  useTitle(t.developers.tabs.webhooks);
  const { query, route } = useLocation();
  const { page } = paged.read(query);
  const loaded = useData(WEBHOOKS, { page, pageSize: PAGE_SIZE }, ['Webhook']);
  const { dialog, open } = useDialog();
  const show = ({ id, secret }: Created) => open(SecretDialog, { secret, onClose: () => route(`${PATH}/${id}`) });
  const create = () => open(WebhookForm, { onCreated: show });
  const words = t.developers.webhooks;

  return (
    <DevelopersFrame
      current="webhooks"
      used={loaded.data?.usage.webhooks}
      action={
        <Button kind="primary" icon="plus" dataKey="c" needs="WEBHOOKS_MANAGE" isWrite onClick={create}>
          {words.new}
        </Button>
      }
    >
      <Panel loaded={loaded} rows={5}>
        {({ webhooks }) => (
          <List
            label={words.label}
            columns={[words.name, { title: words.events, class: 'wide-cell' }, words.state]}
            page={webhooks}
            row={(webhook) => <Row key={webhook.id} webhook={webhook} ask={(asked) => open(WebhookDialog, { asked, webhook })} />}
            href={(to) => paged.write(PATH, { page: to })}
            empty={
              <EmptyState icon="send" title={words.empty} hint={words.emptyHint}>
                <Button kind="primary" icon="plus" needs="WEBHOOKS_MANAGE" isWrite onClick={create}>
                  {words.new}
                </Button>
              </EmptyState>
            }
          />
        )}
      </Panel>
      {dialog}
    </DevelopersFrame>
  );
}
