import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { companyAddress, CompanyFailure, failureOf } from '../access/company.tsx';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { IdentityRowFragment, SettingsQuery } from '../api/generated/graphql.ts';
import { askForProof } from '../api/proof.ts';
import { formatAgo, formatDay, formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, useDialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { naming } from '../ui/naming.tsx';
import { Banner } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';

export const IDENTITY_ROW = graphql(`
  fragment IdentityRow on Identity {
    id
    provider
    email
    createdAt
    lastUsedAt
  }
`);

const REMOVE = graphql(`
  mutation RemoveIdentity($id: ID!) {
    removeIdentity(id: $id)
  }
`);

const TYPES = ['Identity', 'IdentityListResult'];
const PAGE = '/app/settings';
/** What the address says after a connection was made. */
const CONNECTED = 'connected';
/** For how long a proof counts as fresh here, in milliseconds: a minute less than for the service. */
const FRESH_MS = 9 * 60_000;

function Row({ identity: { provider, email, createdAt, lastUsedAt }, onRemove }: { identity: IdentityRowFragment; onRemove(): void }) {
  const words = t.access.identities;
  return (
    <li class="session" data-row>
      <Icon name="key" />
      <div>
        <p class="session-name">
          <strong dir="auto">{provider}</strong>
          {email !== null && <span dir="auto">{email}</span>}
        </p>
        <p class="muted small facts">
          <span title={formatMoment(createdAt)}>{words.since(formatDay(createdAt))}</span>
          <span title={formatMoment(lastUsedAt)}>{words.used(formatAgo(lastUsedAt))}</span>
        </p>
      </div>
      <Button isWrite isOpener label={words.removeLabel(email ?? provider)} onClick={onRemove}>
        {words.remove}
      </Button>
    </li>
  );
}

/** What came of the way to the company's identity provider. The page is a long one, and begins with other things. */
function Told({ children }: { children: ComponentChildren }) {
  const told = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => told.current!.scrollIntoView({ block: 'center' }), []);
  return <div ref={told}>{children}</div>;
}

/** The sign-ins by company of the user. */
export default function Identities({ data: { security, identities: { identities }, instance } }: { data: SettingsQuery }) {
  const words = t.access.identities;
  const { query } = useLocation();
  const { dialog, open } = useDialog();
  const { companySignIn: company, hasPasswordLogin } = instance;
  const told = query.signIn;

  async function connect() {
    const isFresh = failureOf(told) !== 'proof' && Date.now() - Date.parse(security.provedAt) < FRESH_MS;
    if (isFresh || (await askForProof())) location.assign(companyAddress(`${PAGE}?signIn=${CONNECTED}`, 'connect'));
  }
  const askRemove = ({ id, provider }: IdentityRowFragment) =>
    open(Confirm, {
      title: naming(words.removeTitle, provider),
      text: hasPasswordLogin ? words.removeText : words.removeTextAlone,
      confirm: words.remove,
      onConfirm: async () => {
        const { problem } = await mutate(REMOVE, { id }, TYPES);
        if (!problem) say(naming(words.removed, provider));
        return problem;
      },
    });

  return (
    <>
      {told && company !== null && (
        <Told>
          {told === CONNECTED ? (
            <Banner icon="check" kind="info">
              {words.connected(company)}
            </Banner>
          ) : (
            <CompanyFailure code={told} company={company} hasPassword={hasPasswordLogin} />
          )}
        </Told>
      )}
      <div class="security" role="group" aria-label={words.label} tabIndex={-1}>
        {identities.length === 0 ? (
          <p>{words.none}</p>
        ) : (
          <ol class="sessions">
            {identities.map((identity) => (
              <Row key={identity.id} identity={identity} onRemove={() => askRemove(identity)} />
            ))}
          </ol>
        )}
      </div>
      {company !== null && (
        <div class="form-actions start company">
          <Button isWrite onClick={() => void connect()}>
            {words.connect(company)}
          </Button>
        </div>
      )}
      {dialog}
    </>
  );
}
