//! A file that linkgraph writes is read again as it was, whatever is in it; and no file makes the reader fail but by an error.

#![expect(clippy::unwrap_used, reason = "a failed test panics")]

use link_files::{Hints, Layout, Reader, Record, Source, csv_head, csv_record, json_record};
use proptest::prelude::*;

/// Texts that are awkward in CSV, in spreadsheets, in JSON and in lists.
fn awkward() -> impl Strategy<Value = String> {
    prop_oneof!["[=+@'\t\r\n\",;| a-]{1,8}", "\\PC{1,12}", "[a-zé]{1,12}"]
}

/// Rules and splits, which may be longer than other fields.
fn routes() -> impl Strategy<Value = String> {
    (awkward(), 0..200_usize).prop_map(|(name, number)| {
        let rule = serde_json::json!({ "name": name, "destinationUrl": "https://acme.example/" });
        serde_json::json!({ "rules": vec![rule; number] }).to_string()
    })
}

fn time() -> impl Strategy<Value = Option<i64>> {
    proptest::option::of(0..253_402_300_800_000_i64)
}

fn record() -> impl Strategy<Value = Record> {
    let texts = (
        proptest::option::of("[A-Za-z0-9_öß🎉春-]{1,64}"),
        proptest::option::of("[a-z0-9]{1,10}(\\.[a-z]{2,5}){1,2}"),
        "https://[a-z]{1,10}\\.example/[!-~]{0,40}",
        proptest::option::of(awkward()),
        proptest::option::of(awkward()),
        proptest::collection::vec(awkward(), 0..5),
        proptest::option::of("https://[a-z]{1,10}\\.example/[!-~]{0,40}"),
        proptest::option::of(awkward()),
        proptest::option::of(awkward()),
        (proptest::option::of(awkward()), proptest::option::of(routes()), proptest::option::of(routes())),
    );
    let count = || proptest::option::of(0..i64::MAX);
    let flags = any::<([Option<bool>; 4], bool)>();
    let numbers = (time(), time(), time(), count(), count(), count(), flags);
    (texts, numbers).prop_map(|(texts, numbers)| {
        let (slug, host, destination_url, title, notes, mut tags, expired_url, external_id, notice, more) = texts;
        let (card, rules, split) = more;
        let (
            created_at,
            starts_at,
            expires_at,
            max_clicks,
            used_clicks,
            clicks,
            ([is_active, is_archived, forwards_query, asks_first], has_password),
        ) = numbers;
        tags.sort();
        tags.dedup();
        Record {
            slug,
            host,
            destination_url,
            title,
            notes,
            tags,
            created_at,
            starts_at,
            expires_at,
            expired_url,
            max_clicks,
            used_clicks,
            clicks,
            is_active,
            is_archived,
            forwards_query,
            has_password,
            asks_first,
            notice,
            card_title: card.clone(),
            card_image_url: card.clone().map(|_| "https://acme.example/a.png".to_owned()),
            card_description: card.clone(),
            app_ios_uri: card.clone(),
            app_ios_store_url: card.clone(),
            app_android_uri: card.clone(),
            app_android_package: card.clone(),
            app_data: card,
            rules,
            split,
            source_id: None,
            external_id,
        }
    })
}

fn read(text: &str) -> Vec<Record> {
    let mut reader = Reader::new(text.as_bytes(), &Hints::default()).unwrap();
    assert_eq!(reader.layout().source(), Source::Linkgraph);
    let mut records = Vec::new();
    while let Some(rows) = reader.next_rows(7).unwrap() {
        records.extend(rows.into_iter().map(|row| row.link.unwrap()));
    }
    records
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(records in proptest::collection::vec(record(), 1..20)) {
        let csv = csv_head() + &records.iter().map(csv_record).collect::<String>();
        prop_assert_eq!(&read(&csv), &records);
        let json: String = records.iter().map(json_record).collect();
        prop_assert_eq!(&read(&json), &records);
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in proptest::collection::vec(any::<u8>(), 0..400),
        shaped in "[\\[{\"]?(keyword|url|links|data|link_1|[\\[\\]{},:\"\\\\ \r\n;=']){0,60}",
    ) {
        for text in [&text[..], shaped.as_bytes(), &[b"keyword,url\n", &text[..]].concat(), &[b"[{\"keyword\":1,\"url\":2},", shaped.as_bytes()].concat()] {
            for source in [None, Some(Source::Yourls), Some(Source::Table)] {
                let hints = Hints { source, ..Hints::default() };
                if let Ok(mut reader) = Reader::new(text, &hints) {
                    while let Ok(Some(rows)) = reader.next_rows(3) {
                        prop_assert!(!rows.is_empty());
                    }
                }
                if let Ok(layout) = Layout::open(text, &hints) {
                    prop_assert!(layout.values(&text[layout.first()..], 3, false).len() <= 3);
                    let batch = layout.read(&text[layout.first()..], 0, 5, false);
                    prop_assert!(batch.is_err() || batch.is_ok_and(|batch| batch.used <= text.len()));
                }
            }
        }
    }
}

/// Excel writes the words of its language into a file that was opened and saved there.
#[test]
fn whether_a_link_has_a_password_is_read_in_the_words_of_a_spreadsheet() {
    for (word, has_password) in [("false", false), ("FALSCH", false), ("", false), ("true", true), ("WAHR", true)] {
        let file =
            format!("destinationUrl,slug,domain,hasPassword,forwardsQuery\nhttps://example.com/,a,sho.rt,{word},\n");
        let records = read(&file);
        assert_eq!(records.iter().map(|record| record.has_password).collect::<Vec<_>>(), [has_password], "{word}");
    }
}
