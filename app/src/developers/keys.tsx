import { useLocation } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ApiKeysQuery } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatAgo, formatDay, formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { paged } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { naming } from '../ui/naming.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { CreateKeyDialog, KeyDialog, type NewKey } from './key-create.tsx';
import { DevelopersFrame } from './frame.tsx';
import { areAll } from './scopes.ts';

const KEYS = graphql(`
  query ApiKeys($page: Int!, $pageSize: Int!) {
    apiKeys(page: $page, pageSize: $pageSize) {
      total
      page
      pageSize
      totalPages
      data {
        id
        name
        prefix
        scopes
        allowedNetworks
        createdAt
        lastUsedAt
        expiresAt
        revokedAt
      }
    }
    usage {
      apiKeys {
        used
        limit
      }
    }
  }
`);

const REVOKE = graphql(`
  mutation RevokeApiKey($id: ID!) {
    revokeApiKey(id: $id)
  }
`);

const PAGE_SIZE = 20;
const SHOWN_SCOPES = 3;

type Key = ApiKeysQuery['apiKeys']['data'][number];
type State = 'live' | 'expired' | 'revoked';

const TONES: Record<State, string> = { live: 'good', expired: 'warning', revoked: '' };

function stateOf({ revokedAt, expiresAt }: Key): State {
  if (revokedAt) return 'revoked';
  return expiresAt && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'live';
}

function Scopes({ scopes }: { scopes: string[] }) {
  if (scopes.length === 0) return <span class="muted">{t.developers.keys.noScopes}</span>;
  if (areAll(scopes)) return <span class="chip">{t.developers.keys.all}</span>;
  const more = scopes.length - SHOWN_SCOPES;
  return (
    <span class="chips" title={scopes.join(', ')}>
      {scopes.slice(0, SHOWN_SCOPES).map((scope) => (
        <code key={scope} class="chip">
          {scope}
        </code>
      ))}
      {more > 0 && (
        <>
          <span class="chip" aria-hidden="true">
            +{more}
          </span>
          <span class="hidden">{scopes.slice(SHOWN_SCOPES).join(', ')}</span>
        </>
      )}
    </span>
  );
}

function Row({ apiKey, revoke }: { apiKey: Key; revoke(): void }) {
  const words = t.developers.keys;
  const { name, prefix, scopes, allowedNetworks, lastUsedAt, expiresAt } = apiKey;
  const state = stateOf(apiKey);
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          {/* oxlint-disable-next-line no-noninteractive-tabindex -- j and k walk through the rows, also here, where none opens */}
          <span class={state === 'live' ? 'slug' : 'slug off'} dir="auto" tabIndex={0} data-open>
            {name}
          </span>
        </div>
        <div class="destination muted">
          <code>{prefix}…</code>
          {expiresAt && state === 'live' && <span class="narrow-only"> · {words.expiresOn(formatDay(expiresAt))}</span>}
        </div>
        {allowedNetworks.length > 0 && <div class="muted small">{words.onlyFrom(allowedNetworks.join(', '))}</div>}
        <div class="narrow-only">
          <Scopes scopes={scopes} />
        </div>
      </td>
      <td class="wide-cell">
        <Scopes scopes={scopes} />
      </td>
      <td class="wide-cell muted" title={lastUsedAt ? formatMoment(lastUsedAt) : undefined}>
        {lastUsedAt ? formatAgo(lastUsedAt) : t.developers.never}
      </td>
      <td class="wide-cell muted">{expiresAt ? formatDay(expiresAt) : t.developers.never}</td>
      <td>
        <span class={`chip ${TONES[state]}`}>{words.states[state]}</span>
      </td>
      <td class="cell-actions">
        <div>
          {state !== 'revoked' && (
            <Button kind="quiet" icon="trash" label={`${words.revoke}: ${name}`} isWrite onClick={revoke} />
          )}
        </div>
      </td>
    </tr>
  );
}

function RevokeDialog({ apiKey: { id, name, prefix }, onClose }: { apiKey: Key; onClose(): void }) {
  const words = t.developers.keys;
  async function act() {
    const { problem } = await mutate(REVOKE, { id }, ['ApiKey', 'ApiKeyPageResult']);
    if (!problem) say(naming(words.revoked, name));
    return problem;
  }
  return (
    <Confirm
      title={naming(words.revokeTitle, name)}
      text={words.revokeText(prefix)}
      confirm={words.revoke}
      onConfirm={act}
      onClose={onClose}
    />
  );
}

export default function ApiKeys() {
  useTitle(t.developers.tabs.keys);
  const { query } = useLocation();
  const { page } = paged.read(query);
  const loaded = useData(KEYS, { page, pageSize: PAGE_SIZE }, ['ApiKey']);
  const { dialog, open } = useDialog();
  const words = t.developers.keys;
  const show = (created: NewKey) => open(KeyDialog, { created });
  const create = () => open(CreateKeyDialog, { onDone: show });

  return (
    <DevelopersFrame
      current="keys"
      used={loaded.data?.usage.apiKeys}
      action={
        <Button kind="primary" icon="plus" dataKey="c" isWrite onClick={create}>
          {words.new}
        </Button>
      }
    >
      <Panel loaded={loaded} rows={5}>
        {({ apiKeys }) => (
          <List
            label={words.label}
            columns={[
              words.name,
              ...[words.scopes, words.lastUsed, words.expires].map((title) => ({ title, class: 'wide-cell' })),
              words.state,
            ]}
            page={apiKeys}
            row={(apiKey) => <Row key={apiKey.id} apiKey={apiKey} revoke={() => open(RevokeDialog, { apiKey })} />}
            href={(to) => paged.write('/app/developers', { page: to })}
            empty={
              <EmptyState icon="key" title={words.empty} hint={words.emptyHint}>
                <Button kind="primary" icon="plus" isWrite onClick={create}>
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
