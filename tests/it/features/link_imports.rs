//! Imports of links: from files of each service, in parts, out of APIs, dry and again, through kills; and exports, which are read
//! again as they were.

use std::{
    fmt::Write,
    io::{Read, Write as _},
    net::TcpListener,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use linkgraph::base::clock::{DAY, MINUTE};
use rand::{SeedableRng, rngs::StdRng};
use sea_orm::{ConnectionTrait, DatabaseBackend, Statement, TransactionTrait};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        Http, TestDatabase, eventually,
        faults::{any_fault, arm},
        process::{TestProcess, binary},
        setting,
    },
};

/// A file as a service exports it, and how many of its rows become links.
const FILES: [(&str, &str, u64, u64); 16] = [
    ("bitly.csv", "BITLY", 2, 1),
    ("bitly-api.json", "BITLY", 2, 0),
    ("dub.csv", "DUB", 2, 1),
    ("dub.json", "DUB", 1, 1),
    ("shortio.csv", "SHORT_IO", 2, 0),
    ("rebrandly.csv", "REBRANDLY", 2, 0),
    ("rebrandly.json", "REBRANDLY", 1, 0),
    ("yourls.csv", "YOURLS", 2, 0),
    ("yourls-plugin.csv", "YOURLS", 2, 0),
    ("yourls-stats.json", "YOURLS", 2, 0),
    ("yourls-list.json", "YOURLS", 1, 0),
    ("kutt.json", "KUTT", 2, 1),
    ("shlink-web-client.csv", "SHLINK", 2, 0),
    ("shlink-importer.csv", "SHLINK", 2, 0),
    ("shlink-api.json", "SHLINK", 2, 0),
    ("linkgraph-german-excel.csv", "LINKGRAPH", 3, 1),
];

fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("link_files/tests/data");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Waits until an import has ended.
async fn ended(http: &Http, token: &str, import: &Json) -> Json {
    let path = format!("/imports/{}", import["id"].as_str().unwrap());
    eventually("the import ends", async || {
        let import = http.get(&path, token).await.expect(200).json();
        (!import["finishedAt"].is_null()).then_some(import)
    })
    .await
}

/// Imports a file, and answers what became of it.
async fn import(http: &Http, token: &str, input: Json) -> Json {
    let path = if input["url"].is_null() { "/imports" } else { "/imports/from-api" };
    let begun = http.post(path, token, input).await.expect(202).json();
    ended(http, token, &begun).await
}

/// Rows that were created, skipped and failed, of an import that has finished.
fn counts(import: &Json) -> (u64, u64, u64) {
    assert_eq!(import["state"], "FINISHED", "{import}");
    let count = |name: &str| import[name].as_u64().unwrap();
    assert_eq!(count("done"), count("created") + count("skipped") + count("failed"), "{import}");
    assert_eq!(count("done"), count("total"), "{import}");
    (count("created"), count("skipped"), count("failed"))
}

async fn errors(http: &Http, token: &str, import: &Json) -> Vec<Json> {
    let path = format!("/imports/{}/errors?pageSize=100", import["id"].as_str().unwrap());
    http.get(&path, token).await.expect(200).json()["data"].as_array().unwrap().clone()
}

