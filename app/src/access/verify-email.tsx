import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { lookAgain, status } from '../session/session.ts';
import { Banner, ErrorPanel, Skeleton } from '../ui/states.tsx';
import { Door, takeToken } from './door.tsx';

const VERIFY = graphql(`
  mutation VerifyEmail($input: VerifyEmailInput!) {
    verifyEmail(input: $input) {
      message
    }
  }
`);

const SETTINGS = '/app/settings';

/** The token that was sent, which works once, and how that went: the page may be made anew, in another language. */
let sent = '';
const outcome = signal<Problem | 'proved' | undefined>(undefined);

async function prove(token: string): Promise<void> {
  sent = token;
  outcome.value = undefined;
  const { problem } = await mutate(VERIFY, { input: { token } }, ['User']);
  if (!problem) await lookAgain();
  outcome.value = problem ?? 'proved';
}

function Outcome({ token }: { token: string }) {
  const words = t.access.verify;
  const found = outcome.value;
  if (!token) return <Banner icon="alert">{t.access.reset.noToken}</Banner>;
  if (!found) return <Skeleton rows={1} />;
  if (found === 'proved') {
    return (
      <Banner icon="check" kind="info">
        {words.done}
      </Banner>
    );
  }
  if (found.code === 'UNAUTHENTICATED') return <Banner icon="alert">{words.spent}</Banner>;
  if (found.code === 'CONFLICT') return <Banner icon="alert">{words.taken}</Banner>;
  return <ErrorPanel problem={found} retry={() => void prove(token)} />;
}

/** Proves that an address is the user's, by the link of a mail, whoever is signed in. */
export default function VerifyEmail() {
  const words = t.access.verify;
  const token = useMemo(takeToken, []);
  useEffect(() => {
    if (token && token !== sent) void prove(token);
  }, []);
  return (
    <Door title={words.title}>
      <Outcome token={token} />
      <p class="door-links">
        {status.value === 'in' ? (
          <>
            <a href={SETTINGS}>{words.toSettings}</a>
            <a href="/app">{t.shell.toOverview}</a>
          </>
        ) : (
          <a href={outcome.value === 'proved' ? '/app/login' : `/app/login?next=${encodeURIComponent(SETTINGS)}`}>{t.session.signIn}</a>
        )}
      </p>
    </Door>
  );
}
