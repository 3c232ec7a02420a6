import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { ClaimSubdomainInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ClaimHostFragment, SubdomainCardFragment, UpdateHostInput } from '../api/generated/graphql.ts';
import { Settings } from '../hosts/settings.tsx';
import { formatDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { hostName, originOf } from '../links/hosts.ts';
import { may } from '../session/role.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { complain, say } from '../ui/toast.tsx';

export const CARD = graphql(`
  fragment SubdomainCard on SubdomainClaim {
    id
    host
    status
    activatedAt
    updatedAt
    settings {
      ...HostFacts
    }
  }
`);

export const HOST = graphql(`
  fragment ClaimHost on Instance {
    baseUrl
    subdomainHost
  }
`);

const CLAIM = graphql(`
  mutation ClaimSubdomain($input: ClaimSubdomainInput!) {
    claimSubdomain(input: $input) {
      ...SubdomainCard
    }
  }
`);

const ACTIVATE = graphql(`
  mutation ActivateSubdomain {
    activateSubdomain {
      ...SubdomainCard
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateSubdomain($input: UpdateHostInput!) {
    updateSubdomain(input: $input) {
      id
    }
  }
`);

const RELEASE = graphql(`
  mutation ReleaseSubdomain {
    releaseSubdomain
  }
`);

const EXAMPLE = 'ada';
const isAddress = (host: string): boolean => /^\[|^[\d.]+$/.test(host);

function ClaimForm({ instance }: { instance: ClaimHostFragment }) {
  const [label, setLabel] = useState('');
  const { protocol, port } = new URL(instance.baseUrl);
  const shown = label.trim().toLowerCase() || EXAMPLE;
  async function send(values: FormData) {
    const { data, problem } = await mutate(CLAIM, { input: { subdomain: String(values.get('subdomain')).trim() } });
    if (problem) return problem;
    say(naming(t.domains.subdomain.claimed, hostName(data.claimSubdomain.host, instance)));
    return undefined;
  }
  return (
    <Form submit={t.domains.subdomain.claim} onSubmit={send} class="form subdomain-form">
      <Field
        name="subdomain"
        label={t.domains.subdomain.label}
        hint={t.domains.subdomain.hint}
        placeholder={EXAMPLE}
        rule={ClaimSubdomainInput.subdomain}
        onInput={setLabel}
      />
      <div class="preview">
        <p class="muted small">{t.domains.subdomain.preview}</p>
        <output>
          <span class="muted">{protocol}//</span>
          <strong class={label.trim() ? undefined : 'muted'}>{shown}</strong>
          <span class="muted">
            .{isAddress(instance.subdomainHost) ? '…' : instance.subdomainHost}
            {port && ':'}
            {port}/
          </span>
        </output>
        <p class="hint">{t.domains.subdomain.previewHint}</p>
      </div>
    </Form>
  );
}

function Claim({ claim, instance }: { claim: SubdomainCardFragment; instance: ClaimHostFragment }) {
  const { status, activatedAt } = claim;
  const origin = originOf(claim.host, instance);
  const host = hostName(claim.host, instance);
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const words = t.domains.subdomain;
  const isActive = status === 'ACTIVE';

  async function activate() {
    setBusy(true);
    const { problem } = await mutate(ACTIVATE, {});
    setBusy(false);
    if (problem) complain(problem);
    else say(naming(words.activated, host));
  }
  async function update(input: UpdateHostInput) {
    const { problem } = await mutate(UPDATE, { input });
    return problem;
  }
  async function release() {
    const { problem } = await mutate(RELEASE, {}, ['SubdomainClaim']);
    if (!problem) say(naming(words.released, host));
    return problem;
  }

  return (
    <>
      <div class="claim">
        <div>
          <p class="claim-host">
            <strong>{host}</strong>
            <CopyButton text={origin} label={t.domains.list.copy(host)} />
            <span class={isActive ? 'chip good' : 'chip warning'}>{words.status[status]}</span>
          </p>
          <p class="muted small">{isActive && activatedAt ? words.activeSince(formatDay(activatedAt)) : words.claimedHint}</p>
        </div>
        <div class="form-actions">
          {!isActive && (
            <Button kind="primary" needs="SUBDOMAIN_MANAGE" isWrite isBusy={isBusy} onClick={() => void activate()}>
              {words.activate}
            </Button>
          )}
          <Button needs="SUBDOMAIN_MANAGE" isWrite onClick={() => setAsked(true)}>
            {words.release}
          </Button>
        </div>
      </div>
      <Settings host={host} settings={claim.settings} updatedAt={claim.updatedAt} update={update} />
      {isAsked && (
        <Confirm
          title={naming(words.releaseTitle, host)}
          text={naming(isActive ? words.releaseActive : words.releaseClaimed, host)}
          confirm={words.releaseConfirm}
          onConfirm={release}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

/** The account's host on the service: to claim, to activate, to release. */
export function Subdomain({ claim, instance }: { claim?: SubdomainCardFragment; instance: ClaimHostFragment }) {
  if (!claim && !may('SUBDOMAIN_MANAGE')) return null;
  return (
    <section class="card subdomain" tabIndex={-1} aria-labelledby="subdomain">
      <h2 id="subdomain">{t.domains.subdomain.title}</h2>
      <p class="muted small">{t.domains.subdomain.intro}</p>
      {claim ? <Claim claim={claim} instance={instance} /> : <ClaimForm instance={instance} />}
    </section>
  );
}
