//! Rehearses a change of a link: the outcomes that the visits of the last days would have after it.
//!
//! Visits are judged as redirects judge them, by the link as the change would leave it: at once, and at each later time at which it begins
//! or ends. Rules and split stay: a visit that they led is led there again.

use async_graphql::{Enum, InputObject, SimpleObject};
use entity::click;

use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    click_store::summary::day,
    clicks::click::Trigger,
    features::links::{
        change_ops::{self, LinkChange},
        create_ops::target,
        inputs::ChangedLinkFields,
        ops,
        place::site,
        rules::{
            ops::{ShownRoutes, routes_of},
            rehearsal::{MAX_DAYS, visits},
        },
    },
    graphql::{
        directives::{embedded, example, items, range},
        scalars::Timestamp,
        shorthands::Reads,
    },
    platform::auth::scope::Scope,
    records::links::{repo::ShownLink, state::LinkState},
    redirect::{
        app_link::AppLink,
        rules::NamedRule,
        target::{Intent, Limit, Target, Verdict},
    },
};

/// A change of a link to rehearse, as JSON merge patch (RFC 7396).
#[derive(InputObject, Debug)]
pub(crate) struct RehearseLinkInput {
    /// Visits of so many last UTC days are rehearsed, today's with them, from 1 to 30.
    #[graphql(default = 7, directive = range::apply(1, MAX_DAYS), directive = example::apply("7".into()))]
    pub(crate) days: i32,
    /// Fields of `updateLink`; those that visitors do not notice make no difference.
    #[graphql(flatten)]
    pub(crate) fields: ChangedLinkFields,
}

/// Outcomes of a visit after a change of its link.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VisitOutcome {
    /// A redirect to the same destination as then; the link's own is compared as it is now.
    SameDestination,
    /// A redirect to the link's own destination, which the change replaces.
    OtherDestination,
    /// A page that asks for the password, to continue, or to confirm a notice, or because the link can be followed once.
    Question,
    /// The link's `card`, as messengers do.
    Card,
    /// The link's `app`, as phones do.
    App,
    /// 404, or its host's URL for that: the link is switched off, or has not begun.
    NotFound,
    /// `expiredUrl`, its host's URL for that, or 410: the link has ended, is used up, or is blocked by the operator.
    Ended,
}

/// Visits with the same outcome.
#[derive(SimpleObject, Debug)]
pub(crate) struct RehearsedOutcome {
    /// The outcome.
    #[graphql(directive = example::apply("\"NOT_FOUND\"".into()))]
    outcome: VisitOutcome,
    /// Visits of people.
    #[graphql(directive = example::apply("398".into()))]
    visits: i32,
    /// Visits of bots.
    #[graphql(directive = example::apply("14".into()))]
    bots: i32,
}

/// A time in which the changed link is in one state.
#[derive(SimpleObject, Debug)]
pub(crate) struct RehearsedPhase {
    /// When it begins: at `startsAt` or `expiresAt` of the changed link. Null: once the change is saved.
    #[graphql(directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    starts_at: Option<Timestamp>,
    /// The link's state then.
    #[graphql(directive = example::apply("\"INACTIVE\"".into()))]
    state: LinkState,
    /// All rehearsed visits, by what they would get if they came in this time, in their order.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, OUTCOMES.len() as i32))]
    outcomes: Vec<RehearsedOutcome>,
}

/// Visits that a rule of the link decided. A change of the link leads them nowhere else.
#[derive(SimpleObject, Debug)]
pub(crate) struct VisitsByRule {
    /// The rule's place, from 1 on.
    #[graphql(directive = example::apply("1".into()))]
    rule: i32,
    /// Its name. Null: it has none.
    #[graphql(directive = example::apply("iPhone".into()), directive = Reads::apply(Scope::LinksRead))]
    name: Option<String>,
    /// Visits of people.
    #[graphql(directive = example::apply("40".into()))]
    visits: i32,
    /// Visits of bots.
    #[graphql(directive = example::apply("1".into()))]
    bots: i32,
}

/// Remarks on a rehearsed change: limits of clicks as its source, and effects that callers may not expect.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RehearsalNote {
    /// The link becomes archived: lists leave it out, and it redirects as before.
    ArchivedLinksRedirect,
    /// Redirects that used up a part of the limit before count for the new `maxClicks`, too.
    UsedClicksRemain,
    /// Whether a visitor answers the question can't be told; none uses up a part of the limit here.
    AnswersNotKept,
    /// A click does not keep whether its bot is a messenger, which gets the new `card`.
    MessengersNotKept,
    /// A click does not keep the query of its visit, which `forwardsQuery` is about.
    QueryNotKept,
    /// Rules or split were set, or the split stopped, after the first of these visits: they are led as they were then, and rules are
    /// counted by those visits alone that came since.
    RoutesHaveChanged,
    /// The link does not redirect now: visits that were not redirected left no click, and are missing.
    OnlyRedirectsKept,
}

/// Notes that a rehearsal has at most: one of each.
const MAX_NOTES: i32 = RehearsalNote::OnlyRedirectsKept as i32 + 1;