async fn exported(http: &Http, token: &str) -> Vec<Json> {
    let file = http.get("/links/export?format=jsonl", token).await.expect(200).text;
    file.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

async fn delete_all(http: &Http, token: &str) {
    for link in exported(http, token).await {
        http.call("DELETE", &format!("/links/{}", link["id"].as_str().unwrap()), token, Json::Null).await.expect(204);
    }
}

/// A file of links with these slugs.
fn yourls(slugs: impl Iterator<Item = String>) -> String {
    slugs.fold("keyword,url,title,timestamp,ip,clicks\n".to_owned(), |mut file, slug| {
        writeln!(file, "{slug},https://a.example/{slug},Title of {slug},2024-01-31 18:30:00,127.0.0.1,7").unwrap();
        file
    })
}

/// Asserts that the import made one link and one event of each of its rows, and counted each link once.
async fn assert_imported_once(database: &TestDatabase, rows: i64, what: &str) {
    for sql in [
        "SELECT count(*) FROM links",
        "SELECT count(DISTINCT external_id) FROM links",
        "SELECT link_count FROM accounts",
        "SELECT count(*) FROM outbox_events WHERE kind = 'link.created'",
    ] {
        assert_eq!(database.number(sql).await, rows, "{what}: {sql}");
    }
    assert_eq!(database.events("import.finished").await, 1);
}

/// The file of an import's result.
async fn result(http: &Http, token: &str, import: &Json, format: &str) -> String {
    let path = format!("/imports/{}/rows/export?format={format}", import["id"].as_str().unwrap());
    http.get(&path, token).await.expect(200).text
}

#[on_each_database]
async fn a_table_that_a_person_made_is_imported(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let data = "Ziel-URL;Kürzel;Bezeichnung;Erstellt am\n\
                www.acme.example/a;a;Größe;13/02/2024\n\
                https://acme.example/b;b;;03/04/2024\n\
                https://acme.example/c;c;;0000-00-00\n";
    let table = import(&server, &token, json!({ "data": data, "encoding": "latin1" })).await;
    assert_eq!(counts(&table), (3, 0, 0), "{table}");
    for (field, value) in [
        ("source", json!("TABLE")),
        ("encoding", json!("windows-1252")),
        ("hasHeader", json!(true)),
        ("dateFormat", json!("DMY")),
        ("hasUnsureDates", json!(false)),
        (
            "columns",
            json!([
                { "name": "Ziel-URL", "field": "DESTINATION_URL" }, { "name": "Kürzel", "field": "SLUG" },
                { "name": "Bezeichnung", "field": "TITLE" }, { "name": "Erstellt am", "field": "CREATED_AT" },
            ]),
        ),
    ] {
        assert_eq!(table[field], value, "{field}");
    }
    let links = exported(&server, &token).await;
    let link = |slug: &str| links.iter().find(|link| link["slug"] == slug).unwrap();
    assert_eq!(link("a")["destinationUrl"], "https://www.acme.example/a");
    assert_eq!((&link("a")["title"], &link("a")["createdAt"]), (&json!("Größe"), &json!("2024-02-13T00:00:00.000Z")));
    // The first date tells that days come first in the second, too.
    assert_eq!((&link("b")["createdAt"], &link("b")["externalId"]), (&json!("2024-04-03T00:00:00.000Z"), &Json::Null));
    let bare = import(&server, &token, json!({ "data": "https://acme.example/d\nnowhere\n" })).await;
    assert_eq!((counts(&bare), &bare["hasHeader"]), ((1, 0, 1), &json!(false)));
    let error = errors(&server, &token, &bare).await.remove(0);
    assert_eq!((&error["row"], &error["column"]), (&json!(2), &json!("1")));
}

#[on_each_database]
async fn columns_and_dates_are_read_as_the_caller_says(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let data = "A,B,C,D\nx,https://acme.example/x,secret,03/04/2026\ny,https://acme.example/y,secret,05/06/2026\n";
    let mapping = json!([
        { "column": "b", "field": "DESTINATION_URL" }, { "column": "1", "field": "SLUG" },
        { "column": "C" }, { "column": "D", "field": "EXPIRES_AT" },
    ]);
    let input = json!({ "data": data, "columns": mapping, "isDryRun": true });
    let unsure = import(&server, &token, input.clone()).await;
    assert_eq!((counts(&unsure), &unsure["hasUnsureDates"]), ((0, 0, 2), &json!(true)));
    assert_eq!(unsure["dateFormat"], Json::Null);
    let error = errors(&server, &token, &unsure).await.remove(0);
    assert_eq!(error["column"], "D");
    assert!(error["message"].as_str().unwrap().contains("dateFormat"), "{error}");
    // The same over GraphQL, with the order, and in parts, so that the mapping waits for the file.
    let mut variables = input;
    variables["dateFormat"] = json!("MDY");
    variables["isDryRun"] = json!(false);
    variables.as_object_mut().unwrap().remove("data");
    let start = "mutation($input: StartImportInput!) { startImport(input: $input) { id dateFormat columns { name } } }";
    let answer = server.graphql(&token, start, json!({ "input": variables })).await;
    let begun = answer["data"]["startImport"].clone();
    assert_eq!((&begun["dateFormat"], &begun["columns"]), (&json!("MDY"), &Json::Null), "{answer}");
    let path = format!("/imports/{}/parts", begun["id"].as_str().unwrap());
    let (first, last) = data.split_at(20);
    server.post(&path, &token, json!({ "number": 1, "data": first })).await.expect(202);
    server.post(&path, &token, json!({ "number": 2, "data": last, "isLast": true })).await.expect(202);
    let table = ended(&server, &token, &begun).await;
    assert_eq!((counts(&table), &table["hasUnsureDates"]), ((2, 0, 0), &json!(false)), "{table}");
    let kept = json!([
        { "name": "A", "field": "SLUG" }, { "name": "B", "field": "DESTINATION_URL" }, { "name": "D", "field": "EXPIRES_AT" },
    ]);
    assert_eq!(table["columns"], kept);
    let links = exported(&server, &token).await;
    let link = links.iter().find(|link| link["slug"] == "x").unwrap();
    assert_eq!((&link["expiresAt"], &link["notes"]), (&json!("2026-03-04T00:00:00.000Z"), &Json::Null));
}

/// A preview tells of a file what an import would take it for, and a file without destinations is shown, too.
#[on_each_database]
async fn a_file_is_looked_at_before_it_is_imported(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let preview = async |input: Json| server.post("/imports/preview", &token, input).await;
    let data = "who,where,until\nEve,Bern,03/04/2026\nAda,London,13/04/2026\n";
    let looked = preview(json!({ "data": data })).await.expect(200).json();
    let column = |name: &str, field: Json, values: [&str; 2]| json!({ "name": name, "field": field, "values": values });
    let columns = [
        column("who", Json::Null, ["Eve", "Ada"]),
        column("where", Json::Null, ["Bern", "London"]),
        column("until", Json::Null, ["03/04/2026", "13/04/2026"]),
    ];
    assert_eq!(looked["columns"], json!(columns));
    assert_eq!((&looked["source"], &looked["hasHeader"]), (&json!("TABLE"), &json!(true)));
    let columns =
        json!([{ "column": "where", "field": "DESTINATION_URL" }, { "column": "until", "field": "EXPIRES_AT" }]);
    let looked = preview(json!({ "data": data, "columns": columns })).await.expect(200).json();
    let fields: Vec<&Json> = looked["columns"].as_array().unwrap().iter().map(|column| &column["field"]).collect();
    assert_eq!(fields, [&Json::Null, &json!("DESTINATION_URL"), &json!("EXPIRES_AT")]);
    assert_eq!((&looked["dateFormat"], &looked["hasUnsureDates"]), (&json!("DMY"), &json!(false)));
    for (input, field) in [
        (json!({ "data": " " }), "data"),
        (json!({ "data": data, "columns": [{ "column": "x" }] }), "columns.0.column"),
    ] {
        assert_eq!(preview(input).await.expect(400).violations(), [field]);
    }
    assert_eq!(database.number("SELECT count(*) FROM imports").await, 0);
}

/// Each row has its short link or its error in the result, of which the file is as long as the import's.
#[on_each_database]
async fn the_result_of_an_import_is_a_table(database: TestDatabase) {
    let rows = setting("LINKGRAPH_SOAK_IMPORT_ROWS", 2_500);
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let (token, mallory) = (server.register("alice").await, server.register("mallory").await);
    let data = "url,slug\nhttps://acme.example/a,a\nnowhere,b\nhttps://acme.example/c,\nhttps://acme.example/a,a\n";
    for is_dry_run in [true, false] {
        let ended = import(&server, &token, json!({ "data": data, "isDryRun": is_dry_run })).await;
        assert_eq!((counts(&ended), &ended["resultRows"]), ((2, 1, 1), &json!(4)));
        let lines: Vec<Json> = result(&server, &token, &ended, "jsonl")
            .await
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let generated = lines[2]["shortUrl"].clone();
        // The slug that a dry run generates is not that of the import.
        assert_eq!(generated.is_null(), is_dry_run, "{generated}");
        let error = lines[1]["error"].clone();
        let row = |row: u64, url: &str, short: Json, outcome: &str| {
            let is_failed = outcome == "FAILED";
            json!({
                "row": row, "destinationUrl": url, "shortUrl": short, "outcome": outcome,
                "code": is_failed.then_some("VALIDATION_ERROR"), "column": is_failed.then_some("url"),
                "error": if is_failed { error.clone() } else { Json::Null },
            })
        };
        let expected = [
            row(2, "https://acme.example/a", json!("http://sho.rt/a"), "CREATED"),
            row(3, "nowhere", Json::Null, "FAILED"),
            row(4, "https://acme.example/c", generated, "CREATED"),
            row(5, "https://acme.example/a", json!("http://sho.rt/a"), "SKIPPED"),
        ];
        assert_eq!(lines, expected);
        assert!(error.is_string());
        let path = format!("/imports/{}/rows", ended["id"].as_str().unwrap());
        let page = server.get(&format!("{path}?page=2&pageSize=3"), &token).await.expect(200).json();
        assert_eq!((&page["total"], &page["data"]), (&json!(4), &json!([expected[3]])));
        for path in [path.clone(), format!("{path}/export")] {
            assert_eq!(server.get(&path, &mallory).await.expect(404).code(), "NOT_FOUND");
        }
    }
    // A campaign: more rows than are read at once, in parts.
    let file = (0..rows).fold("url\n".to_owned(), |file, number| file + &format!("https://acme.example/?c={number}\n"));
    let begun = server.post("/imports", &token, json!({})).await.expect(202).json();
    let path = format!("/imports/{}/parts", begun["id"].as_str().unwrap());
    let parts: Vec<&str> = file.as_bytes().chunks(150_000).map(|part| std::str::from_utf8(part).unwrap()).collect();
    for (number, part) in (1..).zip(&parts) {
        let body = json!({ "number": number, "data": part, "isLast": number == parts.len() });
        server.post(&path, &token, body).await.expect(202);
    }
    let ended = ended(&server, &token, &begun).await;
    assert_eq!((counts(&ended), &ended["resultRows"]), ((rows, 0, 0), &json!(rows)));
    let csv = result(&server, &token, &ended, "csv").await;
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("row,destinationUrl,shortUrl,outcome,code,column,error"));
    let (mut slugs, mut number) = (std::collections::HashSet::new(), 0);
    for line in lines {
        let values: Vec<&str> = line.split(',').collect();
        assert_eq!((values[0], values[1]), (&*(number + 2).to_string(), &*format!("https://acme.example/?c={number}")));
        assert!(values[2].starts_with("http://sho.rt/") && slugs.insert(values[2].to_owned()), "{line}");
        number += 1;
    }
    assert_eq!(number, rows);
    let kept = database.number("SELECT sum(length(data)) FROM import_rows").await;
    assert!(kept.unsigned_abs() < 40 * rows + 1_000, "{kept} bytes of {rows} rows");
    // Results of later imports take the place of the oldest.
    let ids = database.texts("SELECT state FROM imports").await.len();
    assert_eq!(ids, 3);
    for _ in 0..9 {
        import(&server, &token, json!({ "data": data })).await;
    }
    assert_eq!(database.number("SELECT count(DISTINCT import_id) FROM import_rows").await, 10);
    assert_eq!(database.number("SELECT count(*) FROM imports WHERE result_rows = 0").await, 2);
}

