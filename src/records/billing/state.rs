//! The meaning of a provider's subscriptions for us. Pure: the same state at the provider always means the same.

use std::cmp::Reverse;

use super::status::SubscriptionStatus;
use crate::{
    base::{
        clock::{DAY, Millis, UnixMillis},
        tier::Plan,
    },
    payments::provider::{ProviderInvoice, ProviderSubscription},
};

/// How long the plan stays in force after a payment failed.
pub(crate) const GRACE: Millis = 14 * DAY;

impl SubscriptionStatus {
    /// Maps the provider's status to ours; `None`: the subscription has not begun, or never did.
    /// <https://docs.stripe.com/api/subscriptions/object#subscription_object-status>
    pub(crate) fn of_provider(word: &str) -> Option<Self> {
        match word {
            "active" => Some(SubscriptionStatus::Active),
            "trialing" => Some(SubscriptionStatus::Trialing),
            // `unpaid`: all attempts failed; `paused`: a trial ended without a means of payment.
            "past_due" | "unpaid" | "paused" => Some(SubscriptionStatus::PastDue),
            "canceled" => Some(SubscriptionStatus::Canceled),
            _ => None,
        }
    }

    /// As it is stored, and as the API writes it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            SubscriptionStatus::Active => "ACTIVE",
            SubscriptionStatus::Trialing => "TRIALING",
            SubscriptionStatus::PastDue => "PAST_DUE",
            SubscriptionStatus::Canceled => "CANCELED",
        }
    }

    /// The status with this name.
    pub(crate) fn from_stored(text: &str) -> Self {
        const ALL: [SubscriptionStatus; 3] =
            [SubscriptionStatus::Active, SubscriptionStatus::Trialing, SubscriptionStatus::PastDue];
        ALL.into_iter().find(|status| status.as_str() == text).unwrap_or(SubscriptionStatus::Canceled)
    }
}

/// The subscription that decides on the account's plan, and the number of those that have not ended. A paid one comes before one
/// that is past due, and that before one that has ended; then the larger plan, then the newer subscription.
pub(crate) fn choose(
    subscriptions: Vec<ProviderSubscription>,
) -> (Option<(ProviderSubscription, SubscriptionStatus)>, usize) {
    let begun: Vec<_> = subscriptions
        .into_iter()
        .filter_map(|it| SubscriptionStatus::of_provider(&it.status).map(|status| (it, status)))
        .collect();
    let live = begun.iter().filter(|(_, status)| *status != SubscriptionStatus::Canceled).count();
    let chosen = begun.into_iter().min_by_key(|(it, status)| {
        let rank = match status {
            SubscriptionStatus::Active | SubscriptionStatus::Trialing => 0,
            SubscriptionStatus::PastDue => 1,
            SubscriptionStatus::Canceled => 2,
        };
        (rank, Reverse(it.sold.offer.plan), Reverse(it.created_at), it.id.clone())
    });
    (chosen, live)
}

/// Since when a subscription is past due, in Unix milliseconds: when the oldest unpaid invoice after the last paid one was created. Without
/// such an invoice it is the stored time (`known`), or else `now`. So the result does not depend on when the provider was asked. The
/// invoices are newest first.
pub(crate) fn past_due_since(
    subscription: &str,
    invoices: &[ProviderInvoice],
    known: Option<UnixMillis>,
    now: UnixMillis,
) -> UnixMillis {
    let owed = invoices
        .iter()
        .filter(|invoice| invoice.subscription.as_deref() == Some(subscription))
        .take_while(|invoice| invoice.status != "paid")
        .filter(|invoice| matches!(invoice.status.as_str(), "open" | "uncollectible"))
        .map(|invoice| invoice.created_at);
    owed.min().or(known).map_or(now, |since| since.min(now))
}

