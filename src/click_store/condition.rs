//! Conditions on clicks. Pure.

use async_graphql::Enum;
use click_sources::Channel;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::clicks::day_document::MAX_CHARS;

/// A property of a click, or of its link, that a condition compares.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ClickDimension {
    /// The link that was followed, by its id.
    Link,
    /// The tags that the link has now, by name. Not known: it has none. An API key needs `links:read` to ask for it.
    Tag,
    /// The host of the link's short URL, such as `links.example.com`. An API key needs `links:read` to ask for it.
    Domain,
    /// `ClickEvent.country`, such as `CH`.
    Country,
    /// Region of the visitor, ISO 3166-2, such as `DE-BY`; not known unless the service has a file with cities.
    Region,
    /// City of the visitor: the code of its country, a colon and its name, in English, such as `DE:Munich`; not known unless the service
    /// has a file with cities.
    City,
    /// `ClickEvent.language`, such as `de-ch`.
    Language,
    /// `ClickEvent.source`, such as `Google`.
    Source,
    /// `ClickEvent.channel`, such as `SEARCH`.
    Channel,
    /// `ClickEvent.referrerHost`, such as `news.example.org`.
    Referrer,
    /// `ClickEvent.browser`, such as `Firefox`.
    Browser,
    /// `ClickEvent.os`, such as `Linux`.
    Os,
    /// `ClickEvent.device`, such as `mobile`.
    Device,
    /// `ClickEvent.utmSource`.
    UtmSource,
    /// `ClickEvent.utmMedium`.
    UtmMedium,
    /// `ClickEvent.utmCampaign`.
    UtmCampaign,
    /// `ClickEvent.utmTerm`.
    UtmTerm,
    /// `ClickEvent.utmContent`.
    UtmContent,
    /// `ClickEvent.trigger`, such as `QR`.
    Trigger,
    /// `ClickEvent.destination`, such as `0`: numbers of destinations mean something on one link alone.
    Destination,
    /// `ClickEvent.isBot`: `true` or `false`.
    IsBot,
}

impl ClickDimension {
    /// Whether it is a property of the link, and the same for all of its clicks.
    pub(crate) const fn is_of_link(self) -> bool {
        matches!(self, ClickDimension::Link | ClickDimension::Tag | ClickDimension::Domain)
    }

    /// Whether its values tell more of links than who reads analytics knows: their ids.
    pub(crate) const fn tells_of_links(self) -> bool {
        matches!(self, ClickDimension::Tag | ClickDimension::Domain)
    }
}

/// How the values of a condition are compared.
#[derive(Enum, Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum ConditionOperator {
    /// The click has one of the values.
    #[default]
    Is,
    /// The click has none of the values.
    IsNot,
    /// The click's value has one of these texts in it; upper and lower case of `A` to `Z` are the same. Not for `LINK` and `IS_BOT`.
    Contains,
}

/// Values of [`ClickDimension::Trigger`].
const TRIGGERS: [&str; 4] = ["LINK", "QR", "CARD", "APP"];

/// One condition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Condition {
    pub(crate) dimension: ClickDimension,
    pub(crate) operator: ConditionOperator,
    /// Alternatives. `None`: not known. Those of `CONTAINS` are in lower case, as far as ASCII goes.
    pub(crate) values: Vec<Option<String>>,
}

impl Condition {
    /// Checks the values; `refuse` is told the place of each that the condition can't have, and why.
    pub(crate) fn new(
        dimension: ClickDimension,
        operator: ConditionOperator,
        mut values: Vec<Option<String>>,
        mut refuse: impl FnMut(usize, String),
    ) -> Self {
        for (place, value) in values.iter_mut().enumerate() {
            match (operator, value) {
                (ConditionOperator::Contains, Some(text)) => text.make_ascii_lowercase(),
                (ConditionOperator::Contains, None) => refuse(place, "must not be null with CONTAINS".to_owned()),
                (_, Some(text)) => {
                    if let Err(reason) = check(dimension, text) {
                        refuse(place, reason);
                    }
                }
                (_, None) => {}
            }
        }
        Condition { dimension, operator, values }
    }

    /// Whether texts can be searched in the values of the dimension.
    pub(crate) fn is_possible(&self) -> bool {
        let is_text = !matches!(self.dimension, ClickDimension::Link | ClickDimension::IsBot);
        is_text || self.operator != ConditionOperator::Contains
    }