/// Dry, in earnest, and again: nothing is doubled.
#[on_each_database]
async fn files_of_each_service_are_imported_once(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for (name, source, good, bad) in FILES {
        let dry = import(&server, &token, json!({ "data": file(name), "isDryRun": true })).await;
        assert_eq!((counts(&dry), &dry["source"]), ((good, 0, bad), &json!(source)), "{name}: {dry}");
        assert_eq!(exported(&server, &token).await, Vec::<Json>::new(), "{name}: a dry run changes nothing");
        let first = import(&server, &token, json!({ "data": file(name) })).await;
        assert_eq!(counts(&first), (good, 0, bad), "{name}: {:?}", errors(&server, &token, &first).await);
        let links = exported(&server, &token).await;
        assert_eq!(links.len() as u64, good, "{name}");
        let again = import(&server, &token, json!({ "data": file(name) })).await;
        assert_eq!(counts(&again), (0, good, bad), "{name}: {:?}", errors(&server, &token, &again).await);
        assert_eq!(exported(&server, &token).await, links, "{name}");
        delete_all(&server, &token).await;
    }
}

#[on_each_database]
async fn what_other_services_know_of_a_link_is_kept(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    import(&server, &token, json!({ "data": file("shlink-api.json") })).await;
    let links = exported(&server, &token).await;
    let link = links.iter().find(|link| link["slug"] == "spring").unwrap();
    for (field, value) in [
        ("destinationUrl", json!("https://acme.example/spring")),
        ("domain", json!("sho.rt")),
        ("title", json!("Spring sale")),
        ("tags", json!(["newsletter", "spring"])),
        ("externalId", json!("shlink:s.acme.example/spring")),
        ("startsAt", json!("2024-03-02T00:00:00.000Z")),
        ("expiresAt", json!("2026-04-01T00:00:00.000Z")),
        ("maxClicks", json!(2_000)),
        ("usedClicks", json!(1_284)),
        ("importedClicks", json!(1_284)),
        ("clickCount", json!(0)),
        ("createdAt", json!("2024-03-01T09:15:22.000Z")),
        ("isActive", json!(true)),
        ("isArchived", json!(false)),
        ("forwardsQuery", json!(true)),
    ] {
        assert_eq!(link[field], value, "{field}");
    }
    // The newest first, as they were there.
    assert_eq!(links.iter().map(|link| &link["slug"]).collect::<Vec<_>>(), ["spring", "atlas"]);
    server.follow("atlas").await.expect(302);
    delete_all(&server, &token).await;
    import(&server, &token, json!({ "data": file("kutt.json") })).await;
    let links = exported(&server, &token).await;
    let banned = links.iter().find(|link| link["slug"] == "x1").unwrap();
    assert_eq!((&banned["isActive"], &banned["importedClicks"]), (&json!(false), &json!(0)));
    server.follow("x1").await.expect(404);
    // A title that is too long, of several lines.
    delete_all(&server, &token).await;
    let long = "word ".repeat(60);
    let data = format!("keyword,url,title\nlong,https://a.example/,\"two\nlines {long}\"\n");
    assert_eq!(counts(&import(&server, &token, json!({ "data": data })).await), (1, 0, 0));
    let link = exported(&server, &token).await.remove(0);
    let (title, notes) = (link["title"].as_str().unwrap(), link["notes"].as_str().unwrap());
    assert!(title.starts_with("two lines word ") && title.ends_with('…') && title.chars().count() == 200, "{title}");
    assert!(notes.starts_with("two lines word ") && notes.len() == 309, "{notes}");
}

/// A dry run tells of each row what the run would, and changes nothing.
#[on_each_database]
async fn rows_that_cant_become_links_have_their_reasons(database: TestDatabase) {
    let server = database.start().await;
    let (alice, bob) = (server.register("alice").await, server.register("bob").await);
    server.link(&alice, "hers").await;
    let data = "keyword,url,timestamp\n\
                hers,https://example.com/x,\n\
                graphql,https://example.com/,\n\
                ok,https://example.com/,\n\
                back,http://sho.rt/ok,\n\
                no slug!,https://example.com/,\n\
                script,javascript:alert(1),\n\
                ok,https://example.com/other,\n\
                when,https://example.com/,yesterday\n\
                fine,https://example.com/fine,2024-01-31\n";
    for is_dry_run in [true, false] {
        let links = exported(&server, &bob).await;
        let ended = import(&server, &bob, json!({ "data": data, "isDryRun": is_dry_run })).await;
        assert_eq!(counts(&ended), (2, 1, 6), "{ended}");
        let errors: Vec<_> = errors(&server, &bob, &ended)
            .await
            .iter()
            .map(|error| (error["row"].as_u64().unwrap(), error["code"].clone(), error["column"].clone()))
            .collect();
        let expected = [
            (2, "CONFLICT", "keyword"),
            (3, "VALIDATION_ERROR", "keyword"),
            (5, "VALIDATION_ERROR", "url"),
            (6, "VALIDATION_ERROR", "keyword"),
            (7, "VALIDATION_ERROR", "url"),
            (9, "VALIDATION_ERROR", "timestamp"),
        ];
        assert_eq!(errors, expected.map(|(row, code, column)| (row, json!(code), json!(column))));
        if is_dry_run {
            assert_eq!(exported(&server, &bob).await, links);
        }
    }
    assert_eq!(database.events("link.created").await, 3, "hers, and two of his");
    assert_eq!(database.events("import.finished").await, 2);
    assert_eq!(database.number("SELECT count(*) FROM import_parts").await, 0);
}

