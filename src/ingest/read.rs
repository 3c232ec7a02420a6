//! Reads clicks from the log, and parses their user agents.

use std::{
    borrow::Cow,
    fs::{self, File},
    io,
};

use entity::click;
use uuid::{ContextV7, Timestamp, Uuid};

use crate::{
    app::App,
    clicks::{
        click::Click,
        log::ClickLog,
        position::Position,
        segment::{self, Records, Rest},
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
    let room = (most * CLICK_BYTES).min(BATCH_BYTES);
    let mut batch = Batch { clicks: Vec::new(), next: from, lag: 0 };
    let segments: Vec<u64> = segment::list(log.folder())?;
    for number in segments.into_iter().filter(|number| (from.segment..=end.segment).contains(number)) {
        let path = segment::path(log.folder(), number);
        let length = if number == end.segment { end.offset } else { fs::metadata(&path)?.len() };
        let start = if number == from.segment { from.offset } else { 0 };
        if !batch.clicks.is_empty() {
            batch.lag += length - start.min(length);
            continue;
        }
        let rest = length.saturating_sub(start);
        let bytes = segment::read_at(&File::open(&path)?, start, usize::try_from(rest).unwrap_or(room).min(room))?;
        let mut records = Records::new(&bytes);
        for record in records.by_ref().take(most) {
            match Click::decode(record) {
                Some(click) => batch.clicks.push(enriched(app, click, &context)),
                None => tracing::error!(segment = number, "The click log holds a record that is no click"),
            }
        }
        batch.next = Position { segment: number, offset: start + records.read() as u64 };
        let ended = records.read() == 0 && number != end.segment;
        if ended && records.rest() == Rest::Unwritten {
            batch.next.offset = length;
        // Cut off at the batch's end is normal; cut off at the end of a finished segment is not.
        } else if records.rest() == Rest::Damaged || ended {
            tracing::error!(
                segment = number,
                offset = batch.next.offset,
                lost = length - batch.next.offset,
                "The click log is damaged: the rest of the segment is skipped"
            );
            batch.next.offset = length;
        }
        batch.lag += length - batch.next.offset;
        if batch.next.offset == length && number < end.segment {
            batch.next = Position { segment: number + 1, offset: 0 };
        }
    }
    Ok(batch)
}

/// The click with what its user agent says.
fn enriched(app: &App, click: Click<'_>, context: &ContextV7) -> click::Model {
    let agent = app.clicks.agents.read(&click.user_agent);
    let known = |text: Cow<'_, str>| (!text.is_empty()).then(|| text.into_owned());
    let millis = click.clicked_at.unsigned_abs();
    let nanos = u32::try_from(millis % 1_000).unwrap_or_default() * 1_000_000;
    click::Model {
        id: Uuid::new_v7(Timestamp::from_unix(context, millis / 1_000, nanos)),
        link_id: click.link,
        clicked_at: click.clicked_at,
        visitor: click.visitor.to_vec(),
        is_bot: agent.is_bot || click.is_prefetch,
        browser: agent.browser.map(str::to_owned),
        os: agent.os.map(str::to_owned),
        device: agent.device.map(str::to_owned),
        referrer_host: known(click.referrer_host),
        country: known(click.country),
        language: known(click.language),
        utm_source: known(click.utm_source),
        utm_medium: known(click.utm_medium),
        utm_campaign: known(click.utm_campaign),
        utm_term: known(click.utm_term),
        utm_content: known(click.utm_content),
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
