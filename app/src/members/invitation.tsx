import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { CompanyFirst } from '../access/company.tsx';
import { Door, invitationAddress, takeToken } from '../access/door.tsx';
import { useWaysIn } from '../access/ways-in.ts';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { signOut, status, user } from '../session/session.ts';
import { switchTo } from '../session/switch.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { naming } from '../ui/naming.tsx';
import { Banner, ErrorPanel, Skeleton } from '../ui/states.tsx';

const ACCEPT = graphql(`
  mutation AcceptInvitation($input: AcceptInvitationInput!) {
    acceptInvitation(input: $input) {
      account {
        id
      }
    }
  }
`);

/** Why the token was refused; the page may be made anew, in another language. */
const refused = signal<{ token: string; problem: Problem } | undefined>(undefined);

/** The way in, and from there back here. */
const login = (token: string): string => `/app/login?next=${encodeURIComponent(invitationAddress(token))}`;

/** Whoever registers by the token is a member at once. */
const register = (token: string): string => `/app/register?invitation=${encodeURIComponent(token)}`;

function Join({ token }: { token: string }) {
  const words = t.members.invitation;
  const [isBusy, setBusy] = useState(false);
  const problem = refused.value?.token === token ? refused.value.problem : undefined;
  const email = user.value?.email ?? '';

  async function join() {
    setBusy(true);
    const { data, problem: why } = await mutate(ACCEPT, { input: { token } });
    const failed = why ?? (await switchTo(data.acceptInvitation.account.id, '/app'));
    refused.value = failed && { token, problem: failed };
    // Otherwise the page is being left.
    if (failed) setBusy(false);
  }

  if (problem?.code === 'NOT_FOUND') return <Banner icon="alert">{t.access.invitation.gone}</Banner>;
  const isOther = problem?.details.reason === 'OTHER_ADDRESS';
  return (
    <>
      {isOther && <Banner icon="alert">{naming(words.other, email)}</Banner>}
      {problem && !isOther && <ErrorPanel problem={problem} />}
      {!isOther && <p>{naming(words.as, email)}</p>}
      <div class="form-actions start">
        {!isOther && (
          <Button kind="primary" isWrite isBusy={isBusy} onClick={() => void join()}>
            {words.join}
          </Button>
        )}
        <Button icon="signOut" onClick={() => void signOut(login(token))}>
          {words.another}
        </Button>
      </div>
    </>
  );
}

/** For whoever is not signed in. */
function Enter({ token }: { token: string }) {
  const words = t.members.invitation;
  const ways = useWaysIn();
  if (!ways) return <Skeleton rows={2} />;
  return (
    <>
      <p>{words.out}</p>
      <CompanyFirst ways={ways} to={invitationAddress(token)} />
      {ways.hasPasswordLogin && (
        <>
          <div class="form-actions start">
            <LinkButton kind="primary" href={login(token)}>
              {t.session.signIn}
            </LinkButton>
            <LinkButton href={register(token)}>{words.register}</LinkButton>
          </div>
          <p class="muted small">{words.registering}</p>
        </>
      )}
    </>
  );
}

/** Makes whoever opens the link of an invitation's mail a member of the workspace. */
export default function Invitation() {
  const words = t.members.invitation;
  const token = useMemo(takeToken, []);
  const isIn = status.value === 'in';
  return (
    <Door title={words.title} lead={words.lead}>
      {!token && <Banner icon="alert">{t.access.reset.noToken}</Banner>}
      {token && isIn && <Join token={token} />}
      {token && !isIn && <Enter token={token} />}
      {isIn && (
        <p class="door-links">
          <a href="/app">{t.shell.toOverview}</a>
        </p>
      )}
    </Door>
  );
}