/// The plan that a subscription pays for, and when that lapses.
pub(crate) fn in_force(
    plan: Plan,
    status: SubscriptionStatus,
    past_due_since: Option<UnixMillis>,
) -> (Option<Plan>, Option<UnixMillis>) {
    match status {
        SubscriptionStatus::Active | SubscriptionStatus::Trialing => (Some(plan), None),
        SubscriptionStatus::PastDue => (Some(plan), past_due_since.map(|since| since + GRACE)),
        SubscriptionStatus::Canceled => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        base::tier::{Interval, Offer},
        payments::provider::Sold,
    };

    fn subscription(id: &str, status: &str, plan: Plan, created_at: UnixMillis) -> ProviderSubscription {
        ProviderSubscription {
            id: id.to_owned(),
            status: status.to_owned(),
            sold: Sold { price: String::new(), offer: Offer { plan, interval: Interval::Month } },
            current_period_start: created_at,
            current_period_end: created_at + DAY,
            cancel_at_period_end: false,
            created_at,
        }
    }

    #[test]
    fn the_best_subscription_counts() {
        let all = [
            subscription("ended", "canceled", Plan::Business, 9),
            subscription("never", "incomplete_expired", Plan::Business, 9),
            subscription("open", "incomplete", Plan::Business, 9),
            subscription("late", "past_due", Plan::Business, 8),
            subscription("old", "active", Plan::Pro, 1),
            subscription("new", "trialing", Plan::Pro, 2),
        ];
        let best = |skipped: &[&str]| {
            let rest = all.iter().filter(|it| !skipped.contains(&&*it.id)).cloned().collect();
            let (chosen, live) = choose(rest);
            (chosen.map(|(it, status)| (it.id, status)), live)
        };
        let is = |id: &str, status| Some((id.to_owned(), status));
        assert_eq!(best(&[]), (is("new", SubscriptionStatus::Trialing), 3));
        assert_eq!(best(&["new"]), (is("old", SubscriptionStatus::Active), 2));
        assert_eq!(best(&["new", "old"]), (is("late", SubscriptionStatus::PastDue), 1));
        assert_eq!(best(&["new", "old", "late"]), (is("ended", SubscriptionStatus::Canceled), 0));
        assert_eq!(best(&["new", "old", "late", "ended"]), (None, 0));
    }

    #[test]
    fn grace_begins_with_the_first_unpaid_invoice_after_the_last_paid_one() {
        let invoice = |subscription: &str, status: &str, created_at| ProviderInvoice {
            id: String::new(),
            subscription: Some(subscription.to_owned()),
            number: None,
            status: status.to_owned(),
            currency: String::new(),
            amount_due: 1,
            amount_paid: 0,
            created_at,
            hosted_url: None,
            pdf_url: None,
        };
        let mut invoices = vec![
            invoice("a", "draft", 60),
            invoice("a", "open", 50),
            invoice("b", "paid", 45),
            invoice("a", "open", 40),
            invoice("a", "void", 35),
            invoice("a", "paid", 30),
            invoice("a", "uncollectible", 20),
        ];
        let since = |invoices: &[ProviderInvoice], known, now| past_due_since("a", invoices, known, now);
        assert_eq!(since(&invoices, None, 100), 40);
        // Past due a second time, and nobody saw it recover.
        assert_eq!(since(&invoices, Some(20), 100), 40);
        assert_eq!((since(&invoices, None, 10), past_due_since("c", &invoices, None, 100)), (10, 100));
        assert_eq!(past_due_since("c", &invoices, Some(7), 100), 7);
        invoices[5].status = "void".to_owned();
        assert_eq!(since(&invoices, None, 100), 20, "forgiven is not paid");
        assert_eq!(in_force(Plan::Pro, SubscriptionStatus::PastDue, Some(5)), (Some(Plan::Pro), Some(5 + GRACE)));
        assert_eq!(in_force(Plan::Pro, SubscriptionStatus::Trialing, None), (Some(Plan::Pro), None));
        assert_eq!(in_force(Plan::Pro, SubscriptionStatus::Canceled, None), (None, None));
    }
}
