//! Which files may depend on which, by the graph of imports; and what their text may not have.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use crate::imports::Imports;

fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push((path.clone(), fs::read_to_string(path).unwrap()));
        }
    }
    found
}

fn in_src() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let relative = |path: &Path| path.strip_prefix(&root).unwrap().display().to_string();
    let found: Vec<_> = sources(&root).into_iter().map(|(path, text)| (relative(&path), text)).collect();
    assert!(found.len() > 40, "the source is not where it was");
    found
}

/// Files for which `applies` holds must not contain any of the words.
fn forbid(applies: impl Fn(&str) -> bool, words: &[&str]) {
    let mut broken = Vec::new();
    let mut looked_at = 0;
    for (path, text) in in_src() {
        if applies(&path) {
            looked_at += 1;
            broken.extend(words.iter().filter(|word| text.contains(**word)).map(|word| format!("{path}: {word}")));
        }
    }
    assert!(looked_at > 0, "nothing was looked at");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn queries_stand_where_the_house_keeps_them() {
    let allowed = |path: &str| {
        path.ends_with("repo.rs")
            || path.ends_with("loader.rs")
            || path.starts_with("platform/work/")
            || path.starts_with("platform/db/")
            || path.starts_with("ingest/")
            || path == "redirect/resolve.rs"
            || path == "redirect/lookups.rs"
            // It passes a transaction's statements on.
            || path == "app/change.rs"
    };
    forbid(|path| !allowed(path), &["::Entity::", "::Entity>", "ActiveModel {", "query_one_raw", "query_all_raw"]);
}

/// Where single clicks live is seen by one room: ingest writes them, and analytics asks about them, through it.
#[test]
fn clicks_live_in_one_room() {
    let words = [
        "click::Entity",
        "click::Column",
        "click_block::",
        "INTO clicks",
        "UPDATE clicks",
        "FROM clicks",
        "JOIN clicks",
    ];
    forbid(|path| !path.starts_with("click_store/"), &words);
}

/// The commit of a `Change` evicts the keys that it makes stale, and wakes workers. Ingest needs neither.
#[test]
fn changes_are_begun_by_the_app() {
    forbid(|path| !path.starts_with("ingest/"), &["app.db.begin"]);
}

/// Elsewhere a file could be made that others may read.
#[test]
fn files_are_made_in_one_place() {
    let words = ["File::create", "create_dir", "fs::write", "OpenOptions::new", "DirBuilder"];
    forbid(|path| path != "base/file.rs", &words);
}

#[test]
fn rules_know_no_http_and_no_graphql_library() {
    forbid(|path| path.ends_with("ops.rs") || path.ends_with("repo.rs"), &["axum", "async_graphql", "graphql::"]);
}

fn imports() -> Imports {
    Imports::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// The folders of the source, from the lowest to the highest. A file imports from its own folder and from those before it. The root of the
/// crate, which is in none, imports them all.
const ROOMS: &[&str] = &[
    "base/",
    "platform/api_threads/",
    "platform/db/",
    "platform/net/",
    "platform/auth/",
    "platform/http/",
    "platform/idempotency/",
    "platform/work/",
    "platform/live/",
    "clicks/",
    "click_store/",
    "redirect/",
    "payments/",
    "records/",
    "app/",
    "graphql/",
    "features/",
    "across/",
    "contract/",
    "delivery/",
    "ingest/",
    "api/",
    "server/",
    "command/",
];

fn is_root(file: &str) -> bool {
    // A folder of rooms declares them.
    file == "lib.rs" || file == "main.rs" || file == "platform/mod.rs"
}

fn room(file: &str) -> usize {
    ROOMS.iter().position(|room| file.starts_with(room)).unwrap_or_else(|| panic!("{file} is in no room"))
}

#[test]
fn files_import_from_their_own_room_and_lower_ones() {
    let imports = imports();
    let upward: Vec<String> = imports
        .pairs()
        .filter(|(file, imported)| !is_root(file) && (is_root(imported) || room(imported) > room(file)))
        .map(|(file, imported)| format!("{file} → {imported}"))
        .collect();
    assert!(upward.is_empty(), "{upward:#?}");
}

/// The folder of a feature in a room: `links` of `features/links/query.rs`.
fn feature<'a>(file: &'a str, room: &str) -> Option<&'a str> {
    file.strip_prefix(room).and_then(|path| path.split(['/', '.']).next()).filter(|name| *name != "mod")
}

/// Records may be used by anything that has a database: they name no application, no change, no HTTP and no GraphQL but the names that
/// their values have in the schema, and of another feature's records only how a name is compared.
#[test]
fn records_know_no_application() {
    let names_of_values = "use async_graphql::Enum;";
    let without_tests = |text: &str| text.split("#[cfg(test)]").next().unwrap_or_default().replace(names_of_values, "");
    for (path, text) in in_src().into_iter().filter(|(path, _)| path.starts_with("records/")) {
        let text = without_tests(&text);
        assert!(!text.contains("axum") && !text.contains("async_graphql"), "{path}");
    }
    let imports = imports();
    let foreign: Vec<_> = imports
        .pairs()
        .filter(|(file, imported)| {
            let (own, other) = (feature(file, "records/"), feature(imported, "records/"));
            own.is_some() && other.is_some() && own != other && !imported.ends_with("/name.rs")
        })
        .collect();
    assert!(foreign.is_empty(), "{foreign:#?}");
}

