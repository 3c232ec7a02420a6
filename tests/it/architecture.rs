//! Who may know whom, checked on the source's text.

use std::{
    fs,
    path::{Path, PathBuf},
};

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
            || path == "outbox.rs"
            || path.starts_with("db/")
            || path == "packed.rs"
            || path.starts_with("jobs/")
            || path.starts_with("clicks/ingest/")
            || path == "redirect/resolve.rs"
    };
    forbid(|path| !allowed(path), &["::Entity::", "::Entity>", "ActiveModel {", "query_one_raw", "query_all_raw"]);
}

/// Elsewhere a file could be made that others may read.
#[test]
fn files_are_made_in_one_place() {
    let words = ["File::create", "create_dir", "fs::write", "OpenOptions::new", "DirBuilder"];
    forbid(|path| path != "file.rs", &words);
}

#[test]
fn rules_know_no_http_and_no_graphql_library() {
    forbid(|path| path.ends_with("ops.rs") || path.ends_with("repo.rs"), &["axum", "async_graphql", "graphql::"]);
}

#[test]
fn the_redirect_knows_no_graphql() {
    forbid(|path| path.starts_with("redirect/") || path.starts_with("clicks/"), &["graphql"]);
}

#[test]
fn the_facade_knows_no_resource_by_name() {
    let names: Vec<String> = ["link", "click", "api_key", "apiKey", "account", "webhook", "domain"]
        .iter()
        .flat_map(|name| [format!("\"{name}"), format!("\"/{name}"), format!("{name}s::")])
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    // Examples of errors are documentation.
    forbid(|path| path.starts_with("rest/") && !path.starts_with("rest/openapi/"), &names);
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
