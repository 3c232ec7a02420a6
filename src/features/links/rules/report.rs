//! Reports on splits: how they divide visitors, and whether as their weights say.

use async_graphql::SimpleObject;
use link_rules::{MAX_PARTS, Outcome, Part, RatioTest, Share};

use super::{ops, types::LinkDestination};
use crate::{
    app::App,
    base::{
        clock::{DAY, UnixMillis},
        error::{ApiError, Code},
        ids::{AccountId, LinkId},
    },
    click_store::{stored_repo, summary::day},
    graphql::{
        directives::{embedded, example, items},
        scalars::{Timestamp, count},
        shorthands::Reads,
    },
    platform::auth::scope::Scope,
};

/// Days that a report looks back at most, so that its cost has a bound.
const MAX_DAYS: i64 = 90;

/// A share of visitors with its interval.
#[derive(SimpleObject, Debug)]
pub(crate) struct SplitShare {
    /// Part of all visitors, from 0 to 1.
    #[graphql(directive = example::apply("0.512".into()))]
    share: f64,
    /// Lower end of the interval that has the true share in 95 % of cases (Wilson's score interval).
    #[graphql(directive = example::apply("0.487".into()))]
    low: f64,
    /// Its upper end.
    #[graphql(directive = example::apply("0.537".into()))]
    high: f64,
}

/// A part of a split, and whom it was shown to.
#[derive(SimpleObject, Debug)]
pub(crate) struct SplitReportPart {
    /// The destination's number, which clicks have as `destination`.
    #[graphql(directive = example::apply("1".into()))]
    number: i32,
    /// The destination.
    #[graphql(directive = embedded::apply(), directive = Reads::apply(Scope::LinksRead))]
    destination: LinkDestination,
    /// Its weight.
    #[graphql(directive = example::apply("50".into()))]
    weight: i32,
    /// The share that the weights say, from 0 to 1.
    #[graphql(directive = example::apply("0.5".into()))]
    expected_share: f64,
    /// Clicks of people that were led there.
    #[graphql(directive = example::apply("812".into()))]
    clicks: i32,
    /// Visitors that were led there: each counts once a UTC day.
    #[graphql(directive = example::apply("768".into()))]
    visitors: i32,
    /// Its share of visitors. Null: there are none yet.
    #[graphql(directive = embedded::apply())]
    share: Option<SplitShare>,
}

/// How a split divides visitors. Clicks alone follow the weights: which destination does better, they do not tell.
#[derive(SimpleObject, Debug)]
pub(crate) struct SplitReport {
    /// Clicks since then are counted: since the split was last set, 90 UTC days before today, or the oldest click that is kept.
    #[graphql(directive = example::apply("2026-11-20T14:33:38.125Z".into()))]
    from: Timestamp,
    /// Its parts, in their order; empty: the link is not split.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_PARTS as i32))]
    parts: Vec<SplitReportPart>,
    /// The probability, at most, that a split which divides as it should ever looks as uneven as this one (a sequential test: Lindon and Malek,
    /// "Anytime-Valid Inference for Multinomial Count Data", 2022). It may be looked at every day.
    #[graphql(directive = example::apply("0.71".into()))]
    p_value: f64,
    /// Whether visitors are not divided as the weights say: `pValue` is 0.05 or less. Of splits that divide as they should, 1 in 20 at most is
    /// ever said to be uneven; a few more where many visitors come back on other days, since these are counted again.
    #[graphql(directive = example::apply("false".into()))]
    is_uneven: bool,
}

/// The report on a link's own split, or on that of its rule with this number.
pub(super) async fn report(
    app: &App,
    account: AccountId,
    id: LinkId,
    rule: Option<i32>,
) -> Result<SplitReport, ApiError> {
    let shown = ops::routes(app, account, id).await?;
    let now = app.clock.now();
    let created_at = shown.link.created_at;
    let (rules_set_at, split_set_at) = shown.set_at.unwrap_or((created_at, created_at));
    let (parts, set_at): (&[Part], UnixMillis) = match rule {
        None => (&shown.routes.split, split_set_at),
        Some(number) => {
            let place = usize::try_from(number - 1).map_err(|_| Code::NotFound)?;
            match shown.routes.rules.get(place).map(|named| &named.rule.outcome) {
                Some(Outcome::Split(parts)) => (parts, rules_set_at),
                Some(Outcome::To(_)) | None => return Err(Code::NotFound.into()),
            }
        }
    };
    let mut from = set_at.max((day(now) - MAX_DAYS) * DAY);
    if shown.link.expired_clicks > 0 {
        let oldest = stored_repo::first(app.db.read(), account, id).await?;
        from = from.max(oldest.unwrap_or(now));
    }
    let rule = rule.map(|number| number.to_string());
    let days = match parts.is_empty() {
        true => Vec::new(),
        false => {
            let db = app.db.snapshot().await?;
            db.reading(stored_repo::split_days(&db, account, id, rule.as_deref(), from)).await?
        }
    };
    let place = |destination: &str| {
        let number: Option<u16> = destination.parse().ok();
        parts.iter().position(|part| Some(part.destination.number) == number)
    };
    let weights: Vec<u8> = parts.iter().map(|part| part.weight).collect();
    let mut test = RatioTest::default();
    let (mut clicks, mut visitors) = (vec![0; parts.len()], vec![0_u64; parts.len()]);
    for of_day in days.chunk_by(|one, other| one.day == other.day) {
        let mut today = vec![0; parts.len()];
        for counted in of_day {
            if let Some(place) = place(&counted.destination) {
                clicks[place] += counted.clicks;
                today[place] += counted.visitors.unsigned_abs();
            }
        }
        test.observe(&weights, &today);
        visitors.iter_mut().zip(today).for_each(|(sum, today)| *sum += today);
    }
    let whole: f64 = weights.iter().copied().map(f64::from).sum();
    let all = visitors.iter().sum();
    let shares = parts.iter().zip(clicks).zip(&visitors).map(|((part, clicks), visitors)| SplitReportPart {
        number: part.destination.number.into(),
        destination: shown.destination(part.destination.number, &part.destination.url),
        weight: part.weight.into(),
        expected_share: f64::from(part.weight) / whole,
        clicks: count(clicks),
        visitors: count(i64::try_from(*visitors).unwrap_or(i64::MAX)),
        share: Share::of(*visitors, all).map(|Share { share, low, high }| SplitShare { share, low, high }),
    });
    Ok(SplitReport {
        from: Timestamp(from),
        parts: shares.collect(),
        p_value: test.p_value(),
        is_uneven: test.is_uneven(),
    })
}
