//! GraphQL types of links' cards.

use async_graphql::{InputObject, SimpleObject};
use serde::{Deserialize, Serialize};

use crate::{
    base::validate::MAX_URL,
    graphql::directives::{Format, example, format, length},
    records::links::card::{MAX_CARD_DESCRIPTION, MAX_CARD_TITLE},
    redirect::card::Card,
};

/// Card of a link: messengers and social networks show it in place of the destination's page.
#[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LinkCard {
    /// Its title.
    #[graphql(directive = example::apply("Spring at Acme".into()))]
    pub(crate) title: String,
    /// Text below the title. Null: there is none.
    #[graphql(directive = example::apply("Tulips, narcissi and 20 % off until Easter.".into()))]
    pub(crate) description: Option<String>,
    /// URL of its image. Null: it has none.
    #[graphql(directive = example::apply("https://example.com/spring.jpg".into()))]
    pub(crate) image_url: Option<String>,
}

impl LinkCard {
    /// The card as it is stored. `None`: it is unreadable.
    pub(crate) fn of(stored: &str) -> Option<Self> {
        let Card { title, description, image_url } = Card::read(stored.as_bytes())?;
        Some(LinkCard { title, description, image_url })
    }
}

/// Card that a link gets: messengers and social networks show it in place of the destination's page.
#[derive(InputObject, Debug)]
pub(crate) struct LinkCardInput {
    /// One line, 1 to 200 characters.
    #[graphql(
        directive = length::apply(1, MAX_CARD_TITLE),
        directive = format::apply(Format::Line),
        directive = example::apply("Spring at Acme".into())
    )]
    pub(crate) title: String,
    /// Text below the title, 1 to 300 characters. Absent or null: none.
    #[graphql(
        directive = length::apply(1, MAX_CARD_DESCRIPTION),
        directive = format::apply(Format::Text),
        directive = example::apply("Tulips, narcissi and 20 % off until Easter.".into())
    )]
    pub(crate) description: Option<String>,
    /// URL of its image, http or https; messengers fetch it. 1,200 by 630 pixels suit all of them. Absent or null: none.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/spring.jpg".into())
    )]
    pub(crate) image_url: Option<String>,
}

impl From<LinkCardInput> for Card {
    fn from(LinkCardInput { title, description, image_url }: LinkCardInput) -> Self {
        Card { title, description, image_url }
    }
}
