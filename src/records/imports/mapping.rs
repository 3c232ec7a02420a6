//! What is stored of an import's columns and dates.

use entity::import;
use link_files::{ColumnChoice, DateOrder, Field, Hints, Layout, Source};

/// Longest name of a column that is stored, in characters: the event at the import's end has all of them.
const MAX_SHOWN: usize = 60;
/// Columns with a field that are stored: all fields, and those that a known service has twice.
pub(crate) const MAX_KEPT: i32 = 40;

/// The caller's choices as they are stored. `None`: there are none.
pub(crate) fn stored(choices: &[ColumnChoice]) -> Option<String> {
    let pairs = choices.iter().map(|choice| (choice.column.as_str(), choice.field.map(Field::id)));
    Some(pairs.collect::<Vec<_>>())
        .filter(|pairs| !pairs.is_empty())
        .and_then(|pairs| serde_json::to_string(&pairs).ok())
}

/// What is known of the import's file.
pub(crate) fn hints(import: &import::Model) -> Hints {
    let pairs: Vec<(String, Option<String>)> =
        import.mapping.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let choice = |(column, field): (String, Option<String>)| ColumnChoice {
        column,
        field: field.as_deref().and_then(Field::parse),
    };
    Hints {
        source: import.source.as_deref().and_then(Source::parse),
        columns: pairs.into_iter().map(choice).collect(),
        dates: import.date_format.as_deref().and_then(DateOrder::parse),
    }
}

/// The columns that are kept, as they are stored.
pub(crate) fn found(layout: &Layout) -> Option<String> {
    let kept = layout.columns().filter_map(|(name, field)| Some((shown(name, MAX_SHOWN), field?.id())));
    serde_json::to_string(&kept.take(MAX_KEPT.unsigned_abs() as usize).collect::<Vec<_>>()).ok()
}

/// The columns that are kept, with their fields. `None`: they are not found out.
pub(crate) fn kept(import: &import::Model) -> Option<Vec<(String, Field)>> {
    let pairs: Vec<(String, String)> = serde_json::from_str(import.columns.as_deref()?).ok()?;
    Some(pairs.into_iter().filter_map(|(name, field)| Some((name, Field::parse(&field)?))).collect())
}

/// A text of a file on one line, cut to so many characters.
pub(crate) fn shown(text: &str, length: usize) -> String {
    let printed = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    printed.take(length).collect()
}
