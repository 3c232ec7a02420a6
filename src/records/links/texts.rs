//! Texts of links: titles, notes, and ids of other systems.

use entity::link;

use crate::base::{
    error::Violations,
    patch::Patch,
    validate::{check_length, check_line, check_text},
};

/// Longest title, in characters.
pub(crate) const MAX_TITLE: i32 = 200;
/// Longest notes, in characters: with all other fields of a link and of a click they fit into an event.
pub(crate) const MAX_NOTES: i32 = 1_000;
/// Longest id of another system, in characters.
pub(crate) const MAX_EXTERNAL_ID: i32 = 128;

/// The texts of a link, as a request sets them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Texts {
    /// One line that names it.
    pub(crate) title: Patch<String>,
    /// Text for people.
    pub(crate) notes: Patch<String>,
    /// The link's id in another system.
    pub(crate) external_id: Patch<String>,
}

impl Texts {
    /// Notes texts that break a rule.
    pub(crate) fn check(&self, violations: &mut Violations) {
        let mut line = |path: &str, text: &Patch<String>, max: i32| {
            if let Some(Some(text)) = text {
                violations.take(path, check_length(text, 1, max).and_then(|()| Ok(check_line(text)?)));
            }
        };
        line("title", &self.title, MAX_TITLE);
        line("externalId", &self.external_id, MAX_EXTERNAL_ID);
        if let Some(Some(notes)) = &self.notes {
            violations.take("notes", check_length(notes, 1, MAX_NOTES).and_then(|()| Ok(check_text(notes)?)));
        }
    }

    /// Writes the texts into a link's row.
    pub(crate) fn write_into(&self, link: &mut link::Model) {
        let Texts { title, notes, external_id } = self.clone();
        link.title = title.unwrap_or(link.title.take());
        link.notes = notes.unwrap_or(link.notes.take());
        link.external_id = external_id.unwrap_or(link.external_id.take());
    }
}

/// Title, notes, and a slug beyond ASCII, of whose letters databases ignore no case, as searches compare them: in lower case. `None`: the
/// link has none of them.
pub(crate) fn search_text(link: &link::Model) -> Option<String> {
    let slug = Some(&link.slug).filter(|slug| !slug.is_ascii());
    let texts = [link.title.as_ref(), link.notes.as_ref(), slug].into_iter().flatten();
    let texts: Vec<String> = texts.map(|text| text.to_lowercase()).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}
