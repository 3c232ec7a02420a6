import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { DomainsQuery } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { MenuHeading } from '../ui/table.tsx';
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

function Rows({ domains, remove }: { domains: Row[]; remove(domain: Row): void }) {
  return (
    <table class="link-table" tabIndex={-1}>
      <caption class="hidden">{t.domains.list.label}</caption>
      <thead>
        <tr>
          <th scope="col">{t.domains.list.domain}</th>
          <th scope="col" class="wide-cell">
            {t.domains.list.status}
          </th>
          <th scope="col" class="wide-cell">
            {t.domains.list.note}
          </th>
          <th scope="col" class="wide-cell">
            {t.domains.list.added}
          </th>
          <MenuHeading />
        </tr>
      </thead>
      <tbody>
        {domains.map((domain) => (
          <tr key={domain.id} data-row>
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
                  isWrite
                  onClick={() => remove(domain)}
                />
              </div>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export default function Domains() {
  useTitle(t.domains.title);
  const { query, route } = useLocation();
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1);
  const loaded = useData(DOMAINS, { page, pageSize: PAGE_SIZE }, ['CustomDomain', 'SubdomainClaim']);
  const [asked, setAsked] = useState<'add' | Row>();
  const used = loaded.data?.usage.domains;
  const close = () => setAsked(undefined);

  return (
    <>
      <header class="page-head">
        <h1>{t.domains.title}</h1>
        {used?.limit != null && (
          <span class="muted">{t.domains.used(formatNumber(used.used), formatNumber(used.limit))}</span>
        )}
        <div class="page-action">
          <Button kind="primary" icon="plus" dataKey="c" isWrite onClick={() => setAsked('add')}>
            {t.domains.add}
          </Button>
        </div>
      </header>
      <Panel loaded={loaded} rows={5}>
        {({ domains, instance, subdomain }) => (
          <>
            {domains.total === 0 ? (
              <EmptyState icon="globe" title={t.domains.list.empty} hint={t.domains.list.emptyHint}>
                <Button kind="primary" icon="plus" isWrite onClick={() => setAsked('add')}>
                  {t.domains.add}
                </Button>
              </EmptyState>
            ) : (
              <Rows domains={domains.data} remove={setAsked} />
            )}
            <Pagination {...domains} href={(to) => (to > 1 ? `/app/domains?page=${to}` : '/app/domains')} />
            <Subdomain claim={subdomain ?? undefined} instance={instance} />
          </>
        )}
      </Panel>
      {asked === 'add' && <AddDialog onClose={close} onDone={(id) => route(`/app/domains/${id}`)} />}
      {asked && asked !== 'add' && <RemoveDialog domain={asked} onClose={close} />}
    </>
  );
}
