//! Texts of links: titles, notes, and ids of other systems.

use entity::link;

use crate::{
    base::{
        error::Violations,
        validate::{check_line, check_text, length_message, within},
    },
    records::links::state::LinkField,
};

/// Longest title, in characters.
pub(crate) const MAX_TITLE: i32 = 200;
/// Longest notes, in characters: with all other fields of a link and of a click they fit into an event.
pub(crate) const MAX_NOTES: i32 = 1_000;
/// Longest id of another system, in characters.
pub(crate) const MAX_EXTERNAL_ID: i32 = 128;

/// The texts of a link, as a request sets them. `None`: the request does not set the field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    /// One line that names it.
    pub(crate) title: Option<String>,
    /// Text for people.
    pub(crate) notes: Option<String>,
    /// The link's id in another system.
    pub(crate) external_id: Option<String>,
}

impl Texts {
    /// The fields that the request sets.
    pub(crate) fn fields(&self) -> impl Iterator<Item = LinkField> {
        [
            (LinkField::Title, self.title.is_some()),
            (LinkField::Notes, self.notes.is_some()),
            (LinkField::ExternalId, self.external_id.is_some()),
        ]
        .into_iter()
        .filter_map(|(field, is_set)| is_set.then_some(field))
    }

    /// Notes texts that break a rule.
    pub(crate) fn check(&self, violations: &mut Violations) {
        let mut line = |path: &str, text: &Option<String>, max: i32| {
            if let Some(text) = text {
                violations.take(path, check_length(text, 1, max).and_then(|()| Ok(check_line(text)?)));
            }
        };
        line("title", &self.title, MAX_TITLE);
        line("externalId", &self.external_id, MAX_EXTERNAL_ID);
        if let Some(notes) = &self.notes {
            violations.take("notes", check_length(notes, 1, MAX_NOTES).and_then(|()| Ok(check_text(notes)?)));
        }
    }
}

fn check_length(text: &str, min: i32, max: i32) -> Result<(), String> {
    if within(text, min, max) { Ok(()) } else { Err(length_message(min, max)) }
}

/// Title and notes as searches compare them: in lower case. `None`: the link has neither.
pub(crate) fn search_text(link: &link::Model) -> Option<String> {
    let texts: Vec<String> = [&link.title, &link.notes].into_iter().flatten().map(|text| text.to_lowercase()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
