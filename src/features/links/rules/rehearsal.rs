//! Rehearses rules: where they would have led the visits of the last days.
//!
//! A click keeps less of its visit than a redirect sees. A condition on what is not kept is neither true nor false: if all others of a
//! rule hold, the visit counts as undecided at that rule, and is counted nowhere else.

use std::net::IpAddr;

use async_graphql::{Enum, InputObject, SimpleObject};
use entity::click;
use link_rules::{Agent, Condition, Damaged, Kind, Outcome, Visit, Visitor, Written, decide};

use super::{
    inputs::LinkRuleInput,
    ops::{self, ShownRoutes, proposed_routes},
    proposed,
    shown::number,
    types::{LinkDestination, RuleKind},
};
use crate::{
    app::App,
    base::{
        clock::{DAY, UnixMillis},
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    click_store::{ClickFilter, stored_repo, summary::day},
    graphql::{
        directives::{embedded, example, items, range},
        scalars::{Timestamp, count},
        shorthands::Reads,
    },
    platform::auth::scope::Scope,
    redirect::rules::{NamedRule, Routes},
};

/// Visits that are rehearsed at most, the newest: a moment of the database and 20 ms of this.
const MAX_VISITS: u64 = 50_000;
/// Days that visits may lie back.
pub(crate) const MAX_DAYS: i32 = 30;

/// Rules to rehearse.
#[derive(InputObject, Debug)]
pub(crate) struct RehearseRulesInput {
    /// The proposed rules, in their order; empty: what would happen without rules.
    #[graphql(directive = items::apply(0, link_rules::MAX_RULES as i32))]
    pub(crate) rules: Vec<LinkRuleInput>,
    /// Visits of so many last UTC days are led anew, today's with them, from 1 to 30.
    #[graphql(default = 7, directive = range::apply(1, MAX_DAYS), directive = example::apply("7".into()))]
    pub(crate) days: i32,
}

/// Visits that a rule would have decided.
#[derive(SimpleObject, Debug)]
pub(crate) struct RehearsedRule {
    /// The rule's place, from 1 on. Null: visits that no rule leads elsewhere.
    #[graphql(directive = example::apply("1".into()))]
    rule: Option<i32>,
    /// Its name. Null: it has none.
    #[graphql(directive = example::apply("Newsletter".into()))]
    name: Option<String>,
    /// Where it leads. Null: it splits visits.
    #[graphql(directive = embedded::apply(), directive = Reads::apply(Scope::LinksRead))]
    destination: Option<LinkDestination>,
    /// Visits of people that it would have decided.
    #[graphql(directive = example::apply("1930".into()))]
    visits: i32,
    /// Visits of bots that it would have decided.
    #[graphql(directive = example::apply("12".into()))]
    bots: i32,
    /// Visits, of people and bots, that it might have decided: all conditions hold that can be told from a click. They are counted nowhere
    /// else.
    #[graphql(directive = example::apply("0".into()))]
    undecided: i32,
}

/// Why a condition can't be told from clicks.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnknownReason {
    /// A click does not keep what the condition is about.
    NotKept,
    /// A click keeps the first language that the visitor prefers, and no others: those are taken for unknown.
    FirstLanguageOnly,
}

/// A condition that can't be told from clicks, or not wholly.
#[derive(SimpleObject, Debug)]
pub(crate) struct UnknownCondition {
    /// The rule's place, from 1 on.
    #[graphql(directive = example::apply("2".into()))]
    rule: i32,
    /// The condition's place, from 1 on.
    #[graphql(directive = example::apply("1".into()))]
    condition: i32,
    /// What it asks about.
    #[graphql(directive = example::apply("\"ADDRESS\"".into()))]
    kind: RuleKind,
    /// Why.
    #[graphql(directive = example::apply("\"NOT_KEPT\"".into()))]
    reason: UnknownReason,
}

