import { signal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { Door, takeToken } from '../access/door.tsx';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { signOut, status, user } from '../session/session.ts';
import { switchTo } from '../session/switch.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { naming } from '../ui/naming.tsx';
import { Banner, ErrorPanel } from '../ui/states.tsx';

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

/** The way into a page for whoever is not signed in, and from there back here. */
const door = (way: 'login' | 'register', token: string): string =>
  `/app/${way}?next=${encodeURIComponent(`/app/invitation?token=${encodeURIComponent(token)}`)}`;

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

  if (problem?.code === 'NOT_FOUND') return <Banner icon="alert">{words.gone}</Banner>;
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
        <Button icon="signOut" onClick={() => void signOut(door('login', token))}>
          {words.another}
        </Button>
      </div>
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
      {token && !isIn && (
        <>
          <p>{words.out}</p>
          <div class="form-actions start">
            <LinkButton kind="primary" href={door('login', token)}>
              {t.session.signIn}
            </LinkButton>
            <LinkButton href={door('register', token)}>{words.register}</LinkButton>
          </div>
        </>
      )}
      {isIn && (
        <p class="door-links">
          <a href="/app">{t.shell.toOverview}</a>
        </p>
      )}
    </Door>
  );
}
