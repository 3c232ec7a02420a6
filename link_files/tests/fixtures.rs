//! Files as other services export them are read: see `tests/data/README.md`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed test panics")]

use std::{fs, path::Path};

use link_files::{FileError, HEAD, Hints, Layout, MAX_ROW, ReadError, Reader, Record, Row, Source, format_time};

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)).unwrap()
}

fn hints(source: Option<Source>) -> Hints {
    Hints { source, ..Hints::default() }
}

fn rows(text: &[u8], source: Option<Source>) -> (Source, Vec<Row>) {
    let mut reader = Reader::new(text, &hints(source)).unwrap();
    let mut rows = Vec::new();
    while let Some(more) = reader.next_rows(2).unwrap() {
        rows.extend(more);
    }
    assert!(reader.position() <= text.len() as u64);
    (reader.layout().source(), rows)
}

/// The rows of a file whose source is found out, each as its number, and the link or the error.
fn read(name: &str, source: Source) -> Vec<(u64, Result<Record, String>)> {
    let (found, rows) = rows(&file(name), None);
    assert_eq!(found, source, "{name}");
    rows.into_iter().map(|row| (row.number, row.link.map_err(|error| error.to_string()))).collect()
}

fn time(text: &str) -> Option<i64> {
    let time = link_files::parse_time(text).unwrap();
    assert_eq!(format_time(time), text);
    Some(time)
}

fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn link(host: &str, slug: &str, destination: &str) -> Record {
    Record { host: text(host), slug: text(slug), destination_url: destination.to_owned(), ..Record::default() }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn bitly_is_read() {
    let spring = Record {
        title: text("Spring sale"),
        tags: names(&["spring", "newsletter"]),
        created_at: time("2024-03-01T09:15:22.000Z"),
        clicks: Some(1_284),
        ..link("go.acme.example", "spring", "https://acme.example/spring?utm_source=newsletter")
    };
    let atlas = Record {
        title: text("Docs, all of them"),
        created_at: time("2023-11-20T14:33:38.000Z"),
        clicks: Some(0),
        ..link("bit.ly", "4aBcDeF", "https://acme.example/atlas")
    };
    let lost = "Destination URL: is empty: the link leads nowhere".to_owned();
    assert_eq!(read("bitly.csv", Source::Bitly), [(2, Ok(spring)), (3, Ok(atlas)), (4, Err(lost))]);
    let launch = Record {
        title: text("Launch"),
        tags: names(&["launch", "press"]),
        created_at: time("2019-06-07T13:09:55.000Z"),
        is_archived: Some(true),
        source_id: text("bit.ly/2Wt4k3z"),
        ..link("go.acme.example", "launch", "https://acme.example/launch")
    };
    let plain = Record {
        created_at: time("2024-02-01T10:00:00.000Z"),
        is_archived: Some(false),
        source_id: text("bit.ly/48Zz"),
        ..link("bit.ly", "48Zz", "https://acme.example/")
    };
    assert_eq!(launch.origin(Source::Bitly), text("bitly:bit.ly/2Wt4k3z"));
    assert_eq!(read("bitly-api.json", Source::Bitly), [(1, Ok(launch)), (2, Ok(plain))]);
}

#[test]
fn dub_is_read() {
    let spring = Record {
        tags: names(&["spring", "newsletter"]),
        created_at: time("2024-03-01T09:15:22.123Z"),
        clicks: Some(1_284),
        is_archived: Some(false),
        source_id: text("link_1JXY6K8H2"),
        ..link("acme.link", "spring", "https://acme.example/spring")
    };
    let old = Record {
        tags: Vec::new(),
        created_at: time("2023-01-05T08:00:00.000Z"),
        clicks: Some(7),
        is_archived: Some(true),
        source_id: text("link_1JXY6K8H3"),
        ..link("acme.link", "old", "https://acme.example/old")
    };
    let root = "Short link: has no path: it is the link of a whole domain".to_owned();
    assert_eq!(read("dub.csv", Source::Dub), [(2, Ok(spring.clone())), (3, Ok(old)), (4, Err(root))]);
    let spring = Record {
        title: text("Spring sale"),
        notes: text("Ask Eve before changing this"),
        tags: names(&["spring", "a, b"]),
        expires_at: time("2026-04-01T00:00:00.000Z"),
        expired_url: text("https://acme.example/over"),
        ..spring
    };
    let board = Record {
        created_at: time("2024-03-01T09:15:22.123Z"),
        clicks: Some(3),
        is_archived: Some(false),
        has_password: true,
        source_id: text("link_1JXY6K8H5"),
        ..link("acme.link", "board", "https://acme.example/board")
    };
    assert_eq!(read("dub.json", Source::Dub), [(1, Ok(spring)), (2, Ok(board))]);
}

#[test]
fn short_io_is_read() {
    let spring = Record {
        title: text("Spring sale"),
        tags: names(&["spring", "newsletter"]),
        created_at: time("2024-03-01T09:15:22.000Z"),
        expires_at: time("2026-04-01T00:00:00.000Z"),
        expired_url: text("https://acme.example/over"),
        max_clicks: Some(500),
        used_clicks: Some(120),
        clicks: Some(120),
        is_archived: Some(false),
        source_id: text("lnk_4Pxs_a1b2"),
        ..link("go.acme.example", "spring", "https://acme.example/spring")
    };
    let atlas = Record {
        title: text("Docs\nin two lines"),
        created_at: time("2023-11-20T14:33:38.000Z"),
        clicks: Some(0),
        is_archived: Some(true),
        source_id: text("lnk_4Pxs_a1b3"),
        ..link("go.acme.example", "atlas", "https://acme.example/atlas")
    };
    assert_eq!(read("shortio.csv", Source::ShortIo), [(2, Ok(spring)), (3, Ok(atlas))]);
}

#[test]
fn rebrandly_is_read() {
    let cars = Record {
        created_at: time("2016-07-13T10:54:12.000Z"),
        source_id: text("ffs24cc5b6ee4a5gh7897b06ac2d16d4"),
        ..link(
            "rebrand.ly",
            "burn10M",
            "https://www.wired.com/2016/07/ferrari-laferrari-spider-convertible-photos-specs/",
        )
    };
    let blog = Record {
        created_at: time("2024-01-14T15:45:00.000Z"),
        source_id: text("8f104cc5b6ee4a4ba7897b06ac2ddcfb"),
        ..link("go.acme.example", "acme-blog", "https://acme.example/blog?a=1")
    };
    assert_eq!(read("rebrandly.csv", Source::Rebrandly), [(2, Ok(cars.clone())), (3, Ok(blog))]);
    let cars = Record {
        destination_url: "https://www.wired.com/2016/07/ferrari/".to_owned(),
        title: text("The LaFerrari"),
        tags: names(&["cars"]),
        clicks: Some(42),
        ..cars
    };
    assert_eq!(read("rebrandly.json", Source::Rebrandly), [(1, Ok(cars))]);
}

#[test]
fn yourls_is_read() {
    let of_table = |slug: &str, destination: &str| Record {
        slug: text(slug),
        destination_url: destination.to_owned(),
        ..Record::default()
    };
    let ozh = Record {
        title: text("Ozh's site \"planetOzh\""),
        created_at: time("2011-02-13T18:19:31.000Z"),
        clicks: Some(31),
        ..of_table("ozh", "http://ozh.org/")
    };
    let atlas = Record {
        created_at: time("2023-11-20T14:33:38.000Z"),
        clicks: Some(0),
        ..of_table("atlas", "https://acme.example/atlas")
    };
    assert_eq!(ozh.origin(Source::Yourls), text("yourls:ozh"));
    assert_eq!(read("yourls.csv", Source::Yourls), [(2, Ok(ozh.clone())), (3, Ok(atlas.clone()))]);
    let (short, shown) = (of_table("ozh", "http://ozh.org/"), of_table("atlas", "https://acme.example/atlas"));
    let (short, shown) = (Record { clicks: Some(31), ..short }, Record { clicks: Some(0), ..shown });
    assert_eq!(read("yourls-plugin.csv", Source::Yourls), [(2, Ok(short)), (3, Ok(shown))]);
    let (ozh, atlas) = (Record { title: text("Ozh’s site"), ..ozh }, atlas);
    assert_eq!(read("yourls-list.json", Source::Yourls), [(1, Ok(ozh.clone()))]);
    let (ozh, atlas) = (Record { host: text("sho.rt"), ..ozh }, Record { host: text("sho.rt"), ..atlas });
    assert_eq!(read("yourls-stats.json", Source::Yourls), [(1, Ok(ozh)), (2, Ok(atlas))]);
}

#[test]
fn kutt_is_read() {
    let spring = Record {
        title: text("Spring sale"),
        created_at: time("2024-03-01T09:15:22.123Z"),
        expires_at: time("2026-04-01T00:00:00.000Z"),
        clicks: Some(1_284),
        is_active: Some(true),
        source_id: text("d2b1a5b4-9f0e-4f57-8a3b-111111111111"),
        ..link("go.acme.example", "spring", "https://acme.example/spring")
    };
    let banned = Record {
        created_at: time("2020-01-01T00:00:00.000Z"),
        clicks: Some(0),
        is_active: Some(false),
        source_id: text("d2b1a5b4-9f0e-4f57-8a3b-222222222222"),
        ..link("kutt.it", "x1", "https://acme.example/x")
    };
    let vault = Record {
        created_at: time("2020-01-01T00:00:00.000Z"),
        clicks: Some(0),
        is_active: Some(true),
        has_password: true,
        source_id: text("d2b1a5b4-9f0e-4f57-8a3b-333333333333"),
        ..link("kutt.it", "vault", "https://acme.example/vault")
    };
    assert_eq!(read("kutt.json", Source::Kutt), [(1, Ok(spring)), (2, Ok(banned)), (3, Ok(vault))]);
}

#[test]
fn shlink_is_read() {
    let spring = Record {
        title: text("Spring sale"),
        tags: names(&["spring", "newsletter"]),
        created_at: time("2024-03-01T09:15:22.000Z"),
        clicks: Some(1_284),
        ..link("s.acme.example", "spring", "https://acme.example/spring")
    };
    let atlas = Record {
        created_at: time("2023-11-20T14:33:38.000Z"),
        clicks: Some(0),
        ..link("s.acme.example", "atlas", "https://acme.example/atlas")
    };
    assert_eq!(read("shlink-web-client.csv", Source::Shlink), [(2, Ok(spring.clone())), (3, Ok(atlas.clone()))]);
    let bare = |link: &Record| Record { created_at: None, clicks: None, ..link.clone() };
    let importer = [(2, Ok(bare(&spring))), (3, Ok(Record { host: None, ..bare(&atlas) }))];
    assert_eq!(read("shlink-importer.csv", Source::Shlink), importer);
    let spring = Record {
        starts_at: time("2024-03-02T00:00:00.000Z"),
        expires_at: time("2026-04-01T00:00:00.000Z"),
        max_clicks: Some(2_000),
        used_clicks: Some(1_284),
        forwards_query: Some(true),
        ..spring
    };
    let atlas = Record { host: text("go.acme.example"), forwards_query: Some(true), ..atlas };
    assert_eq!(read("shlink-api.json", Source::Shlink), [(1, Ok(spring)), (2, Ok(atlas))]);
}

#[test]
fn linkgraph_is_read() {
    let spring = Record {
        title: text("=SUM(A1)"),
        notes: text("two\nlines, and \"quotes\""),
        tags: names(&["a, b", "spring"]),
        created_at: time("2024-03-01T09:15:22.123Z"),
        starts_at: time("2024-03-02T00:00:00.000Z"),
        expires_at: time("2026-04-01T00:00:00.000Z"),
        expired_url: text("https://acme.example/over"),
        max_clicks: Some(500),
        used_clicks: Some(120),
        clicks: Some(1_404),
        is_active: Some(true),
        is_archived: Some(false),
        external_id: text("crm-17"),
        ..link("go.acme.example", "spring", "https://acme.example/spring")
    };
    let atlas = Record {
        title: text("'=x"),
        created_at: time("2023-11-20T14:33:38.000Z"),
        clicks: Some(0),
        is_active: Some(false),
        is_archived: Some(true),
        ..link("localhost", "atlas", "https://acme.example/atlas")
    };
    assert_eq!((spring.origin(Source::Linkgraph), atlas.origin(Source::Linkgraph)), (text("crm-17"), None));
    assert_eq!(read("linkgraph.csv", Source::Linkgraph), [(2, Ok(spring.clone())), (3, Ok(atlas))]);
    let spring = Record { notes: None, starts_at: None, expires_at: None, expired_url: None, ..spring };
    assert_eq!(read("linkgraph.jsonl", Source::Linkgraph), [(1, Ok(spring))]);
}

#[test]
fn what_a_german_excel_saves_is_read() {
    let own = |slug: &str| Record {
        slug: text(slug),
        destination_url: format!("https://acme.example/{slug}"),
        ..Record::default()
    };
    let first = Record {
        title: text("Größe; und \"mehr\""),
        notes: text("erste Zeile\nzweite"),
        is_active: Some(true),
        created_at: time("2024-03-01T09:15:00.000Z"),
        max_clicks: Some(500),
        ..own("a")
    };
    let second = Record { is_active: Some(false), created_at: time("2023-12-31T00:00:00.000Z"), ..own("b") };
    let empty = "destinationUrl: is empty: the link leads nowhere".to_owned();
    let expected = [(2, Ok(first)), (3, Ok(second)), (4, Err(empty)), (5, Ok(own("c")))];
    assert_eq!(read("linkgraph-german-excel.csv", Source::Linkgraph), expected);
}

fn refused(text: &[u8], source: Option<Source>) -> FileError {
    match Reader::new(text, &hints(source)).and_then(|mut reader| {
        while reader.next_rows(100)?.is_some() {}
        Ok(())
    }) {
        Err(ReadError::File(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn other_encodings_are_named() {
    let (_, rows) = rows(&file("latin-1.csv"), None);
    let error = rows[0].link.as_ref().unwrap_err();
    assert_eq!(error.column.as_deref(), Some("title"));
    assert!(error.message.contains("is not UTF-8"), "{error}");
    assert!(rows[1].link.is_ok());
    let utf_16: Vec<u8> = "\u{feff}keyword,url".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(refused(&utf_16, None), FileError::Encoding("UTF-16"));
    assert!(matches!(refused(b"gr\xF6\xDFe,url\n", None), FileError::Encoding(_)));
}

#[test]
fn files_of_no_service_are_refused() {
    assert_eq!(refused(b"", None), FileError::Empty);
    assert_eq!(refused(b"\xEF\xBB\xBF \r\n", None), FileError::Empty);
    assert_eq!(refused(b"[]", None), FileError::Empty);
    assert_eq!(refused(b"first name,city\nEve,Bern\n", None), FileError::Unknown(names(&["first name", "city"])));
    assert_eq!(refused(b"[{\"name\":\"Eve\"}]", None), FileError::Unknown(names(&["name"])));
    assert!(matches!(refused(b"keyword\na\n", Some(Source::Yourls)), FileError::MissingColumn(Source::Yourls, _)));
    assert!(matches!(refused(b"[1]", None), FileError::Shape(_)));
    // The whole rows of a list that ends early are read before its error.
    assert_eq!(refused(b"[{\"keyword\":\"a\",\"url\":\"b\"},", None), FileError::Shape("its end is missing"));
    assert!(refused(b"a,b\n", None).to_string().contains("a, b"));
}

#[test]
fn a_source_that_is_named_counts() {
    // Without a named source, these columns are taken for Dub's.
    let text = b"key;url;domain\nspring;https://acme.example/;acme.link\n";
    assert_eq!(rows(text, None).0, Source::Dub);
    let own = b"\"destinationUrl\"\nhttps://acme.example/\n";
    let (_, rows) = rows(own, Some(Source::Linkgraph));
    let link = rows[0].link.as_ref().unwrap();
    assert_eq!((link.slug.as_deref(), link.host.as_deref()), (None, None));
}

#[test]
fn excel_may_tell_its_delimiter() {
    let (_, rows) = rows(b"sep=;\r\nkeyword;url\r\na;https://acme.example/?a,b,c\r\n", None);
    assert_eq!(rows[0].link.as_ref().unwrap().destination_url, "https://acme.example/?a,b,c");
}

#[test]
fn a_quote_that_is_missing_ends_the_file() {
    let long = format!("keyword,url\na,b\n\"c,{}", "x,y\n".repeat(100_000));
    assert_eq!(refused(long.as_bytes(), None), FileError::LongRow(3));
    let long = format!("[{{\"keyword\":\"a\",\"url\":\"b\"}},{{\"keyword\":\"{}", "x".repeat(400_000));
    assert_eq!(refused(long.as_bytes(), None), FileError::LongRow(2));
    let head = format!("\"keyword,{}", "x".repeat(200_000));
    assert_eq!(refused(head.as_bytes(), None), FileError::LongRow(1));
    assert_eq!(HEAD, MAX_ROW);
}

#[test]
fn a_field_that_is_too_long_fails_its_row_alone() {
    let text = format!("keyword,url,title\na,https://a.example/,{}\nb,https://b.example/,\n", "x".repeat(9_000));
    let (_, rows) = rows(text.as_bytes(), None);
    assert_eq!(rows[0].link.as_ref().unwrap_err().to_string(), "title: has more than 8192 bytes");
    assert!(rows[1].link.is_ok());
}

#[test]
fn values_that_are_none_name_their_column() {
    let file = "keyword,url,timestamp,clicks\n\
                a,https://a.example/,yesterday,1\n\
                b,https://a.example/,3/4/2024,1\n\
                c,https://a.example/,2024-01-01,-1\n\
                d,https://a.example/,2024-01-01,many\n\
                e,https://a.example/,,\n";
    let (_, rows) = rows(file.as_bytes(), None);
    let columns: Vec<_> =
        rows.iter().map(|row| row.link.as_ref().err().and_then(|error| error.column.clone())).collect();
    assert_eq!(columns, [text("timestamp"), text("timestamp"), text("clicks"), text("clicks"), None]);
}

/// However a file arrives in parts, the same rows are read.
#[test]
fn parts_make_no_difference() {
    for name in ["linkgraph.csv", "linkgraph-german-excel.csv", "kutt.json", "yourls-stats.json", "shortio.csv"] {
        let file = file(name);
        let (_, whole) = rows(&file, None);
        let layout = Layout::open(&file, &Hints::default()).unwrap();
        for length in 1..200 {
            let (mut text, mut given, mut found, mut is_end) = (Vec::new(), layout.first(), Vec::new(), false);
            while !is_end {
                let end = file.len().min(given + length);
                text.extend_from_slice(&file[given..end]);
                given = end;
                let batch = layout.read(&text, found.len() as u64, 3, given == file.len()).unwrap();
                text.drain(..batch.used);
                found.extend(batch.rows);
                is_end = batch.is_end;
            }
            assert_eq!(found, whole, "{name} by {length}");
        }
    }
}
