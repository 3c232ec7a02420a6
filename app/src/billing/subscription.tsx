import { graphql } from '../api/generated/gql.ts';
import type { InvoiceRowFragment, PlanCardFragment, SubscriptionStateFragment } from '../api/generated/graphql.ts';
import { formatDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { formatMoney } from './money.ts';
import { priceOf } from './plans.tsx';
import { ProviderProblem, type Way } from './provider.tsx';

export const SUBSCRIPTION = graphql(`
  fragment SubscriptionState on Subscription {
    id
    planId
    status
    interval
    currentPeriodEnd
    cancelAtPeriodEnd
    gracePeriodEnd
    createdAt
  }
`);

interface OverdueProps {
  subscription: SubscriptionStateFragment;
  planName: string;
  invoices: InvoiceRowFragment[];
  way: Way;
}

/** A payment failed: until when the plan stays, and the ways to pay. */
export function Overdue({ subscription, planName, invoices, way }: OverdueProps) {
  const words = t.billing.overdue;
  const { gracePeriodEnd } = subscription;
  const isLapsed = gracePeriodEnd != null && Date.parse(gracePeriodEnd) <= Date.now();
  const unpaid = invoices.find(({ status, hostedUrl }) => status === 'open' && hostedUrl);
  return (
    <section class="overdue" role="alert">
      <Icon name="alert" />
      <div>
        <h2>{isLapsed || !gracePeriodEnd ? words.lapsedTitle : words.title(formatDay(gracePeriodEnd))}</h2>
        <p>{isLapsed ? words.lapsedText(planName) : words.text(planName)}</p>
        <div class="form-actions start">
          {unpaid?.hostedUrl && (
            <LinkButton kind="primary" href={unpaid.hostedUrl}>
              {words.pay}
            </LinkButton>
          )}
          <Button isWrite kind={unpaid ? 'plain' : 'primary'} isBusy={way.busy === 'overdue'} onClick={() => way.portal('overdue')}>
            {words.change}
          </Button>
        </div>
        <ProviderProblem way={way} at="overdue" />
      </div>
    </section>
  );
}

/** The date that counts: of the next payment, of the end, or of the plan's lapse. */
function dateOf({ status, cancelAtPeriodEnd, currentPeriodEnd, gracePeriodEnd }: SubscriptionStateFragment): [string, string] {
  const words = t.billing.state;
  if (status === 'PAST_DUE' && gracePeriodEnd) return [words.lapses, gracePeriodEnd];
  if (cancelAtPeriodEnd) return [words.ends, currentPeriodEnd];
  return [status === 'TRIALING' ? words.trial : words.renews, currentPeriodEnd];
}

interface StateProps {
  /** The plan in force; undefined when this service does not list it. */
  plan: PlanCardFragment | undefined;
  /** The plan that is paid for. */
  paid: PlanCardFragment | undefined;
  subscription: SubscriptionStateFragment | null;
  canPay: boolean;
  way: Way;
}

export function SubscriptionCard({ plan, paid, subscription, canPay, way }: StateProps) {
  const words = t.billing.state;
  if (!subscription) {
    const isGiven = plan !== undefined && (plan.monthlyPrice != null || plan.id === 'unlimited');
    return (
      <section class="card billing-state" aria-labelledby="state">
        <h2 id="state">{words.title}</h2>
        <p class="state-plan">
          <strong>{plan?.name}</strong>
        </p>
        <p class="muted">
          {words.none} {isGiven ? words.given : canPay && words.more}
        </p>
      </section>
    );
  }
  const price = paid && priceOf(paid, subscription.interval);
  const [label, date] = dateOf(subscription);
  const isLate = subscription.status === 'PAST_DUE';
  const isEnding = subscription.cancelAtPeriodEnd;
  const chip = isLate ? 'danger' : isEnding ? 'warning' : 'accent';
  return (
    <section class="card billing-state" aria-labelledby="state">
      <h2 id="state">{words.title}</h2>
      <p class="state-plan">
        <strong>{paid?.name ?? subscription.planId}</strong>
        <span class={`chip ${chip}`}>{isEnding && !isLate ? words.isEnding : words.status[subscription.status]}</span>
      </p>
      {paid && price != null && <p class="muted">{words.price[subscription.interval]?.(formatMoney(price, paid.currency, true))}</p>}
      <dl class="state-dates">
        <dt>{label}</dt>
        <dd>{formatDay(date)}</dd>
        <dt>{words.since}</dt>
        <dd>{formatDay(subscription.createdAt)}</dd>
      </dl>
      {isEnding && !isLate && <p class="small">{t.billing.ending(paid?.name ?? subscription.planId, formatDay(subscription.currentPeriodEnd))}</p>}
      <div class="form-actions start">
        <Button isWrite kind={isEnding ? 'primary' : 'plain'} isBusy={way.busy === 'state'} onClick={() => way.portal('state')}>
          {isEnding ? words.keep : words.manage}
        </Button>
      </div>
      <p class="muted small">{words.manageHint}</p>
      <ProviderProblem way={way} at="state" />
    </section>
  );
}
