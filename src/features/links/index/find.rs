//! Finds the links of a list in the account's index.

use std::{ops::Range, sync::Arc};

use uuid::Uuid;

use crate::{
    app::App,
    base::{error::ApiError, ids::AccountId, page::PageArgs},
    records::links::{
        index::{
            block::{FACTS, Facts, IDS, TEXTS, ids},
            directory::{Directory, Entry},
            limits::{INDEXED_FROM, MOST_CHANGES, are_many},
            places::Places,
            repo::{self, Known},
            texts::{Pattern, Texts},
        },
        list_repo::{self, LinkFilter},
    },
};

/// Blocks that are looked at before other requests get their turn, and whose parts are read by one statement.
const BLOCKS_AT_ONCE: usize = 8;

/// The links of a list: those of each range of ids.
pub(crate) struct Found {
    ranges: Vec<FoundRange>,
}

/// Links that pass, of one range.
struct FoundRange {
    block: Uuid,
    /// Those that have not changed since, by their places in the block.
    places: Places,
    /// Those that have, in the order of their ids.
    changed: Vec<Uuid>,
}

impl FoundRange {
    fn len(&self) -> usize {
        self.places.len() + self.changed.len()
    }
}

impl Found {
    /// Number of the links.
    pub(crate) fn total(&self) -> i64 {
        i64::try_from(self.ranges.iter().map(FoundRange::len).sum::<usize>()).unwrap_or(i64::MAX)
    }

    /// Ids of the links on a page, the newest first or the oldest. `None`: the index was changed meanwhile.
    pub(crate) async fn page(
        &self,
        app: &App,
        page: PageArgs,
        is_newest_first: bool,
    ) -> Result<Option<Vec<Uuid>>, ApiError> {
        let from = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let to = from.saturating_add(usize::try_from(page.limit()).unwrap_or(usize::MAX));
        self.ids(app, from..to, is_newest_first).await
    }

    /// Ids of all links, in no order. `None`: the index was changed meanwhile.
    pub(crate) async fn all(&self, app: &App) -> Result<Option<Vec<Uuid>>, ApiError> {
        self.ids(app, 0..usize::MAX, true).await
    }

    async fn ids(&self, app: &App, wanted: Range<usize>, is_newest_first: bool) -> Result<Option<Vec<Uuid>>, ApiError> {
        let mut found = Vec::new();
        let mut passed = 0;
        for number in 0..self.ranges.len() {
            let range = &self.ranges[if is_newest_first { self.ranges.len() - 1 - number } else { number }];
            let (begin, length) = (passed, range.len());
            passed += length;
            if passed <= wanted.start || length == 0 {
                continue;
            }
            if begin >= wanted.end {
                break;
            }
            let Some(part) = parts(app, IDS, &[range.block]).await?.and_then(|mut parts| parts.pop()) else {
                return Ok(None);
            };
            let known = ids(&part);
            let mut links: Vec<Uuid> = range.places.iter().filter_map(|place| known.get(place).copied()).collect();
            links.extend(&range.changed);
            links.sort_unstable();
            if is_newest_first {
                links.reverse();
            }
            let skipped = wanted.start.saturating_sub(begin);
            found.extend(links.into_iter().skip(skipped).take(wanted.len() - found.len()));
        }
        Ok(Some(found))
    }
}