/// Where proposed rules would have led the visits of the last days.
#[derive(SimpleObject, Debug)]
pub(crate) struct Rehearsal {
    /// The visits that were led anew are those since then.
    #[graphql(directive = example::apply("2026-11-21T00:00:00.000Z".into()))]
    from: Timestamp,
    /// The number of these visits, with those of bots. At most 50,000: `from` is later than asked for then.
    #[graphql(directive = example::apply("12840".into()))]
    visits: i32,
    /// Visits by the rule that would have decided, in their order, and last those that none would.
    #[graphql(directive = embedded::apply(), directive = items::apply(1, link_rules::MAX_RULES as i32 + 1))]
    outcomes: Vec<RehearsedRule>,
    /// Conditions that can't be told from clicks, or not wholly.
    #[graphql(
        directive = embedded::apply(),
        directive = items::apply(0, (link_rules::MAX_RULES * link_rules::MAX_CONDITIONS) as i32)
    )]
    unknown: Vec<UnknownCondition>,
}

/// Rehearses proposed rules. Nothing is stored.
pub(super) async fn rehearse(
    app: &App,
    account: AccountId,
    id: LinkId,
    input: RehearseRulesInput,
) -> Result<Rehearsal, ApiError> {
    let rules = proposed::rules(app, input.rules).await?;
    let shown = ops::routes(app, account, id).await?;
    let rules = proposed_routes(&shown, rules)?;
    ops::check(&Routes { rules: rules.clone(), ..shown.routes.clone() }, id)?;
    let (from, visits) = visits(app, account, id, input.days).await?;
    let mut counted = vec![Counted::default(); rules.len() + 1];
    let known = Known::of(&rules, id)?;
    for visit in &visits {
        let (place, is_undecided) = known.led(visit)?;
        let counted = &mut counted[place.unwrap_or(rules.len())];
        match (is_undecided, visit.is_bot) {
            (true, _) => counted.undecided += 1,
            (false, true) => counted.bots += 1,
            (false, false) => counted.people += 1,
        }
    }
    let has_stopped = shown.routes.stop() <= app.clock.now();
    let outcomes = counted.into_iter().enumerate().map(|counted| outcome(&shown, &rules, counted, has_stopped));
    Ok(Rehearsal {
        from: Timestamp(from),
        visits: count(i64::try_from(visits.len()).unwrap_or(i64::MAX)),
        outcomes: outcomes.collect(),
        unknown: unknown(&rules),
    })
}

/// The newest visits of so many last UTC days, today's with them, newest first, and the time since which none is left out.
pub(crate) async fn visits(
    app: &App,
    account: AccountId,
    id: LinkId,
    days: i32,
) -> Result<(UnixMillis, Vec<click::Model>), ApiError> {
    let since = (day(app.clock.now()) - i64::from(days) + 1) * DAY;
    let filter = ClickFilter { from: Some(since), ..ClickFilter::default() };
    let visits = stored_repo::page_after(&app.db.scans(), account, id, filter, None, MAX_VISITS).await?;
    let from = if visits.len() as u64 == MAX_VISITS { visits.last().map_or(since, |it| it.clicked_at) } else { since };
    Ok((from, visits))
}

#[derive(Clone, Copy, Default)]
struct Counted {
    people: i64,
    bots: i64,
    undecided: i64,
}

fn outcome(
    shown: &ShownRoutes,
    rules: &[NamedRule],
    (place, counted): (usize, Counted),
    has_stopped: bool,
) -> RehearsedRule {
    let rule = rules.get(place);
    let destination = match rule.map(|named| &named.rule.outcome) {
        Some(Outcome::To(to)) => Some(shown.destination(to.number, &to.url)),
        None if shown.routes.split.is_empty() || has_stopped => Some(shown.destination(0, &shown.link.destination_url)),
        Some(Outcome::Split(_)) | None => None,
    };
    RehearsedRule {
        rule: rule.map(|_| number(place)),
        name: rule.and_then(|named| named.name.clone()),
        destination,
        visits: count(counted.people),
        bots: count(counted.bots),
        undecided: count(counted.undecided),
    }
}

