//! Counts clicks that were read one by one by the values of a dimension. Pure.

use std::collections::{HashMap, HashSet};

use foldhash::fast::RandomState;

use super::{condition::ClickDimension, question::LinkFacts, rows::ScannedClick, scan::Links, summary::day};
use crate::clicks::day_document::{Counts, cut};

/// Most values that are counted for one answer.
pub(crate) const MAX_VALUES: usize = 100_000;

/// A value, or `None` for clicks without one, with the clicks that have it.
pub(crate) type ValueCounts = (Option<Box<str>>, Counts);

/// Clicks and visitors by value.
#[derive(Debug)]
pub(crate) struct Breakdown {
    dimension: ClickDimension,
    /// In lower case; empty: all values are counted.
    search: String,
    own_host: String,
    /// Places in `counts`.
    places: HashMap<Option<Box<str>>, u32, RandomState>,
    counts: Vec<ValueCounts>,
    /// Most visitors that are told apart, those of each value and day.
    max_visitors: usize,
    /// Visitors of each value and UTC day.
    visitors: HashSet<(u32, i64, u128), RandomState>,
}

impl Breakdown {
    /// Counts by this dimension, and only values that contain the text, in any case.
    pub(crate) fn new(dimension: ClickDimension, search: &str, own_host: &str, max_visitors: usize) -> Self {
        Breakdown {
            dimension,
            search: search.to_lowercase(),
            own_host: own_host.to_owned(),
            places: HashMap::default(),
            counts: Vec::new(),
            max_visitors,
            visitors: HashSet::default(),
        }
    }

    pub(crate) fn add(&mut self, links: &Links, click: &ScannedClick<'_>) {
        // The bound of clicks alone would not bound visitors: a click on a link with many tags counts for each.
        if self.is_full() {
            return;
        }
        match (self.dimension, links.get(&click.link)) {
            (ClickDimension::Tag, Some(link)) if !link.tags.is_empty() => {
                link.tags.iter().for_each(|tag| self.count(Some(tag), click));
            }
            (ClickDimension::Link, Some(link)) => {
                if self.is_searched(&self.short(link)) {
                    self.count_value(Some(&link.id.0.to_string()), click);
                }
            }
            (ClickDimension::Domain, Some(link)) => {
                let own_host = self.own_host.clone();
                self.count(Some(link.host_or(&own_host)), click);
            }
            _ => self.count(value(self.dimension, click), click),
        }
    }

    /// Whether there are more values, or more visitors of values, than are counted: the counts are then not complete.
    pub(crate) fn is_full(&self) -> bool {
        self.counts.len() > MAX_VALUES || self.visitors.len() > self.max_visitors
    }

    /// The values, those with the most clicks first; without those that only bots have, unless they count.
    pub(crate) fn finish(self, with_bots: bool) -> Vec<ValueCounts> {
        let clicks = |counts: &Counts| counts.clicks - if with_bots { 0 } else { counts.bots };
        let mut counts = self.counts;
        counts.retain(|(_, counts)| clicks(counts) > 0);
        counts.sort_unstable_by(|a, b| clicks(&b.1).cmp(&clicks(&a.1)).then_with(|| a.0.cmp(&b.0)));
        counts
    }

    /// Host and slug of a link: what is searched in place of its id.
    fn short(&self, link: &LinkFacts) -> String {
        if self.search.is_empty() {
            return String::new();
        }
        format!("{}/{}", link.host_or(&self.own_host), link.slug)
    }

    fn is_searched(&self, value: &str) -> bool {
        self.search.is_empty() || value.to_lowercase().contains(&self.search)
    }

    fn count(&mut self, value: Option<&str>, click: &ScannedClick<'_>) {
        if value.map_or(self.search.is_empty(), |value| self.is_searched(value)) {
            self.count_value(value, click);
        }
    }

    fn count_value(&mut self, value: Option<&str>, click: &ScannedClick<'_>) {
        let next = u32::try_from(self.counts.len()).unwrap_or(u32::MAX);
        let place = *self.places.entry(value.map(Box::from)).or_insert(next);
        if place == next {
            self.counts.push((value.map(Box::from), Counts::default()));
        }
        let is_new = self.visitors.insert((place, day(click.clicked_at), click.visitor));
        if let Some((_, counts)) = self.counts.get_mut(place as usize) {
            *counts += Counts::one(click.is_bot, is_new);
        }
    }
}

