//! Cards of links: what messengers and social networks show of a link in place of its destination's page.

use crate::{
    base::{
        error::Violations,
        validate::{check_destination_url, check_length, check_line, check_text},
    },
    redirect::card::Card,
};

/// Longest title, in characters: messengers cut longer ones.
pub(crate) const MAX_CARD_TITLE: i32 = 200;
/// Longest description, in characters: messengers cut longer ones, and redirect caches keep it with the link.
pub(crate) const MAX_CARD_DESCRIPTION: i32 = 300;

/// Notes parts that break a rule.
pub(crate) fn check(Card { title, description, image_url }: &Card, violations: &mut Violations) {
    violations.take("card.title", check_length(title, 1, MAX_CARD_TITLE).and_then(|()| Ok(check_line(title)?)));
    if let Some(text) = description {
        let checked = check_length(text, 1, MAX_CARD_DESCRIPTION).and_then(|()| Ok(check_text(text)?));
        violations.take("card.description", checked);
    }
    if let Some(url) = image_url {
        violations.take("card.imageUrl", check_destination_url(url));
    }
}

/// The text that is stored, with the image's URL as a browser writes it.
pub(crate) fn stored(mut card: Card) -> Option<String> {
    card.image_url = card.image_url.map(|url| check_destination_url(&url).map_or(url, String::from));
    card.stored()
}
