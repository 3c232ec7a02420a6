// The ways to the payment provider: each asks the service for a page there, and goes to it.
import { useEffect, useState } from 'preact/hooks';
import { mutate, type Outcome } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { ProblemText } from '../ui/states.tsx';

const CHECKOUT = graphql(`
  mutation CreateCheckout($input: CreateCheckoutInput!) {
    createCheckout(input: $input) {
      checkoutUrl
    }
  }
`);

const PORTAL = graphql(`
  mutation CreateBillingPortal {
    createBillingPortal {
      portalUrl
    }
  }
`);

export type Interval = 'month' | 'year';

export interface Way {
  /** The button that was pressed, until the provider's page is there. */
  busy?: string;
  failed?: { at: string; problem: Problem };
  checkout(at: string, planId: string, interval: Interval): void;
  portal(at: string): void;
}

export function useProvider(): Way {
  const [busy, setBusy] = useState<string>();
  const [failed, setFailed] = useState<Way['failed']>();
  // Back from the provider, the browser may show this page as it was left.
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && setBusy(undefined);
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  }, []);

  async function go<Data>(at: string, asking: Promise<Outcome<Data>>, url: (data: Data) => string) {
    setBusy(at);
    setFailed(undefined);
    const { data, problem } = await asking;
    if (!problem) {
      location.assign(url(data));
      return;
    }
    setBusy(undefined);
    setFailed({ at, problem });
  }
  return {
    busy,
    failed,
    checkout: (at, planId, interval) =>
      void go(at, mutate(CHECKOUT, { input: { planId, interval } }), ({ createCheckout }) => createCheckout.checkoutUrl),
    portal: (at) => void go(at, mutate(PORTAL, {}), ({ createBillingPortal }) => createBillingPortal.portalUrl),
  };
}

// A service without a provider says to come back in an hour; one whose provider is away, in seconds.
const NOT_SET_UP_SECONDS = 3600;

/** Why the way to the provider was barred, beside the button that was pressed. */
export function ProviderProblem({ way, at }: { way: Way; at: string }) {
  if (way.failed?.at !== at) return null;
  const { problem } = way.failed;
  const { code, retryAfter = 0, requestId } = problem;
  return (
    <div class="form-problem" role="alert">
      {code === 'UNAVAILABLE' ? (
        <>
          <p>{retryAfter >= NOT_SET_UP_SECONDS ? t.billing.off : t.billing.away}</p>
          {requestId && (
            <p class="muted small">
              {t.problem.request} <code>{requestId}</code>
            </p>
          )}
        </>
      ) : code === 'CONFLICT' ? (
        <p>{t.billing.conflict}</p>
      ) : (
        <ProblemText problem={problem} />
      )}
    </div>
  );
}
