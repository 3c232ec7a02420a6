//! Blocks of links: what lists filter by, in three parts that are read apart.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    indexed::Indexed,
    limits::{BLOCK, BLOCK_TEXTS},
    places::Places,
    texts,
};
use crate::{
    base::clock::UnixMillis,
    records::links::{list_repo::LinkFilter, state::LinkState},
};

/// Numbers of the parts.
pub(crate) const FACTS: i32 = 0;
pub(crate) const IDS: i32 = 1;
pub(crate) const TEXTS: i32 = 2;

/// The part without texts and ids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Facts {
    /// Number of the block's links.
    pub(crate) links: usize,
    active: Places,
    archived: Places,
    used_up: Places,
    blocked: Places,
    starts: Vec<(usize, UnixMillis)>,
    expires: Vec<(usize, UnixMillis)>,
    tags: Vec<([u8; 16], Vec<usize>)>,
}

impl Facts {
    fn of(links: &[Indexed]) -> Self {
        let where_is = |is: fn(&Indexed) -> bool| -> Places {
            links.iter().enumerate().filter(|(_, link)| is(link)).map(|(place, _)| place).collect()
        };
        let times = |time: fn(&Indexed) -> Option<UnixMillis>| {
            links.iter().enumerate().filter_map(|(place, link)| Some((place, time(link)?))).collect()
        };
        let tagged = links.iter().enumerate().flat_map(|(place, link)| link.tags.iter().map(move |tag| (*tag, place)));
        let mut tagged: Vec<(Uuid, usize)> = tagged.collect();
        tagged.sort_unstable();
        let tags = tagged.chunk_by(|(one, _), (other, _)| one == other);
        Facts {
            links: links.len(),
            active: where_is(|link| link.is_active),
            archived: where_is(|link| link.is_archived),
            used_up: where_is(|link| link.is_used_up),
            blocked: where_is(|link| link.is_blocked),
            starts: times(|link| link.starts_at),
            expires: times(|link| link.expires_at),
            tags: tags.map(|of| (of[0].0.into_bytes(), of.iter().map(|(_, place)| *place).collect())).collect(),
        }
    }

    /// `None`: the part is damaged. Sizes that no block has would take the memory of the service.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let facts: Facts = postcard::from_bytes(bytes).ok()?;
        let timed = facts.starts.iter().chain(&facts.expires).map(|(place, _)| place);
        let mut places = timed.chain(facts.tags.iter().flat_map(|(_, places)| places));
        (facts.links <= 2 * BLOCK && places.all(|place| *place < facts.links)).then_some(facts)
    }

    /// The links that have one of these tags.
    pub(crate) fn tagged(&self, tags: &[Uuid]) -> Places {
        let places = tags.iter().filter_map(|tag| {
            let index = self.tags.binary_search_by(|(known, _)| known.cmp(tag.as_bytes())).ok()?;
            self.tags.get(index)
        });
        places.flat_map(|(_, places)| places.iter().copied()).collect()
    }

    /// The links that pass the filter, but for its words.
    pub(crate) fn passing(&self, filter: &LinkFilter) -> Places {
        let mut passing = Places::all(self.links);
        if let Some(is_archived) = filter.is_archived {
            passing.keep(&self.archived, is_archived);
        }
        if let Some(is_active) = filter.is_active {
            passing.keep(&self.active, is_active);
        }
        for tag in &filter.tags {
            passing.keep(&self.tagged(&[*tag]), true);
        }
        if let Some((state, now)) = filter.state {
            self.keep_state(&mut passing, state, now);
        }
        passing
    }

    /// [`LinkState::of`] for all links at once.
    fn keep_state(&self, passing: &mut Places, state: LinkState, now: UnixMillis) {
        let mut inactive = Places::all(self.links);
        inactive.keep(&self.active, false);
        let scheduled = self.starts.iter().filter(|(_, at)| now < *at).map(|(place, _)| *place).collect();
        let expired = self.expires.iter().filter(|(_, at)| now >= *at).map(|(place, _)| *place).collect();
        for (earlier, links) in [
            (LinkState::Blocked, &self.blocked),
            (LinkState::Inactive, &inactive),
            (LinkState::Scheduled, &scheduled),
            (LinkState::Expired, &expired),
            (LinkState::UsedUp, &self.used_up),
        ] {
            passing.keep(links, earlier == state);
            if earlier == state {
                return;
            }
        }
    }
}

