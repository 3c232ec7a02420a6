//! The plans, what each allows and what it costs: one place, no other.

/// Currency of all prices, ISO 4217 in lower case.
pub(crate) const CURRENCY: &str = "eur";

/// Bytes of an import's file at most: 200,000 links and more. An account has one unfinished import.
pub(crate) const MAX_IMPORT_BYTES: i64 = 48 << 20;

/// What an account may use. In order: a later plan allows more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Plan {
    /// Without a subscription.
    Free,
    /// The smaller paid plan.
    Pro,
    /// The larger paid plan.
    Business,
    /// For those who host linkgraph for themselves.
    Unlimited,
}

impl Plan {
    pub(crate) const ALL: [Plan; 4] = [Plan::Free, Plan::Pro, Plan::Business, Plan::Unlimited];

    /// The plan's id in the API and in settings.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Plan::Free => "free",
            Plan::Pro => "pro",
            Plan::Business => "business",
            Plan::Unlimited => "unlimited",
        }
    }

    /// The plan with this id.
    pub(crate) fn parse(text: &str) -> Option<Plan> {
        Plan::ALL.into_iter().find(|plan| plan.as_str() == text)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Plan::Free => "Free",
            Plan::Pro => "Pro",
            Plan::Business => "Business",
            Plan::Unlimited => "Unlimited",
        }
    }

    /// The price, in minor units of [`CURRENCY`]. `None`: the plan is not sold.
    pub(crate) const fn price(self, interval: Interval) -> Option<i64> {
        match (self, interval) {
            (Plan::Free | Plan::Unlimited, _) => None,
            (Plan::Pro, Interval::Month) => Some(900),
            (Plan::Pro, Interval::Year) => Some(9_000),
            (Plan::Business, Interval::Month) => Some(4_900),
            (Plan::Business, Interval::Year) => Some(49_000),
        }
    }

    /// Links an account may have.
    pub(crate) const fn max_links(self) -> i64 {
        match self {
            Plan::Free => 1_000,
            Plan::Pro => 50_000,
            Plan::Business => 1_000_000,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Custom domains an account may have.
    pub(crate) const fn max_domains(self) -> i64 {
        match self {
            Plan::Free => 1,
            Plan::Pro => 10,
            Plan::Business => 100,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Webhooks an account may have.
    pub(crate) const fn max_webhooks(self) -> i64 {
        match self {
            Plan::Free => 2,
            Plan::Pro => 10,
            Plan::Business => 50,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Live API keys an account may have.
    pub(crate) const fn max_api_keys(self) -> i64 {
        match self {
            Plan::Free => 5,
            Plan::Pro => 25,
            Plan::Business => 100,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Rows that an import may have; none is no limit beyond that of its file.
    pub(crate) const fn max_import_rows(self) -> Option<i64> {
        match self {
            Plan::Free => Some(1_000),
            Plan::Pro | Plan::Business | Plan::Unlimited => None,
        }
    }

    /// Bytes of an import's file, which is stored until the import ends: 4 KiB for each row of the free plan.
    pub(crate) const fn max_import_bytes(self) -> i64 {
        match self {
            Plan::Free => 4 << 20,
            Plan::Pro | Plan::Business | Plan::Unlimited => MAX_IMPORT_BYTES,
        }
    }

    /// For how many days each click is kept; none is for ever.
    pub(crate) const fn retention_days(self) -> Option<u32> {
        match self {
            Plan::Free => Some(30),
            Plan::Pro => Some(365),
            Plan::Business => Some(1_095),
            Plan::Unlimited => None,
        }
    }

    /// Requests a minute that one API key may make; none is no limit.
    pub(crate) const fn requests_per_minute(self) -> Option<u32> {
        match self {
            Plan::Free => Some(60),
            Plan::Pro => Some(600),
            Plan::Business => Some(3_000),
            Plan::Unlimited => None,
        }
    }
}

/// How often a plan is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interval {
    Month,
    Year,
}

impl Interval {
    pub(crate) const ALL: [Interval; 2] = [Interval::Month, Interval::Year];

    /// As the API and the provider write it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Interval::Month => "month",
            Interval::Year => "year",
        }
    }

    /// The interval with this name.
    pub(crate) fn parse(text: &str) -> Option<Interval> {
        Interval::ALL.into_iter().find(|interval| interval.as_str() == text)
    }
}

/// An offer: a plan, paid at an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) plan: Plan,
    /// How often it is paid.
    pub(crate) interval: Interval,
}

impl Offer {
    /// All that has a price.
    pub(crate) fn all() -> impl Iterator<Item = Offer> {
        Plan::ALL
            .into_iter()
            .flat_map(|plan| Interval::ALL.map(|interval| Offer { plan, interval }))
            .filter(|offer| offer.price().is_some())
    }

    /// The price, in minor units of [`CURRENCY`]. `None`: the offer is not sold.
    pub(crate) const fn price(self) -> Option<i64> {
        self.plan.price(self.interval)
    }
}