#[on_each_database]
async fn a_file_may_come_in_parts(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let key = server.api_key(&token, &["links:write", "links:read"]).await;
    let file = yourls((0..1_000).map(|number| format!("part-{number}")));
    let begun = server.post("/api/v1/imports", &key, json!({ "source": "YOURLS" })).await.expect(202).json();
    assert_eq!((&begun["state"], &begun["total"]), (&json!("OPEN"), &Json::Null));
    let other = server.post("/imports", &token, json!({ "data": file })).await.expect(409);
    assert_eq!(other.code(), "CONFLICT");
    let path = format!("/api/v1/imports/{}/parts", begun["id"].as_str().unwrap());
    let part = |number: usize, is_last: bool| {
        let (start, end) = ((number - 1) * 10_007, file.len().min(number * 10_007));
        json!({ "number": number, "data": &file[start..end], "isLast": is_last })
    };
    assert_eq!(server.post(&path, &key, part(2, false)).await.expect(400).violations(), ["number"]);
    server.post(&path, &key, part(1, false)).await.expect(202);
    server.post(&path, &key, part(1, false)).await.expect(202);
    let changed = json!({ "number": 1, "data": "something else" });
    assert_eq!(server.post(&path, &key, changed).await.expect(409).code(), "CONFLICT");
    let last = file.len().div_ceil(10_007);
    for number in 2..=last {
        server.post(&path, &key, part(number, number == last)).await.expect(202);
    }
    // The answer may be lost.
    server.post(&path, &key, part(last, true)).await.expect(202);
    assert_eq!(counts(&ended(&server, &token, &begun).await), (1_000, 0, 0));
    let more = json!({ "number": last + 1, "data": "x" });
    assert_eq!(server.post(&path, &key, more).await.expect(409).code(), "CONFLICT");
    assert_eq!(exported(&server, &token).await.len(), 1_000);
    // Another one can begin, and be given up.
    let begun = server.post("/imports", &token, json!({})).await.expect(202).json();
    let cancel = format!("/imports/{}/cancel", begun["id"].as_str().unwrap());
    let cancelled = server.post(&cancel, &token, Json::Null).await.expect(200).json();
    assert_eq!((&cancelled["state"], cancelled["finishedAt"].is_string()), (&json!("CANCELLED"), true));
    assert_eq!(server.post(&cancel, &token, Json::Null).await.expect(409).code(), "CONFLICT");
    let listed = server.get("/imports", &token).await.expect(200).json();
    assert_eq!((&listed["total"], &listed["data"][0]["state"]), (&json!(2), &json!("CANCELLED")));
}

#[on_each_database]
async fn files_that_cant_be_read_are_refused_before_anything_is_stored(database: TestDatabase) {
    let server = database.start().await;
    let (token, mallory) = (server.register("alice").await, server.register("mallory").await);
    for (input, fields) in [
        (json!({ "data": "first name,city\nEve,Bern\n" }), vec!["columns"]),
        (json!({ "data": "url\nx\n", "columns": [{ "column": "y", "field": "TITLE" }] }), vec!["columns.0.column"]),
        (json!({ "data": "url\nx\n", "encoding": "nonsense" }), vec!["encoding"]),
        (json!({ "data": "url\nx\n", "columns": [{ "column": "", "field": "TITLE" }] }), vec!["columns.0.column"]),
        (json!({ "data": "url\nx\n", "dateFormat": "MYD" }), vec!["dateFormat"]),
        (json!({ "data": "" }), vec!["data"]),
        (json!({ "data": "keyword\na\n", "source": "YOURLS" }), vec!["data"]),
    ] {
        let answer = server.post("/imports", &token, input.clone()).await.expect(400);
        assert_eq!(answer.violations(), fields, "{input}");
    }
    // The schema names the sources; the others are judged after that.
    for (source, fields) in [("DUB", vec!["source"]), ("SHLINK", vec!["url", "key"])] {
        let input = json!({ "url": "ftp://s.example", "source": source, "key": "k k" });
        let answer = server.post("/imports/from-api", &token, input).await.expect(400);
        assert_eq!(answer.violations(), fields);
    }
    let unknown = json!({ "data": "keyword,url\na,https://a.example/\n", "domain": "go.example" });
    assert_eq!(server.post("/imports", &token, unknown).await.expect(404).code(), "NOT_FOUND");
    assert_eq!(database.number("SELECT count(*) FROM imports").await, 0);
    // An error further on in the file is found before the first row is stored.
    let cut = "[{\"keyword\":\"a\",\"url\":\"https://a.example/\"},{\"keyword\":";
    let failed = import(&server, &token, json!({ "data": cut })).await;
    assert_eq!((&failed["state"], &failed["done"]), (&json!("FAILED"), &json!(0)));
    assert!(failed["error"].as_str().unwrap().contains("its end is missing"), "{failed}");
    assert_eq!(exported(&server, &token).await, Vec::<Json>::new());
    for path in ["", "/errors"] {
        let path = format!("/imports/{}{path}", failed["id"].as_str().unwrap());
        assert_eq!(server.get(&path, &mallory).await.expect(404).code(), "NOT_FOUND");
    }
    let cancel = format!("/imports/{}/cancel", failed["id"].as_str().unwrap());
    assert_eq!(server.post(&cancel, &mallory, Json::Null).await.expect(404).code(), "NOT_FOUND");
}

#[on_each_database]
async fn a_plan_bounds_rows_and_links(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "free")]).await;
    let token = server.register("alice").await;
    server.link(&token, "one").await;
    server.link(&token, "two").await;
    let data = yourls((0..1_010).map(|number| format!("n{number}")));
    for is_dry_run in [true, false] {
        let ended = import(&server, &token, json!({ "data": data, "isDryRun": is_dry_run })).await;
        assert_eq!(counts(&ended), (998, 0, 12), "{ended}");
        let errors = errors(&server, &token, &ended).await;
        assert!(errors.iter().all(|error| error["code"] == "PLAN_LIMIT_REACHED"), "{errors:?}");
        assert_eq!((errors[0]["row"].as_u64(), errors[2]["row"].as_u64()), (Some(1_000), Some(1_002)));
        assert_eq!(errors[2]["message"], "The plan allows 1000 rows in an import.");
    }
    assert_eq!(database.number("SELECT link_count FROM accounts").await, 1_000);
    // The stored bytes of a file are bounded too.
    let begun = server.post("/imports", &token, json!({})).await.expect(202).json();
    let parts = format!("/imports/{}/parts", begun["id"].as_str().unwrap());
    let mut refused = None;
    for number in 1..30 {
        let part = json!({ "number": number, "data": "x".repeat(200_000) });
        let answer = server.post(&parts, &token, part).await;
        if answer.status != 202 {
            refused = Some((number, answer.expect(403).json()["error"]["details"].clone()));
            break;
        }
    }
    let details = json!({ "limit": 4_194_304, "used": 4_200_000, "resource": "importBytes" });
    assert_eq!(refused, Some((21, details)));
    assert_eq!(database.number("SELECT sum(length(data)) FROM import_parts").await, 4_000_000);
    assert_eq!(database.number("SELECT bytes FROM imports WHERE finished_at IS NULL").await, 4_000_000);
}

