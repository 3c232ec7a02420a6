//! Rules of breakdowns.

use chrono_tz::Tz;

use crate::{
    app::App,
    base::{clock::UnixMillis, error::ApiError},
    click_store::{
        ScannedClick, Shown,
        breakdown::{Breakdown, MAX_VALUES, ValueCounts},
        condition::ClickDimension,
        question::Question,
        scan::{Links, refused, scan},
    },
    features::analytics::ops::{Coverage, Range, covered, known, range, subject},
    platform::auth::{caller::Call, scope::Scope},
    records::analytics::reading::Reading,
};

/// Characters of a text that is searched in values.
pub(crate) const MAX_SEARCH: i32 = 200;

/// All values of a dimension.
#[derive(Debug)]
pub(crate) struct BrokenDown {
    /// Start of the range, in Unix milliseconds.
    pub(crate) from: UnixMillis,
    /// End of the range (exclusive), in Unix milliseconds.
    pub(crate) to: UnixMillis,
    /// The most frequent first.
    pub(crate) values: Vec<ValueCounts>,
    pub(crate) coverage: Coverage,
}

/// The values of a dimension that clicks have, with the clicks of each; those that contain a text, if it is not empty. Fails when the account
/// has no such link, when the caller may not know what it asks about, and when too many clicks would have to be read, or have too many values.
pub(crate) async fn breakdown(
    app: &App,
    call: &Call,
    question: &Question,
    search: &str,
) -> Result<BrokenDown, ApiError> {
    let dimension = question.dimension.unwrap_or(ClickDimension::Link);
    // A search of links finds parts of their short URLs.
    if dimension.tells_of_links() || (dimension == ClickDimension::Link && !search.is_empty()) {
        call.caller.check_scope(Scope::LinksRead)?;
    }
    let account = call.account()?;
    let (subject, is_account) = subject(app, account, question).await?;
    let (from, to) = range(app, question, Tz::UTC);
    let max_visitors = usize::try_from(question.max_clicks).unwrap_or(usize::MAX);
    let mut breakdown = Breakdown::new(dimension, search, &question.own_host, max_visitors);
    if from >= to {
        let coverage = Coverage { clicks_read: Some(0), is_exact: true };
        return Ok(BrokenDown { from, to, values: Vec::new(), coverage });
    }
    let db = app.db.snapshot().await?;
    let reading = Reading { db: &db, subject, is_account };
    let coverage = db.reading(async {
        let known = known(&reading, question, Range { before: from, from, to }).await?;
        let mut show = |links: &Links, click: ScannedClick<'_>| breakdown.add(links, &click);
        let read = scan(&db, account, question, (from, to), Shown::Dimension(dimension), &mut show).await?;
        Ok::<_, ApiError>(covered(known, read))
    });
    let coverage = coverage.await?;
    if breakdown.is_full() {
        let message = "The clicks have too many values, or too many visitors of them. Choose a shorter range, or search for a text.";
        return Err(refused(message.to_owned(), MAX_VALUES as u64));
    }
    Ok(BrokenDown { from, to, values: breakdown.finish(question.with_bots), coverage })
}
