//! Tables as people make them are read: `tests/data/tables/expected.json` says of each what it is, and which rows it has.

#![expect(clippy::unwrap_used, reason = "a failed test panics")]

use std::{fs, path::Path};

use link_files::{ColumnChoice, DateOrder, Field, Hints, Layout, Reader, Record, Row, Source, decode, format_time};
use serde_json::{Map, Value as Json, json};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tables")
}

/// What a link's row says, without what it does not.
fn said(row: &Row) -> Json {
    let mut said = Map::from_iter([("row".to_owned(), json!(row.number))]);
    match &row.link {
        Err(error) => said.extend([("error".to_owned(), json!(error.to_string()))]),
        Ok(link) => {
            let Record { destination_url, slug, host, title, notes, tags, .. } = link;
            let time = |time: Option<i64>| json!(time.map(format_time));
            let fields = [
                ("destinationUrl", json!(destination_url)),
                ("slug", json!(slug)),
                ("domain", json!(host)),
                ("title", json!(title)),
                ("notes", json!(notes)),
                ("tags", if tags.is_empty() { Json::Null } else { json!(tags) }),
                ("createdAt", time(link.created_at)),
                ("startsAt", time(link.starts_at)),
                ("expiresAt", time(link.expires_at)),
                ("maxClicks", json!(link.max_clicks)),
                ("clickCount", json!(link.clicks)),
                ("isActive", json!(link.is_active)),
                ("isArchived", json!(link.is_archived)),
                ("usedClicks", json!(link.used_clicks)),
                ("externalId", json!(link.external_id)),
                ("sourceId", json!(link.source_id)),
                ("forwardsQuery", json!(link.forwards_query)),
                ("expiredUrl", json!(link.expired_url)),
                ("hasPassword", if link.has_password { json!(true) } else { Json::Null }),
                ("asksFirst", json!(link.asks_first)),
                ("notice", json!(link.notice)),
                ("card.title", json!(link.card_title)),
                ("card.description", json!(link.card_description)),
                ("card.imageUrl", json!(link.card_image_url)),
                ("app.iosUri", json!(link.app_ios_uri)),
                ("app.iosStoreUrl", json!(link.app_ios_store_url)),
                ("app.androidUri", json!(link.app_android_uri)),
                ("app.androidPackage", json!(link.app_android_package)),
                ("app.data", json!(link.app_data)),
                ("rules", json!(link.rules)),
                ("split", json!(link.split)),
            ];
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            said.extend(fields.map(|(name, value)| (name.to_owned(), value)));
        }
    }
    Json::Object(said)
}

fn hints(case: &Json) -> Hints {
    let given = &case["hints"];
    let columns = given["columns"].as_object().into_iter().flatten();
    Hints {
        source: given["source"].as_str().map(|id| Source::parse(id).unwrap()),
        columns: columns
            .map(|(column, field)| ColumnChoice {
                column: column.clone(),
                field: field.as_str().map(|id| Field::parse(id).unwrap()),
            })
            .collect(),
        dates: given["dates"].as_str().map(|id| DateOrder::parse(id).unwrap()),
    }
}

#[test]
fn each_table_is_read_as_it_was_meant() {
    let expected: Vec<Json> =
        serde_json::from_str(&fs::read_to_string(folder().join("expected.json")).unwrap()).unwrap();
    let files = fs::read_dir(folder()).unwrap().count() - 1;
    assert_eq!((expected.len(), files), (40, 40));
    for case in &expected {
        let name = case["file"].as_str().unwrap();
        let file = fs::read(folder().join(name)).unwrap();
        let (text, encoding) = decode(&file, case["hints"]["encoding"].as_str()).unwrap();
        let hints = hints(case);
        let read = |hints: &Hints| {
            let mut reader = Reader::new(text.as_bytes(), hints).unwrap();
            let mut rows = Vec::new();
            while let Some(more) = reader.next_rows(1).unwrap() {
                rows.extend(more);
            }
            (rows, reader)
        };
        // The order of dates is known after all of them were seen.
        let (_, first) = read(&hints);
        let dates = first.dates();
        let (rows, reader) = read(&Hints { dates: hints.dates.or(dates.only()), ..hints.clone() });
        let layout = reader.layout();
        assert_eq!(json!(encoding), case["encoding"], "{name}");
        assert_eq!(json!(layout.source().id()), case["source"], "{name}");
        assert_eq!(json!(layout.has_header()), case["hasHeader"], "{name}");
        if hints.dates.is_none() {
            assert_eq!(json!(dates.only().map(DateOrder::id)), case["dates"], "{name}");
            assert_eq!(json!(dates.are_unsure()), case["isUnsure"], "{name}");
        }
        if let Some(columns) = case["columns"].as_object() {
            let found = layout.columns().map(|(name, field)| (name.to_owned(), json!(field.map(Field::id))));
            assert_eq!(&found.collect::<Map<_, _>>(), columns, "{name}");
        }
        assert_eq!(json!(rows.iter().map(said).collect::<Vec<_>>()), case["rows"], "{name}");
        // The first rows as they are shown have a value for each column.
        let values = layout.values(&text.as_bytes()[layout.first()..], 3, true);
        assert_eq!(values.len(), rows.len().min(3), "{name}");
        assert!(values.iter().all(|row| row.len() == layout.columns().count()), "{name}");
    }
}

/// However a table arrives in parts, the same rows are read.
#[test]
fn parts_of_tables_make_no_difference() {
    for name in ["03-no-header.csv", "05-unicode-text.txt", "19-unsure-dates.csv", "39-lines.jsonl"] {
        let file = fs::read(folder().join(name)).unwrap();
        let text = decode(&file, None).unwrap().0;
        let case = json!({ "hints": { "columns": if name.starts_with("39") { json!({ "to_url": "url" }) } else { json!({}) } } });
        let layout = Layout::open(text.as_bytes(), &hints(&case)).unwrap();
        let whole = layout.read(&text.as_bytes()[layout.first()..], 0, 100, true).unwrap();
        for length in 1..80 {
            let (mut part, mut given, mut found, mut is_end) = (Vec::new(), layout.first(), Vec::new(), false);
            let mut dates = link_files::DateOrders::default();
            while !is_end {
                let end = text.len().min(given + length);
                part.extend_from_slice(&text.as_bytes()[given..end]);
                given = end;
                let batch = layout.read(&part, found.len() as u64, 3, given == text.len()).unwrap();
                part.drain(..batch.used);
                dates = dates.and(batch.dates);
                found.extend(batch.rows);
                is_end = batch.is_end;
            }
            assert_eq!((&found, dates), (&whole.rows, whole.dates), "{name} by {length}");
        }
    }
}

#[test]
fn a_mapping_that_cant_be_followed_is_refused() {
    let refused = |columns: &[(&str, Option<Field>)]| {
        let choice =
            |(column, field): &(&str, Option<Field>)| ColumnChoice { column: (*column).to_owned(), field: *field };
        let hints = Hints { columns: columns.iter().map(choice).collect(), ..Hints::default() };
        Layout::open(b"a,b\nx,https://a.example/\n", &hints).unwrap_err().to_string()
    };
    assert_eq!(refused(&[("c", Some(Field::Title))]), "c is no column of the file.");
    assert_eq!(refused(&[("a", None), ("a", None)]), "a is no column of the file.");
    assert_eq!(refused(&[("a", Some(Field::Title)), ("b", Some(Field::Title))]), "b has the field of another column.");
    assert_eq!(refused(&[("b", None)]), "None of the columns is known to have the destinations; say which: a, b.");
}
