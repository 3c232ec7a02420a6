//! Reads the clicks that answer a question, in portions: neither the number of links nor that of clicks costs memory.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use sea_orm::DbErr;
use serde_json::json;
use uuid::Uuid;

use super::{
    blocks::{
        block::Block,
        repo::{self as blocks, unreadable},
    },
    condition::{ClickDimension, ConditionOperator},
    question::{LinkFacts, Question, Subject},
    rows::{
        links_repo,
        scan_repo::{self, ScannedClick, Shown},
    },
    stored_repo::Pages,
};
use crate::{
    base::{
        clock::UnixMillis,
        error::{ApiError, Code},
        ids::{AccountId, LinkId},
    },
    platform::db::{ROWS_PER_STATEMENT, Snapshot},
};

/// Clicks that a statement looks at, about: some 6 MB, and a moment of a thread.
const PORTION: u64 = 20_000;
/// Links that are looked at together.
const LINKS: u64 = 5_000;

/// The extent of what was read for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Read {
    /// Single clicks in the range, on links that keep the conditions on links.
    pub(crate) clicks: u64,
    /// Whether any of these links had clicks that are no longer stored singly.
    pub(crate) is_expired: bool,
}

/// Gets each click, with the links of its portion.
pub(crate) type Show<'a> = dyn FnMut(&Links, ScannedClick<'_>) + Send + 'a;

/// The links of a portion, by id.
pub(crate) type Links = HashMap<Uuid, LinkFacts>;

/// Shows each click of the account in the range that keeps the question's conditions, with its link, in no order. Bots are shown in any
/// case. Fails with [`Code::RangeTooLarge`] if more had to be read than the question allows.
pub(crate) async fn scan(
    db: &Snapshot,
    account: AccountId,
    question: &Question,
    range: (UnixMillis, UnixMillis),
    shown: Shown,
    show: &mut Show<'_>,
) -> Result<Read, ApiError> {
    let mut scan = Scan { db, question, range, shown, read: Read::default(), show };
    let of_tags = |dimension| dimension == ClickDimension::Tag;
    let with_tags =
        question.dimension.is_some_and(of_tags) || question.conditions.iter().any(|it| of_tags(it.dimension));
    if let Some(links) = named(question) {
        let links = links_repo::facts(db, account, &links, with_tags).await?;
        scan.links(links).await?;
        return Ok(scan.read);
    }
    let mut after = None;
    loop {
        let links = links_repo::clicked_since(db, account, range.0, after, LINKS).await?;
        after = links.last().copied();
        let is_last = (links.len() as u64) < LINKS;
        let links: Vec<Uuid> = links.into_iter().map(|(_, link)| link).collect();
        let links = links_repo::facts(db, account, &links, with_tags).await?;
        scan.links(links).await?;
        if is_last {
            return Ok(scan.read);
        }
    }
}

/// The links that the question names. `None`: they may be any.
fn named(question: &Question) -> Option<Vec<Uuid>> {
    if let Subject::Link(LinkId(link)) = question.subject {
        return Some(vec![link]);
    }
    let is_of_some = |operator, dimension| (operator, dimension) == (ConditionOperator::Is, ClickDimension::Link);
    let mut conditions = question.conditions.iter();
    let named = conditions.find(|condition| is_of_some(condition.operator, condition.dimension))?;
    Some(named.values.iter().flatten().filter_map(|id| id.parse().ok()).collect())
}

/// The refusal of a range with more than `max` clicks; `clicks` if their number is known.
pub(crate) fn too_large(clicks: Option<u64>, max: u64) -> ApiError {
    let number = clicks.map_or_else(|| format!("more than {max}"), |clicks| clicks.to_string());
    let message = format!(
        "This needs {number} single clicks, and {max} are read for an answer at most. Choose a shorter range, or one link."
    );
    refused(message, max)
}