/// Divides links into blocks. As many as half a block more stay together, so that a block that grows is seldom divided.
pub(crate) fn blocks(links: &[Indexed]) -> Vec<&[Indexed]> {
    let bytes = |link: &Indexed| link.texts.iter().map(String::len).sum::<usize>();
    if links.len() <= BLOCK + BLOCK / 2 && links.iter().map(bytes).sum::<usize>() <= BLOCK_TEXTS {
        return vec![links];
    }
    let (mut blocks, mut from, mut size) = (Vec::new(), 0, 0);
    for (place, link) in links.iter().enumerate() {
        if place > from && (place - from >= BLOCK || size + bytes(link) > BLOCK_TEXTS) {
            blocks.push(&links[from..place]);
            (from, size) = (place, 0);
        }
        size += bytes(link);
    }
    blocks.push(&links[from..]);
    blocks
}

/// The parts of a block, each with its number.
pub(crate) fn parts(links: &[Indexed]) -> Result<[(i32, Vec<u8>); 3], postcard::Error> {
    let ids = links.iter().flat_map(|link| link.id.into_bytes()).collect();
    Ok([(FACTS, postcard::to_allocvec(&Facts::of(links))?), (IDS, ids), (TEXTS, texts::written(links))])
}

/// The ids of a block's links, in their order.
pub(crate) fn ids(part: &[u8]) -> Vec<Uuid> {
    part.chunks_exact(16).filter_map(|id| Uuid::from_slice(id).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(number: u128) -> Indexed {
        Indexed { id: Uuid::from_u128(number), ..Indexed::default() }
    }

    #[test]
    fn blocks_have_so_many_links_and_bytes() {
        let lengths = |links: &[Indexed]| blocks(links).iter().map(|block| block.len()).collect::<Vec<_>>();
        let links: Vec<Indexed> = (0..5_000).map(link).collect();
        assert_eq!(lengths(&[]), [0]);
        assert_eq!(lengths(&links[..3_072]), [3_072]);
        assert_eq!(lengths(&links[..3_073]), [2_048, 1_025]);
        assert_eq!(lengths(&links), [2_048, 2_048, 904]);
        let long =
            |number| Indexed { texts: ["x".repeat(BLOCK_TEXTS / 2), String::new(), String::new()], ..link(number) };
        assert_eq!(lengths(&(0..5).map(long).collect::<Vec<_>>()), [2, 2, 1]);
    }

    #[test]
    fn facts_tell_state_tags_and_archive() {
        let now = 100;
        let tag = Uuid::from_u128(7);
        let links = [
            Indexed { is_active: true, tags: vec![tag], ..link(0) },
            Indexed { is_active: false, expires_at: Some(1), ..link(1) },
            Indexed { is_active: true, starts_at: Some(101), tags: vec![tag, Uuid::from_u128(3)], ..link(2) },
            Indexed { is_active: true, starts_at: Some(100), expires_at: Some(100), is_used_up: true, ..link(3) },
            Indexed { is_active: true, expires_at: Some(101), is_used_up: true, is_archived: true, ..link(4) },
            Indexed { is_blocked: true, tags: vec![tag], ..link(5) },
        ];
        let facts = Facts::of(&links);
        assert_eq!(Facts::read(&postcard::to_allocvec(&facts).unwrap()), Some(facts.clone()));
        for damaged in [
            Facts { links: usize::MAX, ..facts.clone() },
            Facts { expires: vec![(usize::MAX, 1)], ..facts.clone() },
            Facts { tags: vec![([0; 16], vec![6])], ..facts.clone() },
        ] {
            assert_eq!(Facts::read(&postcard::to_allocvec(&damaged).unwrap()), None);
        }
        let found = |filter: LinkFilter| facts.passing(&filter).iter().collect::<Vec<_>>();
        let in_state = |state| found(LinkFilter { state: Some((state, now)), ..LinkFilter::default() });
        assert_eq!(in_state(LinkState::Active), [0]);
        assert_eq!(in_state(LinkState::Inactive), [1]);
        assert_eq!(in_state(LinkState::Scheduled), [2]);
        assert_eq!(in_state(LinkState::Expired), [3]);
        assert_eq!(in_state(LinkState::UsedUp), [4]);
        assert_eq!(in_state(LinkState::Blocked), [5]);
        assert_eq!(found(LinkFilter::default()), [0, 1, 2, 3, 4, 5]);
        assert_eq!(found(LinkFilter { is_archived: Some(true), ..LinkFilter::default() }), [4]);
        assert_eq!(found(LinkFilter { is_active: Some(false), ..LinkFilter::default() }), [1, 5]);
        assert_eq!(found(LinkFilter { tags: vec![tag], is_active: Some(true), ..LinkFilter::default() }), [0, 2]);
        assert_eq!(facts.tagged(&[Uuid::from_u128(3), Uuid::from_u128(9)]).iter().collect::<Vec<_>>(), [2]);
    }
}
