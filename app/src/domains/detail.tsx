import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { UpdateHostInput } from '../api/generated/graphql.ts';
import { useData, useLive } from '../api/use.ts';
import { Settings } from '../hosts/settings.tsx';
import { formatAgo, formatDay, formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { LiveDot } from '../analytics/live-dot.tsx';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { useDialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { Banner, Panel, ProblemText } from '../ui/states.tsx';
import { RemoveDialog } from './actions.tsx';
import { useChecks } from './checks.ts';
import { daysLeft, type Domain, servedUntil } from './diagnosis.ts';
import { Records } from './records.tsx';
import { StatusChip } from './status.tsx';

const GiveDialog = onDemand(() => import('../transfers/dialogs.ts'), (dialogs) => dialogs.GiveDialog, 'transfers');

export const STATE = graphql(`
  fragment DomainState on CustomDomain {
    id
    domain
    status
    createdAt
    updatedAt
    activatedAt
    failingSince
    checkedAt
    dnsRecords {
      type
      name
      value
      found
      isSet
      problem
    }
    settings {
      ...HostFacts
    }
  }
`);

const DOMAIN = graphql(`
  query DomainPage($id: ID!) {
    domain(id: $id) {
      ...DomainState
    }
  }
`);

const CHANGED = graphql(`
  subscription DomainChanged($domainId: ID!) {
    domainChanged(domainId: $domainId) {
      ...DomainState
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateDomain($id: ID!, $input: UpdateHostInput!) {
    updateDomain(id: $id, input: $input) {
      id
    }
  }
`);

/** The meaning of the state for visitors, and its end. */
function Situation({ domain, wasPending }: { domain: Domain; wasPending: boolean }) {
  const words = t.domains.detail;
  const { status, failingSince } = domain;
  if (status === 'PENDING') return <p class="muted">{words.pending}</p>;
  if (status === 'ACTIVE') {
    return (
      <section class="card live-domain" role="status">
        <span class="big-check">
          <Icon name="check" />
        </span>
        <div>
          <h2>{wasPending ? words.justActive(domain.domain) : words.active}</h2>
          <p class="muted small">{words.activeHint}</p>
        </div>
        <LinkButton kind={wasPending ? 'primary' : 'plain'} icon="plus" needs="LINKS_WRITE" href={`/app/links/new?domain=${encodeURIComponent(domain.domain)}`}>
          {words.newLink}
        </LinkButton>
      </section>
    );
  }
  const until = failingSince && servedUntil(failingSince);
  if (status === 'FAILING') {
    return (
      <Banner icon="alert">
        {failingSince && <p>{words.failing(formatMoment(failingSince))}</p>}
        {until && <p>{words.left(daysLeft(until), formatMoment(until))}</p>}
      </Banner>
    );
  }
  return (
    <Banner icon="alert">
      <p>{words.suspended}</p>
      {failingSince && <p>{words.suspendedSince(formatDay(failingSince))}</p>}
    </Banner>
  );
}

function CheckLine({ domain, onChecked }: { domain: Domain; onChecked(domain: Domain): void }) {
  const words = t.domains.detail;
  const { check, isBusy, problem, left, isWatching } = useChecks(domain, onChecked);
  const isFirst = domain.checkedAt === null;
  return (
    <section class="card check-line">
      <Button
        kind={domain.status === 'ACTIVE' ? 'plain' : 'primary'}
        dataKey="r"
        needs="DOMAINS_MANAGE"
        isWrite
        isBusy={isBusy}
        isDisabled={left > 0}
        onClick={check}
      >
        {isFirst ? words.firstCheck : left > 0 ? words.checkIn(left) : words.check}
      </Button>
      <p class="muted small">
        {domain.checkedAt ? words.checked(formatAgo(domain.checkedAt)) : words.notChecked}
        {isWatching && ` · ${words.watching}`}
      </p>
      {problem && (
        <div class="form-problem" role="alert">
          <ProblemText problem={problem} />
        </div>
      )}
    </section>
  );
}

function Detail({ id }: { id: string }) {
  const { route } = useLocation();
  const loaded = useData(DOMAIN, { id });
  const [told, setTold] = useState<Domain>();
  const [wasPending, setWasPending] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { dialog, open } = useDialog();
  const first = loaded.data?.domain;
  const newest = told && (told.checkedAt ?? '') > (first?.checkedAt ?? '') ? told : first;
  useTitle(newest?.domain ?? t.domains.title);

  function onChanged(next: Domain) {
    setTold(next);
    if (newest && newest.status !== 'ACTIVE' && next.status === 'ACTIVE') setWasPending(true);
  }
  async function update(input: UpdateHostInput) {
    const { problem } = await mutate(UPDATE, { id, input });
    return problem;
  }
  useLive(CHANGED, { domainId: id }, ({ domainChanged }) => onChanged(domainChanged), first !== undefined);

  return (
    <>
      {!newest && <h1 class="hidden">{t.domains.title}</h1>}
      <Panel loaded={{ ...loaded, data: newest }} rows={6} missing={t.domains.missing}>
        {(domain) => (
          <>
            <header class="page-head">
              <a class="crumb" href="/app/domains">
                {t.domains.title}
              </a>
              <h1>{domain.domain}</h1>
              <StatusChip status={domain.status} />
              <LiveDot />
              <div class="page-action">
                <CopyButton text={domain.domain} label={t.domains.list.copy(domain.domain)} dataKey="y">
                  {t.action.copy}
                </CopyButton>
                <Button icon="send" needs="MEMBERS_MANAGE" isWrite onClick={() => open(GiveDialog, { domain })}>
                  {t.domains.give}
                </Button>
                <Button icon="trash" label={t.domains.remove.confirm} needs="DOMAINS_MANAGE" isWrite onClick={() => setAsked(true)} />
              </div>
            </header>
            <Situation domain={domain} wasPending={wasPending} />
            <CheckLine domain={domain} onChecked={onChanged} />
            <Records domain={domain} />
            <div class="card">
              <Settings host={domain.domain} settings={domain.settings} updatedAt={domain.updatedAt} update={update} />
            </div>
            {isAsked && (
              <RemoveDialog
                domain={domain}
                onClose={() => setAsked(false)}
                onDone={() => route('/app/domains', true)}
              />
            )}
          </>
        )}
      </Panel>
      {dialog}
    </>
  );
}

export default function DomainDetail() {
  const { params } = useRoute();
  const id = params.id ?? '';
  return <Detail key={id} id={id} />;
}