    /// Whether values are compared as lists cut them: one of its own is as long.
    pub(crate) fn is_of_cut_values(&self) -> bool {
        let is_cut = |text: &String| text.chars().count() >= MAX_CHARS;
        self.operator != ConditionOperator::Contains && self.values.iter().flatten().any(is_cut)
    }

    /// Whether it holds where the dimension has these values: none if it is not known, and several of tags.
    pub(crate) fn holds<'a>(&self, values: impl IntoIterator<Item = &'a str>) -> bool {
        let (mut is_known, mut is_met) = (false, false);
        for value in values {
            is_known = true;
            is_met |= match self.operator {
                ConditionOperator::Contains => {
                    let value = value.to_ascii_lowercase();
                    self.values.iter().flatten().any(|text| value.contains(&**text))
                }
                _ => self.values.iter().flatten().any(|text| text == value),
            };
        }
        is_met |= !is_known && self.values.contains(&None);
        is_met != (self.operator == ConditionOperator::IsNot)
    }
}

fn check(dimension: ClickDimension, text: &mut String) -> Result<(), String> {
    let among = |values: &[&str]| match values.contains(&&**text) {
        true => Ok(()),
        false => Err(format!("must be one of {}", values.join(", "))),
    };
    match dimension {
        ClickDimension::Link => {
            let id: Uuid = text.parse().map_err(|_| "must be the id of a link")?;
            *text = id.to_string();
            Ok(())
        }
        ClickDimension::Trigger => among(&TRIGGERS),
        ClickDimension::Channel => among(&Channel::ALL.map(Channel::name)),
        ClickDimension::IsBot => among(&["true", "false"]),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(operator: ConditionOperator, values: &[Option<&str>]) -> Condition {
        let values = values.iter().map(|value| value.map(str::to_owned)).collect();
        Condition::new(ClickDimension::Tag, operator, values, |place, reason| panic!("{place}: {reason}"))
    }

    #[test]
    fn alternatives_and_what_is_not_known() {
        use ConditionOperator::{Contains, Is, IsNot};
        for (operator, values, tags, holds) in [
            (Is, &[Some("a"), Some("b")][..], &["b"][..], true),
            (Is, &[Some("a")], &["b", "c"], false),
            (Is, &[Some("a")], &[], false),
            (Is, &[Some("a"), None], &[], true),
            (Is, &[None], &["a"], false),
            (IsNot, &[Some("a")], &["b", "a"], false),
            (IsNot, &[Some("a")], &[], true),
            (IsNot, &[None], &[], false),
            (IsNot, &[None], &["a"], true),
            (Contains, &[Some("SPRING"), Some("x")], &["Early spring"], true),
            (Contains, &[Some("spring")], &["SPRIN", "g"], false),
            (Contains, &[Some("spring")], &[], false),
        ] {
            let condition = condition(operator, values);
            assert_eq!(condition.holds(tags.iter().copied()), holds, "{condition:?}, {tags:?}");
        }
    }

    #[test]
    fn impossible_values_are_refused_by_their_place() {
        use ClickDimension::{Channel, IsBot, Link, Trigger};
        let id = "019AA1C2-8E4B-7D02-B7A4-5D1C2E3F4A5B";
        for (dimension, operator, values, refused) in [
            (Link, ConditionOperator::Is, [Some(id), Some("7")], vec![1]),
            (Trigger, ConditionOperator::Is, [Some("QR"), None], vec![]),
            (Trigger, ConditionOperator::IsNot, [Some("qr"), None], vec![0]),
            (Channel, ConditionOperator::Is, [Some("SEARCH"), Some("TV")], vec![1]),
            (Channel, ConditionOperator::Contains, [Some("SEAR"), None], vec![1]),
            (IsBot, ConditionOperator::Is, [Some("yes"), Some("true")], vec![0]),
        ] {
            let mut places = Vec::new();
            let values = values.map(|value| value.map(str::to_owned)).to_vec();
            let condition = Condition::new(dimension, operator, values, |place, _| places.push(place));
            assert_eq!(places, refused, "{condition:?}");
            assert!(condition.is_possible());
        }
        assert!(
            !Condition::new(IsBot, ConditionOperator::Contains, vec![Some("t".to_owned())], |_, _| {}).is_possible()
        );
    }
}