/// SQLite fails at random places while an import runs; in the end each row is one link and one event, and counted once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_goes_on_after_each_failure_of_sqlite() {
    const ROWS: i64 = 3_000;
    let database = TestDatabase::sqlite();
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let writer = server.api().app.db.sqlite_writer().unwrap();
    let seed = setting("LINKGRAPH_SOAK_SEED", rand::random::<u32>().into());
    let mut random = StdRng::seed_from_u64(seed);
    let begun = server.post("/imports", &token, json!({})).await.expect(202).json();
    let path = format!("/imports/{}", begun["id"].as_str().unwrap());
    let file = yourls((0..ROWS).map(|number| format!("f{number}")));
    let characters: Vec<char> = file.chars().collect();
    let parts: Vec<String> = characters.chunks(100_000).map(|part| part.iter().collect()).collect();
    for (number, data) in (1..).zip(&parts) {
        arm(&writer, Some(any_fault(&mut random))).await;
        let body = json!({ "number": number, "data": data, "isLast": number == parts.len() });
        if server.post(&format!("{path}/parts"), &token, body.clone()).await.status != 202 {
            // A part that was refused may come again, and so may one that was not.
            arm(&writer, None).await;
            server.post(&format!("{path}/parts"), &token, body).await.expect(202);
        }
    }
    let connection = database.connect().await;
    // The next attempt is made at once, also when the outcome of the last one could not be stored.
    let at_once = async || {
        connection.execute_unprepared("UPDATE jobs SET run_at = 0 WHERE kind = 'run_import'").await.unwrap();
        server.clock.advance(MINUTE);
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    let (mut last, mut failures) = (0, 0);
    for _ in 0..40 {
        arm(&writer, Some(any_fault(&mut random))).await;
        at_once().await;
        failures += database.number("SELECT count(*) FROM jobs WHERE attempts > 0").await;
        let import = server.get(&path, &token).await.expect(200).json();
        let done = import["done"].as_i64().unwrap();
        assert!(done >= last, "seed {seed}: {done} after {last}");
        last = done;
    }
    arm(&writer, None).await;
    assert!(failures > 0, "seed {seed}: no fault hit the import");
    eventually("the import ends", async || {
        at_once().await;
        (database.number("SELECT count(*) FROM imports WHERE finished_at IS NOT NULL").await == 1).then_some(())
    })
    .await;
    assert_eq!(counts(&ended(&server, &token, &begun).await), (ROWS.unsigned_abs(), 0, 0), "seed {seed}");
    server.stop().await;
    assert_imported_once(&database, ROWS, &format!("seed {seed}")).await;
}

/// Killed again and again, an import goes on where it was: each row becomes one link and one event.
#[on_each_database]
async fn kill_9_loses_and_doubles_no_row(database: TestDatabase) {
    const ROWS: i64 = 6_000;
    let settings = [("LINKGRAPH_DEFAULT_PLAN", "unlimited")];
    let mut service = TestProcess::start(&database, &settings).await;
    let token = service.register("alice").await;
    let file = yourls((0..ROWS).map(|number| format!("k{number}")));
    let begun = service.post("/imports", &token, json!({})).await.expect(202).json();
    let path = format!("/imports/{}", begun["id"].as_str().unwrap());
    let characters: Vec<char> = file.chars().collect();
    let parts: Vec<String> = characters.chunks(100_000).map(|part| part.iter().collect()).collect();
    for (number, data) in (1..).zip(&parts) {
        let body = json!({ "number": number, "data": data, "isLast": number == parts.len() });
        service.post(&format!("{path}/parts"), &token, body).await.expect(202);
    }
    let connection = database.connect().await;
    let mut last = 0;
    for kills in 0.. {
        let import = eventually("it goes on", async || {
            let import = service.get(&path, &token).await.expect(200).json();
            let done = import["done"].as_i64().unwrap();
            (done > last || !import["finishedAt"].is_null()).then_some(import)
        })
        .await;
        if kills >= 4 || !import["finishedAt"].is_null() {
            assert!(kills > 0, "it was never killed");
            break;
        }
        let done = import["done"].as_i64().unwrap();
        assert!(done >= last, "what was acknowledged is stored: {done} after {last}");
        last = done;
        service.kill();
        // The lease of a process that died ends by itself, within a minute.
        connection.execute_unprepared("UPDATE jobs SET leased_until = NULL WHERE kind = 'run_import'").await.unwrap();
        service = TestProcess::start(&database, &settings).await;
    }
    assert_eq!(counts(&ended(&service, &token, &begun).await), (ROWS.unsigned_abs(), 0, 0));
    assert_imported_once(&database, ROWS, "kills").await;
    let result = result(&service, &token, &begun, "csv").await;
    let mut numbers = result.lines().skip(1).map(|line| line.split(',').next().unwrap().parse::<i64>().unwrap());
    assert!(numbers.by_ref().eq(2..ROWS + 2), "each row is once in the result");
    // The job ends after its import.
    database.jobs_become("run_import", "TRUE", 0).await;
}

/// A worker whose lease has ended finds that another one runs the import. It leaves the job, the import's only one, since the other
/// worker may crash.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_import_keeps_its_job_until_its_end() {
    const ROWS: usize = 6_000;
    let database = TestDatabase::postgres().await;
    let server = database.start_with(&[("LINKGRAPH_DEFAULT_PLAN", "unlimited")]).await;
    let token = server.register("alice").await;
    let begun = server.post("/imports", &token, json!({})).await.expect(202).json();
    let path = format!("/imports/{}", begun["id"].as_str().unwrap());
    let file = yourls((0..ROWS).map(|number| format!("k{number:05}")));
    let row = file.lines().last().unwrap().len() + 1;
    let parts: Vec<&str> = file.as_bytes().chunks(100_000).map(|part| std::str::from_utf8(part).unwrap()).collect();
    for (number, data) in (1..).zip(&parts) {
        let body = json!({ "number": number, "data": data, "isLast": number == parts.len() });
        server.post(&format!("{path}/parts"), &token, body).await.expect(202);
    }
    let connection = database.connect().await;
    let other = eventually("it has begun", async || {
        let other = connection.begin().await.unwrap();
        let asked = Statement::from_string(DatabaseBackend::Postgres, "SELECT done FROM imports FOR UPDATE");
        let done: i64 = other.query_one_raw(asked).await.unwrap().unwrap().try_get_by_index(0).unwrap();
        (done > 0).then_some(other)
    })
    .await;
    database.waits_for_locks(1).await;
    let goes_on = format!("UPDATE imports SET position = position + {}, done = done + 10", 10 * row);
    other.execute_unprepared(&goes_on).await.unwrap();
    other.commit().await.unwrap();
    database.jobs_become("run_import", "leased_until IS NULL", 1).await;
    server.clock.advance(60_000);
    let import = ended(&server, &token, &begun).await;
    assert_eq!((&import["state"], &import["done"], &import["failed"]), (&json!("FINISHED"), &json!(ROWS), &json!(0)));
    server.stop().await;
}