/// The value of a click, as summaries count it. `None`: it is not known, or the dimension is one of links.
fn value<'a>(dimension: ClickDimension, click: &ScannedClick<'a>) -> Option<&'a str> {
    let value = match dimension {
        ClickDimension::Source => click.source().0,
        ClickDimension::Channel => Some(click.source().1.name()),
        dimension => click.value(dimension),
    };
    value.map(cut)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{
        base::{clock::DAY, ids::LinkId},
        clicks::day_document::COLUMNS,
    };

    fn click(link: Uuid, clicked_at: i64, visitor: u128, country: Option<&'static str>) -> ScannedClick<'static> {
        let mut columns = [None; COLUMNS];
        columns[0] = country;
        let is_bot = ScannedClick::is_bots(visitor);
        ScannedClick { clicked_at, id: Uuid::nil(), link, visitor, is_bot, columns, utm_term: None, utm_content: None }
    }

    fn counted_by(dimension: ClickDimension, search: &str, with_bots: bool) -> Vec<(Option<String>, u64, u64)> {
        let link = |number, host: &str, slug: &str, tags: &[&str]| LinkFacts {
            id: LinkId(Uuid::from_u128(number)),
            host: host.to_owned(),
            slug: slug.to_owned(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            clicks: 9,
            expired: 0,
        };
        let links = [link(1, "", "Spring", &["sale", "new"]), link(2, "go.example.com", "docs", &[])];
        let ids = links.each_ref().map(|link| link.id.0);
        let links: Links = links.into_iter().map(|link| (link.id.0, link)).collect();
        let mut breakdown = Breakdown::new(dimension, search, "localhost", 5);
        for click in [
            click(ids[0], 5, 2, Some("CH")),
            click(ids[0], 6, 2, Some("CH")),
            click(ids[1], 5 + DAY, 2, Some("CH")),
            click(ids[1], 7, 4, Some("DE")),
            click(ids[1], 8, 3, None),
        ] {
            breakdown.add(&links, &click);
        }
        let counts = breakdown.finish(with_bots).into_iter();
        counts.map(|(value, counts)| (value.map(String::from), counts.clicks, counts.visitors)).collect()
    }

    #[test]
    fn values_have_clicks_and_visitors() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            counted_by(ClickDimension::Country, "", true),
            [(some("CH"), 3, 2), (None, 1, 1), (some("DE"), 1, 1)]
        );
        assert_eq!(counted_by(ClickDimension::Country, "", false), [(some("CH"), 3, 2), (some("DE"), 1, 1)]);
        assert_eq!(counted_by(ClickDimension::Country, "d", true), [(some("DE"), 1, 1)]);
        assert_eq!(
            counted_by(ClickDimension::Tag, "", true),
            [(None, 3, 3), (some("new"), 2, 1), (some("sale"), 2, 1)]
        );
        assert_eq!(
            counted_by(ClickDimension::Domain, "", true),
            [(some("go.example.com"), 3, 3), (some("localhost"), 2, 1)]
        );
        let first = Uuid::from_u128(1).to_string();
        assert_eq!(counted_by(ClickDimension::Link, "HOST/spr", true), [(Some(first), 2, 1)]);
        assert_eq!(counted_by(ClickDimension::Link, "", true).len(), 2);
    }

    #[test]
    fn many_tags_of_many_visitors_take_bounded_space() {
        let tags = (0..20).map(|number| format!("tag-{number}")).collect();
        let (id, host, slug) = (LinkId(Uuid::nil()), String::new(), String::new());
        let links = Links::from([(Uuid::nil(), LinkFacts { id, host, slug, tags, clicks: 0, expired: 0 })]);
        let mut breakdown = Breakdown::new(ClickDimension::Tag, "", "localhost", 100);
        for visitor in 0..50 {
            assert_eq!(breakdown.is_full(), visitor > 5, "{visitor}");
            breakdown.add(&links, &click(Uuid::nil(), 5, visitor, None));
        }
        assert_eq!(breakdown.visitors.len(), 6 * 20);
    }
}
