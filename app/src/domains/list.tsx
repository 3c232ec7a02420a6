import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { DomainsQuery } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { paged } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { AddDialog, RemoveDialog } from './actions.tsx';
import { servedUntil, stepsDone } from './diagnosis.ts';
import { StatusChip } from './status.tsx';
import { Subdomain } from './subdomain.tsx';

const DOMAINS = graphql(`
  query Domains($page: Int!, $pageSize: Int!) {
    domains(page: $page, pageSize: $pageSize) {
      total
      page
      pageSize
      totalPages
      data {
        id
        domain
        status
        createdAt
        activatedAt
        failingSince
        checkedAt
        dnsRecords {
          type
          isSet
          problem
        }
      }
    }
    usage {
      domains {
        used
        limit
      }
    }
    instance {
      ...ClaimHost
    }
    subdomain {
      ...SubdomainCard
    }
  }
`);

const PAGE_SIZE = 20;

type Row = DomainsQuery['domains']['data'][number];

function note(domain: Row): string {
  const { list } = t.domains;
  if (domain.status === 'PENDING') return domain.checkedAt ? list.found(stepsDone(domain)) : list.notChecked;
  if (domain.status === 'FAILING' && domain.failingSince) return list.until(formatDay(servedUntil(domain.failingSince)));
  if (domain.status === 'SUSPENDED' && domain.failingSince) return list.failing(formatDay(domain.failingSince));
  return domain.activatedAt ? list.since(formatDay(domain.activatedAt)) : '';
}

function Line({ domain, remove }: { domain: Row; remove(): void }) {
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          <a href={`/app/domains/${domain.id}`} class="slug" data-open>
            {domain.domain}
          </a>
          <CopyButton text={domain.domain} label={t.domains.list.copy(domain.domain)} dataKey="y" />
        </div>
        <div class="domain-note muted small narrow-only">
          <StatusChip status={domain.status} />
          {note(domain)}
        </div>
      </td>
      <td class="wide-cell">
        <StatusChip status={domain.status} />
      </td>
      <td class="wide-cell muted">{note(domain)}</td>
      <td class="wide-cell muted">{formatDay(domain.createdAt)}</td>
      <td class="cell-actions">
        <div>
          <Button
            kind="quiet"
            icon="trash"
            label={t.domains.list.remove(domain.domain)}
            needs="DOMAINS_MANAGE"
            isWrite
            onClick={remove}
          />
        </div>
      </td>
    </tr>
  );
}

export default function Domains() {
  useTitle(t.domains.title);
  const { query, route } = useLocation();
  const { page } = paged.read(query);
  const loaded = useData(DOMAINS, { page, pageSize: PAGE_SIZE }, ['CustomDomain', 'SubdomainClaim']);
  const { dialog, open } = useDialog();
  const add = () => open(AddDialog, { onDone: (id) => route(`/app/domains/${id}`) });
  const used = loaded.data?.usage.domains;
  const words = t.domains.list;

  return (
    <>
      <header class="page-head">
        <h1>{t.domains.title}</h1>
        {used?.limit != null && (
          <span class="muted">{t.domains.used(formatNumber(used.used), formatNumber(used.limit))}</span>
        )}
        <div class="page-action">
          <Button kind="primary" icon="plus" dataKey="c" needs="DOMAINS_MANAGE" isWrite onClick={add}>
            {t.domains.add}
          </Button>
        </div>
      </header>
      <Panel loaded={loaded} rows={5}>
        {({ domains, instance, subdomain }) => (
          <>
            <List
              label={words.label}
              columns={[words.domain, ...[words.status, words.note, words.added].map((title) => ({ title, class: 'wide-cell' }))]}
              page={domains}
              row={(domain) => <Line key={domain.id} domain={domain} remove={() => open(RemoveDialog, { domain })} />}
              href={(to) => paged.write('/app/domains', { page: to })}
              empty={
                <EmptyState icon="globe" title={words.empty} hint={words.emptyHint}>
                  <Button kind="primary" icon="plus" needs="DOMAINS_MANAGE" isWrite onClick={add}>
                    {t.domains.add}
                  </Button>
                </EmptyState>
              }
            />
            <Subdomain claim={subdomain ?? undefined} instance={instance} />
            <p>
              <a href="/app/domains/pages">{words.pages}</a>
            </p>
            <p>
              <a href="/app/domains/apps">{words.apps}</a>
            </p>
          </>
        )}
      </Panel>
      {dialog}
    </>
  );
}