/// An export is imported as it was.
#[on_each_database]
async fn an_export_is_imported_as_it_was(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let awkward = ["=SUM(A1)", "'=SUM(A1)", "''-", "a,\"b\";c", "+1", "@x", "Größe €", "{\"a\":1}"];
    for (number, text) in awkward.iter().enumerate() {
        let body = json!({
            "destinationUrl": format!("https://example.com/{number}?a=1,2&b=\"x\""), "slug": format!("x{number}"), "title": text,
            "notes": format!("{text}\r\nsecond line,\t{text}"), "externalId": format!("{text}{number}"),
            "tags": ["plain", format!("a \"b\" | {number}")],
            "isActive": number % 2 == 0, "forwardsQuery": (number % 3 > 0).then_some(number % 3 == 1),
            "maxClicks": (number % 3 == 0).then_some(5 + number),
            "expiresAt": (number % 2 == 1).then_some("2030-01-01T00:00:00.123Z"), "expiredUrl": "https://example.com/over",
        });
        let link = server.post("/links", &token, body).await.expect(201).json();
        if number == 3 {
            let path = format!("/links/{}", link["id"].as_str().unwrap());
            server.call("PATCH", &path, &token, json!({ "isArchived": true })).await.expect(200);
        }
        let set = async |part: &str, body: Json| {
            let path = format!("/links/{}/{part}", link["id"].as_str().unwrap());
            server.call("PUT", &path, &token, body).await.expect(200);
        };
        let part = |name: &str| json!({ "destinationUrl": format!("https://example.com/{name}"), "label": text, "weight": 50 });
        let conditions = json!([
            { "kind": "QUERY", "key": "ref", "values": [format!("={text}"), "~news"] },
            { "kind": "WEEKLY_HOURS", "key": "Europe/Berlin", "values": ["FRI 22:00-02:00"], "negated": true },
        ]);
        if number % 2 == 0 {
            let split = json!({ "name": text, "conditions": conditions, "split": [part("a"), part("b")] });
            let phones = json!({ "conditions": [{ "kind": "DEVICE", "values": ["MOBILE"] }], "destinationUrl": "https://example.com/phones" });
            set("rules", json!({ "rules": [split, phones] })).await;
        }
        if number % 3 == 0 {
            let stop = (number > 0).then_some("2030-01-01T00:00:00.000Z");
            set("split", json!({ "parts": [part("b"), part("c")], "autoStopsAt": stop })).await;
        }
    }
    server.link(&token, "plain").await;
    let kept = |links: Vec<Json>| {
        let kept = links.into_iter().map(|mut link| {
            let fields = link.as_object_mut().unwrap();
            // Clicks of before are what an imported link has been followed.
            let clicks = fields["clickCount"].as_i64().unwrap() + fields["importedClicks"].as_i64().unwrap_or(0);
            fields.insert("clickCount".to_owned(), json!(clicks));
            fields.retain(|name, _| !["id", "updatedAt", "lastClickedAt", "importedClicks"].contains(&&**name));
            link
        });
        let mut kept: Vec<Json> = kept.collect();
        kept.sort_by_key(|link| link["slug"].as_str().unwrap().to_owned());
        kept
    };
    let before = kept(exported(&server, &token).await);
    assert_eq!(before.len(), awkward.len() + 1);
    for format in ["csv", "jsonl"] {
        let file = server.get(&format!("/links/export?format={format}"), &token).await.expect(200).text;
        let again = import(&server, &token, json!({ "data": file })).await;
        assert_eq!(counts(&again), (0, 9, 0), "{format}: {:?}", errors(&server, &token, &again).await);
        delete_all(&server, &token).await;
        let ended = import(&server, &token, json!({ "data": file })).await;
        assert_eq!(counts(&ended), (9, 0, 0), "{format}: {:?}", errors(&server, &token, &ended).await);
        assert_eq!(kept(exported(&server, &token).await), before, "{format}");
    }
    let routes = server.get("/links/export?search=x5&fields=slug,rules,split", &token).await.expect(200).text;
    assert_eq!(routes, "slug,rules,split\r\nx5,,\r\n");
    let routes = server.get("/links/export?format=jsonl&search=x6&fields=rules,split", &token).await.expect(200).json();
    let link = exported(&server, &token).await.into_iter().find(|link| link["slug"] == "x6").unwrap();
    for part in ["rules", "split"] {
        let input: Json = serde_json::from_str(routes[part].as_str().unwrap()).unwrap();
        let path = format!("/links/{}/{part}", link["id"].as_str().unwrap());
        server.call("PUT", &path, &token, input).await.expect(200);
        assert_eq!(
            exported(&server, &token).await.into_iter().find(|link| link["slug"] == "x6").unwrap()[part],
            routes[part]
        );
    }
    let tagged = server.get("/links/export?tags=PLAIN&fields=slug", &token).await.expect(200).text;
    assert_eq!(tagged.lines().count(), 9);
    let oldest = server.get("/links/export?sort=OLDEST&isArchived=true&fields=slug", &token).await.expect(200).text;
    assert_eq!(oldest, "slug\r\nx3\r\n");
    assert_eq!(server.get("/links/export?sort=MOST_CLICKED", &token).await.expect(400).violations(), ["sort"]);
}