/// The refusal of a range whose answer exceeds a limit.
pub(crate) fn refused(message: String, limit: u64) -> ApiError {
    ApiError::new(Code::RangeTooLarge, message).with_details(json!({ "limit": limit }))
}

struct Scan<'a> {
    db: &'a Snapshot,
    question: &'a Question,
    range: (UnixMillis, UnixMillis),
    shown: Shown,
    read: Read,
    show: &'a mut Show<'a>,
}

impl Scan<'_> {
    /// Reads the clicks on those of the links that the question is about.
    async fn links(&mut self, links: Vec<LinkFacts>) -> Result<(), ApiError> {
        let links: Links =
            links.into_iter().filter(|link| self.question.is_about(link)).map(|link| (link.id.0, link)).collect();
        self.read.is_expired |= links.values().any(|link| link.expired > 0);
        let (mut together, mut clicks) = (Vec::new(), 0);
        for link in links.values() {
            if link.clicks > PORTION {
                self.long(&links, link.id).await?;
                continue;
            }
            if together.len() == ROWS_PER_STATEMENT || clicks + link.clicks > PORTION {
                self.portion(&links, &std::mem::take(&mut together)).await?;
                clicks = 0;
            }
            together.push(link.id.0);
            clicks += link.clicks;
        }
        if together.is_empty() { Ok(()) } else { self.portion(&links, &together).await }
    }

    /// Reads the clicks on a link that may have many.
    async fn long(&mut self, links: &Links, link: LinkId) -> Result<(), ApiError> {
        let mut pages = Pages { db: self.db, link: link.0, range: self.range, after: None };
        while let Some(read) = pages.next().await? {
            for block in &read {
                self.block(links, link.0, blocks::clicks(&block.bytes)?)?;
            }
            self.must_not_read_more()?;
        }
        let (mut start, to) = self.range;
        while start < to {
            let next = scan_repo::time_after(self.db, link.0, (start, to), PORTION).await?;
            // All those of one millisecond are read together.
            let end = next.map_or(to, |next| next.max(start + 1));
            self.rows(links, &[link.0], (start, end)).await?;
            start = end;
        }
        Ok(())
    }

    async fn portion(&mut self, links: &Links, together: &[Uuid]) -> Result<(), ApiError> {
        let (db, range) = (self.db, self.range);
        blocks::blocks_within(db, together, range, &mut |link, block| self.block(links, link, block)).await?;
        self.rows(links, together, range).await
    }

    async fn rows(
        &mut self,
        links: &Links,
        together: &[Uuid],
        range: (UnixMillis, UnixMillis),
    ) -> Result<(), ApiError> {
        let conditions = &self.question.conditions;
        let (clicks, read) = scan_repo::clicks(self.db, together, range, conditions, self.shown).await?;
        self.read.clicks += read;
        self.must_not_read_more()?;
        for row in clicks.rows()? {
            let click = ScannedClick::read(row)?;
            if click.keeps(conditions) {
                (self.show)(links, click);
            }
        }
        Ok(())
    }

    /// Shows the clicks of a block that keep the conditions.
    fn block(&mut self, links: &Links, link: Uuid, mut block: Block<'_>) -> Result<(), DbErr> {
        let conditions = &self.question.conditions;
        let mut keeps: HashMap<(usize, usize), bool, RandomState> = HashMap::default();
        while let Some(click) = block.next() {
            let click = click.map_err(unreadable)?;
            if !(self.range.0..self.range.1).contains(&click.clicked_at) {
                continue;
            }
            self.read.clicks += 1;
            let click = ScannedClick::of(&click, link);
            if click.passes(conditions)
                && *keeps.entry(block.origin_and_way()).or_insert_with(|| click.keeps(conditions))
            {
                (self.show)(links, click);
            }
        }
        Ok(())
    }

    fn must_not_read_more(&self) -> Result<(), ApiError> {
        match self.read.clicks > self.question.max_clicks {
            true => Err(too_large(None, self.question.max_clicks)),
            false => Ok(()),
        }
    }
}
