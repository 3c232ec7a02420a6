//! The plans and what each allows: one place, no other.

/// What an account may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// All plans.
    pub const ALL: [Plan; 4] = [Plan::Free, Plan::Pro, Plan::Business, Plan::Unlimited];

    /// The plan's id in the API and in settings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Plan::Free => "free",
            Plan::Pro => "pro",
            Plan::Business => "business",
            Plan::Unlimited => "unlimited",
        }
    }

    /// The plan with this id.
    pub fn parse(text: &str) -> Option<Plan> {
        Plan::ALL.into_iter().find(|plan| plan.as_str() == text)
    }

    /// Links an account may have.
    pub const fn max_links(self) -> i64 {
        match self {
            Plan::Free => 1_000,
            Plan::Pro => 50_000,
            Plan::Business => 1_000_000,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Custom domains an account may have.
    pub const fn max_domains(self) -> i64 {
        match self {
            Plan::Free => 1,
            Plan::Pro => 10,
            Plan::Business => 100,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Webhooks an account may have.
    pub const fn max_webhooks(self) -> i64 {
        match self {
            Plan::Free => 2,
            Plan::Pro => 10,
            Plan::Business => 50,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Live API keys an account may have.
    pub const fn max_api_keys(self) -> i64 {
        match self {
            Plan::Free => 5,
            Plan::Pro => 25,
            Plan::Business => 100,
            Plan::Unlimited => i64::MAX,
        }
    }

    /// Requests a minute that one API key may make; none is no limit.
    pub const fn requests_per_minute(self) -> Option<u32> {
        match self {
            Plan::Free => Some(60),
            Plan::Pro => Some(600),
            Plan::Business => Some(3_000),
            Plan::Unlimited => None,
        }
    }
}