/// Why clicks can't tell whether a condition holds. `None`: they can.
fn reason(kind: Kind) -> Option<UnknownReason> {
    match kind {
        Kind::Region | Kind::City | Kind::Query | Kind::Address => Some(UnknownReason::NotKept),
        Kind::Language => Some(UnknownReason::FirstLanguageOnly),
        Kind::Device
        | Kind::Os
        | Kind::Browser
        | Kind::Country
        | Kind::TimeWindow
        | Kind::WeeklyHours
        | Kind::Referrer
        | Kind::IsBot => None,
    }
}

fn is_kept(condition: &Condition) -> bool {
    reason(condition.kind()) != Some(UnknownReason::NotKept)
}

fn unknown(rules: &[NamedRule]) -> Vec<UnknownCondition> {
    let of_rule = |(place, named): (usize, &NamedRule)| {
        let conditions = named.rule.conditions.iter().enumerate();
        let unknown = conditions.filter_map(move |(at, condition)| {
            let kind = condition.kind();
            let reason = reason(kind)?;
            Some(UnknownCondition { rule: number(place), condition: number(at), kind: kind.into(), reason })
        });
        unknown.collect::<Vec<_>>()
    };
    rules.iter().enumerate().flat_map(of_rule).collect()
}

/// Rules with only those conditions that clicks can tell.
struct Known {
    program: link_rules::Program,
    /// Whether each rule lacks some of its conditions.
    is_cut: Vec<bool>,
}

impl Known {
    fn of(rules: &[NamedRule], id: LinkId) -> Result<Self, ApiError> {
        let is_cut = rules.iter().map(|named| !named.rule.conditions.iter().all(is_kept)).collect();
        // Visits that are rehearsed have no query, so that this holds for each: a rule needs a condition.
        let always = Written { kind: Kind::Query, values: Vec::new(), key: Some("-".to_owned()), negated: true };
        let always = Condition::read(&always).map_err(ApiError::internal)?;
        let cut = rules.iter().cloned().map(|mut named| {
            named.rule.conditions.retain(is_kept);
            if named.rule.conditions.is_empty() {
                named.rule.conditions.push(always.clone());
            }
            named
        });
        let routes = Routes { rules: cut.collect(), ..Routes::default() };
        let program = routes.compile(id, "https://example.com/");
        let program = program.map_err(|invalid| ApiError::internal(format!("{invalid:?}")))?;
        Ok(Known { program, is_cut })
    }

    /// The place of the rule that decides a visit (`None`: none does), and whether it only might.
    fn led(&self, visit: &click::Model) -> Result<(Option<usize>, bool), ApiError> {
        let decision = decide(self.program.as_bytes(), &Past(visit));
        let rule = decision.map_err(|Damaged| ApiError::internal("rules can't be run"))?.rule;
        Ok((rule, rule.is_some_and(|place| self.is_cut[place])))
    }
}

/// A visit as its click keeps it.
struct Past<'a>(&'a click::Model);

impl Visit for Past<'_> {
    fn agent(&self) -> Agent<'_> {
        Agent {
            device: self.0.device.as_deref().and_then(|device| device.parse().ok()),
            os: self.0.os.as_deref(),
            browser: self.0.browser.as_deref(),
            is_bot: self.0.is_bot,
        }
    }

    fn country(&self) -> Option<[u8; 2]> {
        self.0.country.as_deref()?.as_bytes().try_into().ok()
    }

    fn region(&self) -> Option<&str> {
        None
    }

    fn city(&self) -> Option<&str> {
        None
    }

    fn accept_language(&self) -> &str {
        self.0.language.as_deref().unwrap_or_default()
    }

    fn query(&self) -> &str {
        ""
    }

    fn now(&self) -> UnixMillis {
        self.0.clicked_at
    }

    fn referrer_host(&self) -> Option<&str> {
        self.0.referrer_host.as_deref()
    }

    fn address(&self) -> Option<IpAddr> {
        None
    }

    fn visitor(&self) -> Visitor<'_> {
        // Not kept: which part of a split a visit is led to is not rehearsed.
        Visitor { network: [0; 16], user_agent: b"" }
    }
}