/// Outcomes that the visits of the last days would have after a change of their link.
#[derive(SimpleObject, Debug)]
pub(crate) struct LinkRehearsal {
    /// The visits are those since then: since the first of the days, or since the link was created, if that is later.
    #[graphql(directive = example::apply("2026-11-21T00:00:00.000Z".into()))]
    from: Timestamp,
    /// Visits of people. With those of bots at most 50,000: `from` is later than asked for then.
    #[graphql(directive = example::apply("398".into()))]
    visits: i32,
    /// Visits of bots.
    #[graphql(directive = example::apply("14".into()))]
    bots: i32,
    /// Visits of people and bots together on a UTC day since `from`, today with them, on average.
    #[graphql(directive = example::apply("58.857142857142854".into()))]
    visits_per_day: f64,
    /// States of the changed link, from now on, in their order.
    #[graphql(directive = embedded::apply(), directive = items::apply(1, 3))]
    phases: Vec<RehearsedPhase>,
    /// Visits that rules of the link decided, in the order of the rules; those without visits are left out.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, link_rules::MAX_RULES as i32))]
    rules: Vec<VisitsByRule>,
    /// Remarks, each at most once.
    #[graphql(directive = items::apply(0, MAX_NOTES), directive = example::apply("[\"ARCHIVED_LINKS_REDIRECT\"]".into()))]
    notes: Vec<RehearsalNote>,
}

/// All outcomes, in the order in which they are answered, which is that of their numbers.
const OUTCOMES: [VisitOutcome; 7] = [
    VisitOutcome::SameDestination,
    VisitOutcome::OtherDestination,
    VisitOutcome::Question,
    VisitOutcome::Card,
    VisitOutcome::App,
    VisitOutcome::NotFound,
    VisitOutcome::Ended,
];

/// Rehearses a change of a link. Nothing is stored.
pub(super) async fn rehearse(
    app: &App,
    account: AccountId,
    id: LinkId,
    input: RehearseLinkInput,
) -> Result<LinkRehearsal, ApiError> {
    let RehearseLinkInput { days, fields } = input;
    let change = LinkChange::from(fields);
    let now = app.clock.now();
    let before = ops::shown(app, account, id).await?;
    let routes = routes_of(app, before.link.clone()).await?;
    let is_blocked = app.redirects.restrictions.blocked_at(site(&before.link), &before.link.slug).is_some();
    let after = after(app, account, &before, &change).await?;
    let (since, visits) = visits(app, account, id, days).await?;
    let from = since.max(before.link.created_at.min(now));
    let changed = Changed { before, after, is_blocked };
    let phases = changed.phases(&visits, now);
    let (people, bots) = counted(visits.iter());
    let per_day = f64::from(people + bots) / i32::try_from(day(now) - day(from) + 1).map_or(1.0, f64::from);
    Ok(LinkRehearsal {
        from: Timestamp(from),
        visits: people,
        bots,
        visits_per_day: per_day,
        notes: changed.notes(&phases, have_changed(&routes, &visits, now), now),
        phases,
        rules: by_rule(&routes, &visits),
    })
}

/// The link as it would be after the change.
async fn after(app: &App, account: AccountId, before: &ShownLink, change: &LinkChange) -> Result<ShownLink, ApiError> {
    let known = change_ops::known(app, account, change).await?;
    let mut link = change_ops::after(app, &before.link, change, &known, app.clock.now())?;
    if change.values.gate.password.as_ref().is_some_and(Option::is_some) {
        // No password is compared here: any hash stands for that of a new one.
        link.password_hash = Some("-".to_owned());
    }
    let (max_clicks, used_clicks) = match change.values.life.max_clicks {
        None => (before.max_clicks, before.used_clicks),
        Some(max) => (max.map(i64::from), max.map(|_| before.used_clicks.unwrap_or(0))),
    };
    Ok(ShownLink { link, max_clicks, used_clicks, ..before.clone() })
}

/// Numbers of visits of people and of bots.
fn counted<'a>(visits: impl Iterator<Item = &'a click::Model>) -> (i32, i32) {
    visits.fold((0, 0), |(people, bots), visit| match visit.is_bot {
        false => (people + 1, bots),
        true => (people, bots + 1),
    })
}

/// Visits that rules decided since these were set.
fn by_rule(routes: &ShownRoutes, visits: &[click::Model]) -> Vec<VisitsByRule> {
    let set_at = routes.set_at.map_or(UnixMillis::MAX, |(rules, _)| rules);
    let of = |(rule, named): (i32, &NamedRule)| {
        let place = rule.to_string();
        let decided = visits.iter().filter(|visit| visit.clicked_at >= set_at && visit.rule.as_ref() == Some(&place));
        let (visits, bots) = counted(decided);
        VisitsByRule { rule, name: named.name.clone(), visits, bots }
    };
    (1..).zip(&routes.routes.rules).map(of).filter(|of| of.visits + of.bots > 0).collect()
}