/// A feature imports files of another that are named for one thing, never its `ops.rs`. Two features that import each other can't be read
/// apart.
#[test]
fn features_know_little_of_each_other() {
    let imports = imports();
    let pairs: BTreeSet<(&str, &str)> = imports
        .pairs()
        .filter_map(|(file, imported)| {
            let pair = (feature(file, "features/")?, feature(imported, "features/")?);
            assert!(pair.0 == pair.1 || !imported.ends_with("/ops.rs"), "{file} → {imported}");
            (pair.0 != pair.1).then_some(pair)
        })
        .collect();
    let mutual: Vec<_> = pairs.iter().filter(|(one, other)| one < other && pairs.contains(&(other, one))).collect();
    // A new password revokes the keys on request, and only who has a token in force makes a key.
    assert_eq!(mutual, [&("accounts", "api_keys")]);
}

/// A job that is not registered would wait for ever.
#[test]
fn each_job_is_done_by_somebody() {
    let sources = in_src();
    let all = |start: &str| -> BTreeSet<String> {
        let after = sources.iter().flat_map(|(_, text)| text.split(start).skip(1));
        let paths = after.filter_map(|rest| rest.split([' ', '>']).next());
        paths.map(|path| path.rsplit("::").next().unwrap_or(path).to_owned()).collect()
    };
    let jobs = all("\nimpl Job for ");
    assert!(jobs.len() > 10, "{jobs:?}");
    assert_eq!((&jobs, &jobs), (&all("\nimpl Run for "), &all(".with::<")));
}

#[test]
fn there_is_no_circle_of_files() {
    let imports = imports();
    let circles = imports.circles();
    let ways: Vec<_> =
        circles.iter().filter_map(|circle| circle.first().and_then(|file| imports.way(file, file))).collect();
    assert!(circles.is_empty(), "{circles:#?}\n{ways:#?}");
}

/// Files in these folders must not reach any file in those.
fn must_not_reach(from: &[&str], to: &[&str]) {
    let imports = imports();
    let is_in = |file: &str, places: &[&str]| places.iter().any(|place| file.starts_with(place));
    let mut ways = Vec::new();
    for file in imports.files().filter(|file| is_in(file, from)) {
        let reached = imports.reached(file);
        let forbidden = reached.iter().find(|reached| is_in(reached, to));
        ways.extend(forbidden.and_then(|forbidden| imports.way(file, forbidden)));
    }
    assert!(imports.files().any(|file| is_in(file, from)) && imports.files().any(|file| is_in(file, to)));
    assert!(ways.is_empty(), "{ways:#?}");
}

#[test]
fn redirects_and_records_reach_neither_the_app_nor_graphql() {
    must_not_reach(&["redirect/", "records/"], &["app/", "graphql/", "api/", "features/"]);
}

/// The log of clicks is to be usable alone.
#[test]
fn the_log_of_clicks_reaches_few_files() {
    let imports = imports();
    let reached = imports.reached("clicks/log.rs");
    assert!(reached.contains("clicks/segment.rs") && reached.len() <= 25, "{reached:#?}");
}

/// The check itself: it finds the circle of a module and its submodule, through an alias, a macro and an attribute.
#[test]
fn circles_are_found() {
    let folder = std::env::temp_dir().join(format!("linkgraph-imports-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "pub mod a; pub mod b; pub mod c; pub mod d;");
    write("a/mod.rs", "pub mod inner; pub use inner::Inner; use crate::b::B as Other; pub struct A(Other);");
    write("a/inner.rs", "pub struct Inner;");
    write("b.rs", "pub struct B; fn f() { call!(crate::c::C::new(1)); }");
    write("c.rs", "#[with(super::a::A)] pub struct C; #[cfg(test)] mod tests { use crate::d::D; }");
    write("d.rs", "use crate::{a::{Inner, inner as own}, c}; pub struct D(own::Inner, c::C);");
    let imports = Imports::of(&folder);
    fs::remove_dir_all(&folder).unwrap();
    let circles: Vec<Vec<&str>> = imports.circles().into_iter().map(Vec::from_iter).collect();
    assert_eq!(circles, [["a/mod.rs", "b.rs", "c.rs"]]);
    assert_eq!(imports.way("b.rs", "b.rs").unwrap(), "b.rs → c.rs → a/mod.rs → b.rs");
    assert_eq!(Vec::from_iter(imports.reached("a/inner.rs")), [""; 0]);
    assert!(imports.pairs().any(|pair| pair == (&"d.rs".to_owned(), &"a/inner.rs".to_owned())));
}

#[test]
fn the_facade_knows_no_resource_by_name() {
    let names: Vec<String> = ["link", "click", "api_key", "apiKey", "account", "webhook", "domain"]
        .iter()
        .flat_map(|name| [format!("\"{name}"), format!("\"/{name}"), format!("{name}s::")])
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Examples of errors are documentation.
    forbid(|path| path.starts_with("api/rest/") && !path.starts_with("api/rest/openapi/"), &names);
}

#[test]
fn entities_hold_no_queries_and_files_stay_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (path, text) in sources(&root.join("entity/src")) {
        assert!(!text.contains("Select<") && !text.contains(".all("), "{}", path.display());
    }
    for (path, text) in in_src() {
        assert!(text.lines().count() <= 450, "{path} has {} lines: a second room hides in it", text.lines().count());
    }
}
