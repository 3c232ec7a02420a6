//! Reads clicks from the log, and parses their user agents.

use std::{borrow::Cow, fs, io};

use entity::click;
use uuid::{ContextV7, Timestamp, Uuid};

use crate::{
    app::App,
    clicks::{
        click::{Click, Trigger},
        kept_damage,
        log::ClickLog,
        position::Position,
        record::MAX_RECORD,
        records::{Damage, Records},
        segment::{self, Segment},
    },
};

/// Bytes that are read for each click of a batch, more than most clicks have, and (`BATCH_BYTES`) for a batch at most, more than the
/// largest batch usually has.
const CLICK_BYTES: usize = 1 << 10;
const BATCH_BYTES: usize = 4 << 20;

/// Clicks of the log, and where the next ones are.
pub(super) struct Batch {
    /// Enriched here, off the threads that redirect and before the writer is held.
    pub(super) clicks: Vec<click::Model>,
    /// What was found damaged before, among and behind them.
    pub(super) damage: Vec<Damage>,
    /// Where it ends.
    pub(super) next: Position,
    /// Bytes of this and later segments that are not in the batch.
    pub(super) lag: u64,
}

/// Reads at most this many clicks.
pub(super) fn read(app: &App, from: Position, most: usize) -> io::Result<Batch> {
    let log = &app.clicks.log;
    let end = log.end();
    let context = ContextV7::new();
    let room = (most * CLICK_BYTES).clamp(MAX_RECORD, BATCH_BYTES);
    let mut batch = Batch { clicks: Vec::new(), damage: Vec::new(), next: from, lag: 0 };
    let segments: Vec<u64> = segment::list(log.folder())?;
    for number in segments.into_iter().filter(|number| (from.segment..=end.segment).contains(number)) {
        let segment = Segment::open(log.folder(), number, (number == end.segment).then_some(end.offset))?;
        let start = if number == from.segment { from.offset } else { 0 };
        if !batch.clicks.is_empty() {
            batch.lag += segment.length().saturating_sub(start);
            continue;
        }
        let bytes = segment.read(start, room)?;
        let mut records = segment.records(start, &bytes)?;
        for record in records.by_ref().take(most) {
            match Click::decode(record) {
                Some(click) => batch.clicks.push(enriched(app, click, &context)),
                None => tracing::error!(segment = number, "The click log holds a record that is no click"),
            }
        }
        if records.is_torn() {
            tracing::warn!(segment = number, "The click log ends with a record that a crash left half written");
        }
        keep(log, &records, start, &bytes);
        batch.damage.extend(records.damage());
        batch.next = records.at();
        if records.is_end() && number < end.segment {
            batch.next = Position { segment: number + 1, offset: 0 };
        } else {
            batch.lag += segment.length().saturating_sub(batch.next.offset);
        }
    }
    Ok(batch)
}

/// Keeps damaged bytes before their segment is deleted. Clicks go on if there is no room for them.
fn keep(log: &ClickLog, records: &Records<'_>, start: u64, bytes: &[u8]) {
    for damage in records.damage() {
        let range = usize::try_from(damage.at.offset - start).ok().zip(usize::try_from(damage.bytes).ok());
        let damaged = range.and_then(|(from, length)| bytes.get(from..)?.get(..length)).unwrap_or_default();
        match kept_damage::keep(log.folder(), damage.at, damaged) {
            Ok(true) => {}
            Ok(false) => tracing::warn!("Damaged bytes of the click log are not kept: those of others fill the place"),
            Err(error) => tracing::warn!(%error, "Damaged bytes of the click log can't be kept"),
        }
    }
}

/// The click with what its user agent says.
fn enriched(app: &App, click: Click<'_>, context: &ContextV7) -> click::Model {
    let agent = app.clicks.agents.read(&click.user_agent);
    // The HTTP client of an app may be one that bots use, too.
    let is_app = click.trigger == Trigger::App;
    let known = |text: Cow<'_, str>| (!text.is_empty()).then(|| text.into_owned());
    let millis = click.clicked_at.unsigned_abs();
    let nanos = u32::try_from(millis % 1_000).unwrap_or_default() * 1_000_000;
    click::Model {
        id: Uuid::new_v7(Timestamp::from_unix(context, millis / 1_000, nanos)),
        link_id: click.link,
        clicked_at: click.clicked_at,
        visitor: click.visitor.to_vec(),
        is_bot: (agent.is_bot && !is_app) || click.is_prefetch,
        browser: agent.browser.map(str::to_owned),
        os: agent.os.map(str::to_owned),
        device: agent.device.map(str::to_owned),
        referrer_host: known(click.referrer_host),
        country: known(click.country),
        region: known(click.region),
        city: known(click.city),
        language: known(click.language),
        utm_source: known(click.utm_source),
        utm_medium: known(click.utm_medium),
        utm_campaign: known(click.utm_campaign),
        utm_term: known(click.utm_term),
        utm_content: known(click.utm_content),
        trigger: click.trigger.stored().map(str::to_owned),
        destination: (click.destination > 0).then(|| click.destination.to_string()),
        rule: (click.rule > 0).then(|| click.rule.to_string()),
        ad_click: click.ad_click.map(|kind| (kind as u8).to_string()),
        // Set when the click is counted.
        new_to_link: None,
        new_to_account: None,
    }
}

/// Whether there are segments before a place.
pub(super) fn has_before(log: &ClickLog, position: Position) -> io::Result<bool> {
    Ok(segment::list(log.folder())?.first().is_some_and(|first| *first < position.segment))
}

/// Deletes the segments before a place.
pub(super) fn delete_before(log: &ClickLog, position: Position) -> io::Result<()> {
    for number in segment::list(log.folder())?.into_iter().filter(|number| *number < position.segment) {
        fs::remove_file(segment::path(log.folder(), number))?;
    }
    Ok(())
}