/// The account's links that pass the filter, by its index. `None`: it has none that can tell, and has one made or brought up to date if that
/// is worth it.
pub(crate) async fn find(app: &App, account: AccountId, filter: &LinkFilter) -> Result<Option<Found>, ApiError> {
    let LinkFilter { words, host, created_from, created_to, destination_url, external_id, .. } = filter;
    // Indexes of `links` find these.
    if host.is_some()
        || created_from.is_some()
        || created_to.is_some()
        || destination_url.is_some()
        || external_id.is_some()
    {
        return Ok(None);
    }
    let Some(patterns) = words.iter().map(|word| Pattern::new(&word.text)).collect::<Option<Vec<_>>>() else {
        return Ok(None);
    };
    let Some(Known { link_count, directory, changed }) = repo::known(app.db.read(), account).await? else {
        return Ok(None);
    };
    let directory = directory.as_deref().and_then(Directory::read);
    let changed = changed_links(&changed.unwrap_or_default());
    let is_whole = directory.as_ref().is_some_and(|directory| directory.missing().is_none());
    let blocks = directory.as_ref().map_or(0, |directory| directory.entries().len());
    if are_many(changed.len(), blocks) || (!is_whole && link_count >= INDEXED_FROM) {
        app.link_indexes.ask(account);
    }
    let Some(directory) = directory.filter(|_| is_whole && changed.len() <= MOST_CHANGES) else { return Ok(None) };
    let passing = list_repo::passing(&app.db.scans(), filter, &changed).await?;
    let mut ranges = Vec::with_capacity(directory.entries().len());
    for (number, entries) in directory.entries().chunks(BLOCKS_AT_ONCE).enumerate() {
        let first = number * BLOCKS_AT_ONCE;
        let among = |links: &[Uuid], index: usize| -> Vec<Uuid> {
            let from = links.partition_point(|link| *link < directory.entries()[index].first());
            let to = directory.end(index).map_or(links.len(), |end| links.partition_point(|link| *link < end));
            links[from..to].to_vec()
        };
        let changed: Vec<Vec<Uuid>> = (first..first + entries.len()).map(|index| among(&changed, index)).collect();
        let Some(places) = places(app, filter, &patterns, entries, &changed).await? else { return Ok(None) };
        for (index, (block, places)) in (first..).zip(places) {
            ranges.push(FoundRange { block, places, changed: among(&passing, index) });
        }
        tokio::task::yield_now().await;
    }
    Ok(Some(Found { ranges }))
}

/// The ids of changed links, in their order.
fn changed_links(hexadecimal: &str) -> Vec<Uuid> {
    let digits = hexadecimal.as_bytes().chunks_exact(32);
    let mut links: Vec<Uuid> = digits.filter_map(|digits| Uuid::try_parse_ascii(digits).ok()).collect();
    links.sort_unstable();
    links
}

/// Which links of each of these blocks pass, without those that have changed. `None`: a block is gone, or damaged.
async fn places(
    app: &App,
    filter: &LinkFilter,
    patterns: &[Pattern],
    entries: &[Entry],
    changed: &[Vec<Uuid>],
) -> Result<Option<Vec<(Uuid, Places)>>, ApiError> {
    let Some(blocks) = entries.iter().map(Entry::block).collect::<Option<Vec<Uuid>>>() else { return Ok(None) };
    let Some(facts) = parts(app, FACTS, &blocks).await? else { return Ok(None) };
    let Some(facts) = facts.iter().map(|part| Facts::read(part)).collect::<Option<Vec<_>>>() else { return Ok(None) };
    let mut passing: Vec<Places> = facts.iter().map(|facts| facts.passing(filter)).collect();
    if !patterns.is_empty() {
        let needed: Vec<usize> = (0..blocks.len()).filter(|index| !passing[*index].is_empty()).collect();
        let Some(texts) = parts(app, TEXTS, &needed.iter().map(|index| blocks[*index]).collect::<Vec<_>>()).await?
        else {
            return Ok(None);
        };
        for (index, part) in needed.into_iter().zip(texts) {
            let Some(texts) = Texts::read(&part) else { return Ok(None) };
            for (word, pattern) in filter.words.iter().zip(patterns) {
                let mut found = texts.having(pattern);
                found.add(&facts[index].tagged(&word.tags));
                passing[index].keep(&found, true);
                if passing[index].is_empty() {
                    break;
                }
            }
        }
    }
    for (index, changed) in changed.iter().enumerate().filter(|(_, changed)| !changed.is_empty()) {
        let Some(part) = parts(app, IDS, &blocks[index..=index]).await?.and_then(|mut parts| parts.pop()) else {
            return Ok(None);
        };
        let known = ids(&part);
        changed.iter().filter_map(|link| known.binary_search(link).ok()).for_each(|place| passing[index].remove(place));
    }
    Ok(Some(blocks.into_iter().zip(passing).collect()))
}

/// This part of each block, in the order of the blocks. `None`: a block is gone, since the index was changed meanwhile.
async fn parts(app: &App, part: i32, blocks: &[Uuid]) -> Result<Option<Vec<Arc<Vec<u8>>>>, ApiError> {
    let mut held: Vec<Option<Arc<Vec<u8>>>> =
        blocks.iter().map(|block| app.link_indexes.part((*block, part))).collect();
    let missing = blocks.iter().zip(&held).filter(|(_, held)| held.is_none()).map(|(block, _)| *block).collect();
    for (key, data) in repo::parts(&app.db.scans(), part, missing).await? {
        let data = Arc::new(data);
        app.link_indexes.hold(key, &data);
        if let Some(place) = blocks.iter().position(|block| *block == key.0) {
            held[place] = Some(data);
        }
    }
    Ok(held.into_iter().collect())
}