/// Whether some of the visits, the newest first, might be led otherwise by the rules and the split that the link has now.
fn have_changed(routes: &ShownRoutes, visits: &[click::Model], now: UnixMillis) -> bool {
    let set_at = routes.set_at.map(|(rules, split)| rules.max(split));
    let stopped_at = routes.routes.split_stops_at.filter(|at| *at <= now);
    visits.last().is_some_and(|oldest| set_at.max(stopped_at) > Some(oldest.clicked_at))
}

/// A link before and after a change.
struct Changed {
    before: ShownLink,
    after: ShownLink,
    is_blocked: bool,
}

impl Changed {
    fn state(&self, link: &ShownLink, limit: Option<Limit>, at: UnixMillis) -> LinkState {
        LinkState::of(&link.link, limit, self.is_blocked, at)
    }

    fn phases(&self, visits: &[click::Model], now: UnixMillis) -> Vec<RehearsedPhase> {
        let mut phases: Vec<RehearsedPhase> = Vec::new();
        let later =
            [self.after.link.starts_at, self.after.link.expires_at].into_iter().flatten().filter(|at| *at > now);
        for at in [now].into_iter().chain(later) {
            let state = self.state(&self.after, self.after.limit(), at);
            if phases.last().is_none_or(|last| last.state != state) {
                let starts_at = Some(Timestamp(at)).filter(|_| at > now);
                phases.push(RehearsedPhase { starts_at, state, outcomes: self.outcomes(visits, at) });
            }
        }
        phases
    }

    /// Visits, the newest first, by their outcomes if all came at this time.
    fn outcomes(&self, visits: &[click::Model], at: UnixMillis) -> Vec<RehearsedOutcome> {
        let (target, app) = (target(&self.after), self.after.link.app.as_deref());
        let app = app.and_then(|stored| AppLink::read(stored.as_bytes()));
        let mut limit = self.after.limit();
        let mut counts = [[0; 2]; OUTCOMES.len()];
        // The oldest use up the limit.
        for visit in visits.iter().rev() {
            let outcome = match self.state(&self.after, limit, at) {
                LinkState::Inactive | LinkState::Scheduled => VisitOutcome::NotFound,
                LinkState::Expired | LinkState::UsedUp | LinkState::Blocked => VisitOutcome::Ended,
                LinkState::Active => self.led((&target, app.as_ref()), visit, &mut limit, at),
            };
            counts[outcome as usize][usize::from(visit.is_bot)] += 1;
        }
        let all = OUTCOMES.into_iter().zip(counts);
        let all = all.map(|(outcome, [visits, bots])| RehearsedOutcome { outcome, visits, bots });
        all.filter(|of| of.visits + of.bots > 0).collect()
    }

    /// The outcome of a visit while the link is active.
    fn led(
        &self,
        (target, app): (&Target, Option<&AppLink>),
        visit: &click::Model,
        limit: &mut Option<Limit>,
        at: UnixMillis,
    ) -> VisitOutcome {
        if self.after.link.card.is_some() && visit.trigger.as_deref() == Trigger::Card.stored() {
            return VisitOutcome::Card;
        }
        match target.judge(at, || if visit.is_bot { Intent::Look } else { Intent::Follow }) {
            Verdict::Ask => return VisitOutcome::Question,
            Verdict::Count => *limit = limit.map(|limit| Limit { used: limit.used + 1, ..limit }),
            Verdict::Redirect | Verdict::NotBegun | Verdict::Ended | Verdict::Disabled => {}
        }
        // An app that asks is told where the link leads.
        let by_phone = visit.rule.is_none() && visit.trigger.as_deref() != Trigger::App.stored();
        if by_phone && app.is_some_and(|app| app.opens_on(visit.os.as_deref())) {
            return VisitOutcome::App;
        }
        let is_other = self.before.link.destination_url != self.after.link.destination_url;
        match is_other && visit.destination.is_none() {
            true => VisitOutcome::OtherDestination,
            false => VisitOutcome::SameDestination,
        }
    }

    fn notes(&self, phases: &[RehearsedPhase], routes_have_changed: bool, now: UnixMillis) -> Vec<RehearsalNote> {
        let (before, after) = (&self.before.link, &self.after.link);
        let has_new_limit = self.before.max_clicks != self.after.max_clicks;
        let mut outcomes = phases.iter().flat_map(|phase| &phase.outcomes);
        let notes = [
            (RehearsalNote::ArchivedLinksRedirect, before.archived_at.is_none() && after.archived_at.is_some()),
            (RehearsalNote::UsedClicksRemain, has_new_limit && self.after.used_clicks.is_some_and(|used| used > 0)),
            (RehearsalNote::AnswersNotKept, outcomes.any(|of| of.outcome == VisitOutcome::Question && of.visits > 0)),
            (RehearsalNote::MessengersNotKept, before.card.is_none() && after.card.is_some()),
            (RehearsalNote::QueryNotKept, before.forwards_query != after.forwards_query),
            (RehearsalNote::RoutesHaveChanged, routes_have_changed),
            (RehearsalNote::OnlyRedirectsKept, self.state(&self.before, self.before.limit(), now) != LinkState::Active),
        ];
        notes.into_iter().filter(|(_, holds)| *holds).map(|(note, _)| note).collect()
    }
}