/// Rules and splits of a file are checked as those of a request; a row with wrong ones fails, and others become links.
#[on_each_database]
async fn rows_with_wrong_rules_fail_and_say_where(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let to = |rule: Json| {
        let mut rule = rule;
        rule["destinationUrl"] = json!("https://example.com/to");
        json!({ "rules": [rule] })
    };
    let bot = json!([{ "kind": "IS_BOT" }]);
    let part = |weight: i32| json!({ "destinationUrl": format!("https://example.com/{weight}"), "weight": weight });
    let table = [
        ("rules", json!("rules"), "can't be read"),
        ("rules", to(json!({ "conditions": bot, "colour": "red" })), "colour"),
        ("rules", to(json!({ "conditions": [] })), "rules.0.conditions must have 1 to 8 items"),
        ("rules", to(json!({ "conditions": [{ "kind": "OS" }] })), "rules.0.conditions.0.values"),
        (
            "rules",
            to(json!({ "name": "x".repeat(101), "conditions": bot })),
            "rules.0.name must have 1 to 100 characters",
        ),
        ("rules", json!({ "rules": [{ "conditions": bot, "destinationUrl": "nowhere" }] }), "rules.0.destinationUrl"),
        (
            "rules",
            json!({ "rules": vec![to(json!({ "conditions": bot }))["rules"][0].clone(); 33] }),
            "must have at most 32 items, has 33",
        ),
        ("split", json!({ "parts": [part(1)] }), "must have 2 to 8 items"),
        ("split", json!({ "parts": [part(1), part(-1)] }), "parts.1.weight must be between 0 and 100"),
        ("split", json!({ "parts": [part(1), part(101)] }), "parts.1.weight must be between 0 and 100"),
        (
            "split",
            json!({ "parts": [part(1), { "destinationUrl": "https://example.com/2", "label": "a\nb", "weight": 1 }] }),
            "parts.1.label",
        ),
    ];
    let row = |slug: &str| json!({ "destinationUrl": "https://example.com/", "slug": slug });
    let mut file = String::new();
    for (number, (column, value, _)) in table.iter().enumerate() {
        let mut row = row(&format!("wrong{number}"));
        row[*column] = json!(value.to_string());
        file += &format!("{row}\n");
    }
    let mut right = row("right");
    right["rules"] = json!(to(json!({ "conditions": bot })).to_string());
    file += &format!("{right}\n");
    for is_dry_run in [true, false] {
        let done = import(&server, &token, json!({ "data": file, "isDryRun": is_dry_run })).await;
        assert_eq!(counts(&done), (1, 0, table.len() as u64));
        for (error, (column, value, message)) in errors(&server, &token, &done).await.iter().zip(&table) {
            assert_eq!(
                (&error["column"], &error["code"]),
                (&json!(column), &json!("VALIDATION_ERROR")),
                "{value}: {error}"
            );
            assert!(error["message"].as_str().unwrap().contains(message), "{value}: {error}");
        }
        assert_eq!(database.number("SELECT count(*) FROM link_rules").await, i64::from(!is_dry_run));
    }
    let bot = server.request(reqwest::Method::GET, "/right").header("user-agent", "curl/8.5.0");
    assert_eq!(server.send(bot).await.expect(302).header("location"), "https://example.com/to");
}

#[on_each_database]
async fn a_command_imports_beside_the_service(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let directory = TestDatabase::empty_sqlite();
    let path = directory.folder.join("links.csv");
    std::fs::write(&path, yourls((0..300).map(|number| format!("c{number}"))) + "c300,nowhere,,,,\n").unwrap();
    let path = path.to_str().unwrap();
    let run = async |more: &[&str]| {
        let arguments = [&["import", path, "--account", "Alice@example.com"], more].concat();
        let output = binary(&database, &[], &arguments).await;
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, err) = run(&["--dry-run"]).await;
    assert_eq!(code, Some(1), "{err}");
    assert!(out.starts_with("300 links would be created, 0 were there, 1 rows failed\nrow 302: url: "), "{out}");
    assert_eq!(exported(&server, &token).await.len(), 0);
    let (_, out, err) = run(&[]).await;
    assert!(out.starts_with("300 links created, 0 were there, 1 rows failed\n"), "{out}");
    assert!(err.contains("301 of 301 rows\n"), "{err}");
    let (_, out, _) = run(&["--source", "yourls"]).await;
    assert!(out.starts_with("0 links created, 300 were there, 1 rows failed\n"), "{out}");
    assert_eq!(exported(&server, &token).await.len(), 300);
    // A table of a person, in the encoding of a German Windows, with what only they know.
    let table = "Wohin;Name;Wann\r\nhttps://acme.example/m;Gr\u{f6}\u{df}e;03/04/2024\r\n";
    std::fs::write(
        path,
        table.chars().map(|character| u8::try_from(u32::from(character)).unwrap()).collect::<Vec<u8>>(),
    )
    .unwrap();
    let (_, out, err) = run(&["--map", "url=Wohin", "--map", "createdAt=Wann", "--dry-run"]).await;
    assert!(out.starts_with("0 links would be created, 0 were there, 1 rows failed\n"), "{out}");
    assert!(err.contains("say --date-format dmy, mdy or ymd\n"), "{err}");
    let (code, out, err) = run(&[
        "--map",
        "url=Wohin",
        "--map",
        "slug=2",
        "--map",
        "createdAt=wann",
        "--date-format",
        "DMY",
        "--map",
        "none=Name",
    ])
    .await;
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(err.contains("Name is no column of the file."), "{err}");
    let (code, out, err) = run(&["--map", "url=Wohin", "--map", "createdAt=Wann", "--date-format", "DMY"]).await;
    assert_eq!((code, &*out), (Some(0), "1 links created, 0 were there, 0 rows failed\n"), "{err}");
    let assumed = "read as a table in windows-1252: destinationUrl=Wohin, title=Name, createdAt=Wann, dates dmy\n";
    assert!(err.contains(assumed), "{err}");
    let links = exported(&server, &token).await;
    let link = links.iter().find(|link| link["title"] == "Größe").unwrap();
    assert_eq!(link["createdAt"], "2024-04-03T00:00:00.000Z");
    for (more, said) in [
        (["--map", "wohin"], "--map: wohin is not FIELD=COLUMN"),
        (["--map", "where=Wohin"], "--map: no field is called where"),
        (["--date-format", "ym"], "--date-format: ym is not dmy, mdy or ymd"),
        (["--source", "excel"], "--source: excel is none of the services that are known"),
        (["--domain", "go.example"], "--domain: the account has no domain go.example"),
    ] {
        let (code, _, err) = run(&more).await;
        assert!(code == Some(1) && err.contains(said), "{err}");
    }
}

