import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { PlanCardFragment, SubscriptionStateFragment } from '../api/generated/graphql.ts';
import { formatNumber, formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icons.tsx';
import { Segments } from '../ui/segments.tsx';
import { Banner } from '../ui/states.tsx';
import { formatDays, formatMoney } from './money.ts';
import { type Interval, ProviderProblem, type Way } from './provider.tsx';

export const PLAN_CARD = graphql(`
  fragment PlanCard on Plan {
    id
    name
    currency
    monthlyPrice
    yearlyPrice
    intervals
    limits {
      links
      domains
      webhooks
      apiKeys
      requestsPerMinute
      retentionDays
    }
  }
`);

const INTERVALS: Interval[] = ['month', 'year'];

export const priceOf = (plan: PlanCardFragment, interval: string): number | null =>
  (interval === 'year' ? plan.yearlyPrice : plan.monthlyPrice) ?? null;

/** The saving of a year against twelve months, for the plan that saves most. */
function saving(plans: PlanCardFragment[]): number {
  const shares = plans.map(({ monthlyPrice, yearlyPrice }) => (monthlyPrice && yearlyPrice ? 1 - yearlyPrice / (12 * monthlyPrice) : 0));
  return Math.max(0, ...shares);
}

function limitsOf({ limits }: PlanCardFragment): string[] {
  const words = t.billing.plans;
  const counted = (word: (count: number | null, formatted: string) => string, count: number | null | undefined) =>
    word(count ?? null, count == null ? '' : formatNumber(count));
  return [
    counted(words.links, limits.links),
    counted(words.domains, limits.domains),
    counted(words.webhooks, limits.webhooks),
    counted(words.apiKeys, limits.apiKeys),
    counted(words.requests, limits.requestsPerMinute),
    words.retention(limits.retentionDays == null ? null : formatDays(limits.retentionDays)),
  ];
}

interface ActionProps {
  plan: PlanCardFragment;
  interval: Interval;
  isCurrent: boolean;
  /** Nothing is for sale, which is said once for all plans. */
  isOff: boolean;
  subscription: SubscriptionStateFragment | null;
  way: Way;
}

/** The action that the account has for a plan: none, buying it, or changing to it at the provider. */
function Action({ plan, interval, isCurrent, isOff, subscription, way }: ActionProps) {
  const words = t.billing.plans;
  const button = (label: string, isMain: boolean, act: () => void) => (
    <Button isWrite kind={isMain ? 'primary' : 'plain'} isBusy={way.busy === plan.id} isDisabled={way.busy !== undefined && way.busy !== plan.id} onClick={act}>
      {label}
    </Button>
  );
  const isSold = plan.intervals.includes(interval);
  if (subscription) {
    const isFree = priceOf(plan, 'month') === null;
    const portal = () => way.portal(plan.id);
    if (isFree) return subscription.cancelAtPeriodEnd ? null : button(words.cancel, false, portal);
    if (plan.id !== subscription.planId) return isSold ? button(words.change(plan.name), false, portal) : null;
    return isSold && interval !== subscription.interval ? button(words.payBy[interval], false, portal) : null;
  }
  if (isSold) return isCurrent ? null : button(words.choose(plan.name), true, () => way.checkout(plan.id, plan.id, interval));
  if (isOff || isCurrent || priceOf(plan, interval) === null) return null;
  const other = plan.intervals.find((each): each is Interval => each === 'month' || each === 'year');
  return <p class="muted small">{other ? words.soldBy[other] : words.notSold}</p>;
}

interface PlansProps {
  plans: PlanCardFragment[];
  current: string;
  isOff: boolean;
  subscription: SubscriptionStateFragment | null;
  way: Way;
}

export function Plans({ plans, current, isOff, subscription, way }: PlansProps) {
  const words = t.billing.plans;
  const [interval, choose] = useState<Interval>(subscription?.interval === 'year' ? 'year' : 'month');
  const saved = saving(plans);
  return (
    <section class="billing-plans" aria-labelledby="plans">
      <div class="section-head">
        <h2 id="plans">{words.title}</h2>
        <Segments
          label={words.interval}
          name="interval"
          value={interval}
          onChange={choose}
          options={INTERVALS.map((value) => ({
            value,
            label: words.intervals[value],
            note: value === 'year' && saved > 0 ? words.saves(formatShare(saved)) : undefined,
            dataKey: value.slice(0, 1),
          }))}
        />
      </div>
      {isOff && (
        <Banner icon="info" kind="info">
          {words.off}
        </Banner>
      )}
      <ol class="plan-cards">
        {plans.map((plan) => {
          const isCurrent = plan.id === current;
          const price = priceOf(plan, interval);
          return (
            <li key={plan.id} class={isCurrent ? 'card plan current' : 'card plan'}>
              <div class="plan-head">
                <h3>{plan.name}</h3>
                {isCurrent && <span class="chip accent">{words.current}</span>}
              </div>
              <p class="plan-price">
                <strong>{formatMoney(price ?? 0, plan.currency, true)}</strong>{' '}
                <span class="muted">{interval === 'year' ? words.perYear : words.perMonth}</span>
              </p>
              <ul>
                {limitsOf(plan).map((limit) => (
                  <li key={limit}>
                    <Icon name="check" />
                    {limit}
                  </li>
                ))}
              </ul>
              <Action plan={plan} interval={interval} isCurrent={isCurrent} isOff={isOff} subscription={subscription} way={way} />
              <ProviderProblem way={way} at={plan.id} />
            </li>
          );
        })}
      </ol>
      {!isOff && <p class="muted small">{words.note}</p>}
    </section>
  );
}
