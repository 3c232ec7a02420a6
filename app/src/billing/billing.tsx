import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { BillingQuery } from '../api/generated/graphql.ts';
import { type Loaded, useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';
import { Banner, Panel } from '../ui/states.tsx';
import { Invoices } from './invoices.tsx';
import { Plans } from './plans.tsx';
import { useProvider } from './provider.tsx';
import { Overdue, SubscriptionCard } from './subscription.tsx';
import { Usage } from './usage.tsx';

const BILLING = graphql(`
  query Billing {
    me {
      id
      account {
        id
        plan
      }
    }
    plans {
      plans {
        ...PlanCard
      }
    }
    usage {
      ...UsageBars
    }
    subscription {
      ...SubscriptionState
    }
    invoices {
      invoices {
        ...InvoiceRow
      }
    }
  }
`);

const LOOK_EVERY_MS = 2000;
const PATIENCE_MS = 60_000;

/** After a checkout: fetches until the subscription is there, or for a minute. */
function Return({ loaded }: { loaded: Loaded<BillingQuery> }) {
  const [began, setBegan] = useState(Date.now);
  const [isLate, setLate] = useState(false);
  const subscription = loaded.data?.subscription;
  const isWaiting = !subscription && !isLate;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => {
      if (Date.now() - began > PATIENCE_MS) setLate(true);
      else loaded.reload();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isWaiting, began]);

  if (subscription) {
    const plan = loaded.data?.plans.plans.find(({ id }) => id === subscription.planId);
    return (
      <Banner icon="check" kind="info">
        {t.billing.confirmed(plan?.name ?? subscription.planId)}
      </Banner>
    );
  }
  if (!isLate) {
    return (
      <Banner icon="info" kind="info">
        {t.billing.confirming}
      </Banner>
    );
  }
  return (
    <Banner icon="info">
      <p>{t.billing.late}</p>
      <Button
        onClick={() => {
          setBegan(Date.now());
          setLate(false);
          loaded.reload();
        }}
      >
        {t.billing.look}
      </Button>
    </Banner>
  );
}

function Content({ data }: { data: BillingQuery }) {
  const way = useProvider();
  const { plans } = data.plans;
  const subscription = data.subscription ?? null;
  const current = data.me.account.plan;
  const planOf = (id: string | undefined) => plans.find((plan) => plan.id === id);
  const paid = planOf(subscription?.planId);
  const { invoices } = data.invoices;
  const isOff = plans.every(({ intervals }) => intervals.length === 0);
  return (
    <div class="billing">
      {subscription?.status === 'PAST_DUE' && (
        <Overdue subscription={subscription} planName={paid?.name ?? subscription.planId} invoices={invoices} way={way} />
      )}
      <div class="billing-top">
        <SubscriptionCard
          plan={planOf(current)}
          paid={paid}
          subscription={subscription}
          canPay={!isOff}
          way={way}
        />
        <Usage usage={data.usage} />
      </div>
      <Plans plans={plans} current={current} isOff={isOff} subscription={subscription} way={way} />
      {(!isOff || invoices.length > 0) && <Invoices invoices={invoices} />}
    </div>
  );
}

export default function Billing() {
  useTitle(t.billing.title);
  const { query } = useLocation();
  const loaded = useData(BILLING, {}, ['Subscription', 'Invoice']);
  return (
    <>
      <header class="page-head">
        <h1>{t.billing.title}</h1>
      </header>
      {query.checkout === 'success' && <Return loaded={loaded} />}
      <Panel loaded={loaded} rows={8}>
        {(data) => <Content data={data} />}
      </Panel>
    </>
  );
}