/// A stand-in for another service: answers requests in turn, and keeps what it was asked.
fn service(
    answers: impl IntoIterator<Item = (u16, String), IntoIter: Send + 'static>,
) -> (String, Arc<Mutex<Vec<String>>>) {
    let answers = answers.into_iter();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    std::thread::spawn(move || {
        for (status, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = vec![0; 8_192];
            let length = stream.read(&mut request).unwrap();
            heard.lock().unwrap().push(String::from_utf8_lossy(&request[..length]).into_owned());
            let head = format!("HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    (url, asked)
}

#[on_each_database]
async fn links_are_read_out_of_apis(database: TestDatabase) {
    let server = database.start_with(&[("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_LOG", "trace")]).await;
    let token = server.register("alice").await;
    let page = |from: usize, to: usize| {
        let links: Vec<Json> = (from..to)
            .map(|number| json!({ "shortCode": format!("s{number}"), "longUrl": format!("https://a.example/{number}"), "tags": [] }))
            .collect();
        json!({ "shortUrls": { "data": links } }).to_string()
    };
    let (url, asked) = service(vec![(200, page(0, 100)), (200, page(100, 130))]);
    let input = json!({ "source": "SHLINK", "url": url, "key": "s3cret-key" });
    let ended = import(&server, &token, input).await;
    assert_eq!(counts(&ended), (130, 0, 0), "{ended}");
    let asked = asked.lock().unwrap().clone();
    assert!(asked[0].starts_with("GET /rest/v3/short-urls?page=1&itemsPerPage=100&orderBy="), "{asked:?}");
    assert!(asked[1].contains("page=2&") && asked[1].contains("x-api-key: s3cret-key\r\n"), "{asked:?}");
    let (url, asked) = service(vec![(200, file("yourls-stats.json"))]);
    let input = json!({ "source": "YOURLS", "url": format!("{url}/yourls-api.php"), "key": "t0ken" });
    assert_eq!(counts(&import(&server, &token, input).await), (2, 0, 0));
    let asked = asked.lock().unwrap().clone();
    assert!(asked[0].starts_with("POST /yourls-api.php HTTP/1.1\r\n"), "{asked:?}");
    // A page of a megabyte could have so many links that their transaction would take too long.
    let (url, _) = service(vec![(200, page(200, 301))]);
    let before = database.links().await;
    let failed = import(&server, &token, json!({ "source": "SHLINK", "url": url, "key": "s3cret-key" })).await;
    assert_eq!(
        (&failed["state"], &failed["error"], &failed["created"]),
        (&json!("FAILED"), &json!("The service answered more than the 100 links of a page."), &json!(0))
    );
    assert_eq!(database.links().await, before);
    let (url, _) = service(vec![(401, String::new())]);
    let failed = import(&server, &token, json!({ "source": "SHLINK", "url": url, "key": "s3cret-key" })).await;
    assert_eq!((&failed["state"], failed["error"].as_str().unwrap().contains("401")), (&json!("FAILED"), true));
    // The key goes with the end of the import.
    assert_eq!(database.number("SELECT count(*) FROM imports WHERE secret IS NOT NULL").await, 0);
}

/// A service that never comes to an end keeps neither memory nor a worker: both imports of an API end with a reason.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_api_without_an_end_is_left() {
    let database = TestDatabase::sqlite();
    let allowed = [("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"), ("LINKGRAPH_DEFAULT_PLAN", "free")];
    let server = database.start_with(&allowed).await;
    let token = server.register("alice").await;
    let long = "x".repeat(9_000);
    let page = move |number: usize| {
        let links = (0..100).map(|link| json!({ "shortCode": format!("p{number}-{link}"), "longUrl": "https://a.example/", "unknown": long }));
        json!({ "shortUrls": { "data": links.collect::<Vec<_>>() } }).to_string()
    };
    for is_dry_run in [true, false] {
        let page = page.clone();
        let (url, asked) = service((0..100).map(move |number| (200, page(number))));
        let input = json!({ "source": "SHLINK", "url": url, "key": "k", "isDryRun": is_dry_run });
        let ended = import(&server, &token, input).await;
        assert_eq!(
            (&ended["state"], &ended["error"]),
            (&json!("FAILED"), &json!("The service has more than 64 MiB of links."))
        );
        assert!((60..80).contains(&asked.lock().unwrap().len()), "{ended}");
    }
    // This service answers, but for longer than other imports can wait.
    let clock = server.clock.clone();
    let slow = (0..100).map(move |number| {
        clock.advance(90_000);
        let links =
            (0..100).map(|link| json!({ "shortCode": format!("p{number}-{link}"), "longUrl": "https://a.example/" }));
        (200, json!({ "shortUrls": { "data": links.collect::<Vec<_>>() } }).to_string())
    });
    let (url, asked) = service(slow);
    let ended = import(&server, &token, json!({ "source": "SHLINK", "url": url, "key": "k", "isDryRun": true })).await;
    assert_eq!((&ended["state"], asked.lock().unwrap().len() < 10), (&json!("FAILED"), true), "{ended}");
    assert!(ended["error"].as_str().unwrap().contains("5 minutes"), "{ended}");
    server.stop().await;
}

/// An import that nobody sends parts to any more does not stay for ever, nor does what has ended.
#[on_each_database]
async fn what_has_served_its_time_is_deleted(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let begun = server.post("/imports", &token, json!({})).await.expect(202).json();
    let part = json!({ "number": 1, "data": "keyword,url\n" });
    server.post(&format!("/imports/{}/parts", begun["id"].as_str().unwrap()), &token, part).await.expect(202);
    server.stop().await;
    let clock = linkgraph::base::clock::Clock::default();
    clock.advance(DAY + 60_000);
    let server = database.start_at(&[], clock.clone()).await;
    eventually("it is cancelled", async || {
        let states = database.texts("SELECT state FROM imports").await;
        (states == ["cancelled"]).then_some(())
    })
    .await;
    assert_eq!(database.number("SELECT count(*) FROM import_parts").await, 0);
    server.stop().await;
    clock.advance(31 * DAY);
    let _server = database.start_at(&[], clock).await;
    eventually("it is deleted", async || (database.number("SELECT count(*) FROM imports").await == 0).then_some(()))
        .await;
}

/// Clicks before an import count where links are sorted by clicks, also for links that were imported before they did.
#[on_each_database]
async fn links_are_sorted_by_clicks_of_before_and_after_an_import(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let table = "url,slug,clicks\nhttps://example.com/old,spring,1284\nhttps://example.com/none,atlas,0\n";
    import(&server, &token, json!({ "data": table })).await;
    server.link(&token, "new").await;
    let sorted = async |http: &Http| -> Vec<(String, i64)> {
        let page = http.get("/links?sort=MOST_CLICKED", &token).await.expect(200).json();
        let links = page["data"].as_array().unwrap().iter();
        let clicks = |link: &Json| link["clickCount"].as_i64().unwrap() + link["importedClicks"].as_i64().unwrap_or(0);
        links.map(|link| (link["slug"].as_str().unwrap().to_owned(), clicks(link))).collect()
    };
    let imported = sorted(&server).await;
    let of = |slug: &str| imported.iter().find(|(name, _)| name == slug).unwrap().1;
    assert_eq!(imported[0], ("spring".to_owned(), 1_284));
    let few = of("atlas") + 2;
    for _ in 0..few {
        server.follow("new").await.expect(302);
    }
    server.follow("spring").await.expect(302);
    let expected =
        [("spring", 1_285), ("new", few), ("atlas", few - 2)].map(|(slug, clicks)| (slug.to_owned(), clicks));
    eventually("the clicks are ingested", async || (sorted(&server).await == expected).then_some(())).await;
    server.stop().await;
    let connection = database.connect().await;
    let later = migration::names().position(|name: &str| name.ends_with("imported_clicks")).unwrap();
    migration::down(&connection, Some(migration::names().count() - later)).await.unwrap();
    let stored = "SELECT max(click_count) FROM link_activity";
    assert_eq!(database.number(stored).await, few);
    connection.close().await.unwrap();
    let server = database.start().await;
    assert_eq!(sorted(&server).await, expected);
}
