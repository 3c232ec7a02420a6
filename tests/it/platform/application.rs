//! The web application: served as it was built, from the sources that there are.

use std::{collections::BTreeMap, fs, path::Path};

use reqwest::Method;
use sha2::{Digest, Sha256};

use crate::support::{Answer, Http, TestDatabase};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// Files of the application that its build reads, and what it reads beside them.
fn sources(root: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.join("app/src")];
    let mut files = vec![root.join("schema.graphql")];
    // Beside the folder of sources stand the settings of the build.
    let beside = fs::read_dir(root.join("app")).unwrap().map(|entry| entry.unwrap().path());
    files.extend(beside.filter(|path| path.is_file() && is_source(path)));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    for file in files {
        let name = file.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        found.insert(name, hex::encode(Sha256::digest(fs::read(file).unwrap())));
    }
    found
}

/// Whether a file beside the sources takes part in the build: not the documents, the tests' settings, commands, and what makes a source.
fn is_source(path: &Path) -> bool {
    const OTHERS: [&str; 9] = [
        "README.md",
        "build",
        "icons.mjs",
        "measure.mjs",
        "playwright.config.ts",
        "screenshots",
        "screenshots.mjs",
        "service.mjs",
        "world.mjs",
    ];
    let name = path.file_name().unwrap().to_str().unwrap();
    !OTHERS.contains(&name) && !name.starts_with('.')
}

/// The committed bundle is the one of these sources and of this schema; `app/build` makes it anew.
#[test]
fn the_bundle_is_of_these_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = fs::read_to_string(root.join("app/dist/SOURCES")).unwrap();
    let listed: BTreeMap<String, String> = listed
        .lines()
        .map(|line| line.split_once("  ").unwrap())
        .map(|(hash, name)| (name.to_owned(), hash.to_owned()))
        .collect();
    let found = sources(root);
    assert!(found.len() > 50, "{} sources", found.len());
    let changed: Vec<_> =
        found.keys().chain(listed.keys()).filter(|name| found.get(*name) != listed.get(*name)).collect();
    assert!(changed.is_empty(), "app/dist is of other sources than these: run app/build: {changed:?}");
}

async fn get(server: &Http, path: &str, fields: &[(&str, &str)]) -> Answer {
    let mut request = server.request(Method::GET, path);
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    server.send(request).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_application_is_served_as_files() {
    let server = TestDatabase::sqlite().start().await;
    let page = get(&server, "/app", &[]).await.expect(200);
    for path in ["/app/", "/app/links", "/app/links/019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e01?tab=qr", "/app/none.js"] {
        assert_eq!(get(&server, path, &[]).await.expect(200).text, page.text, "{path}");
    }
    assert_eq!((page.header("content-type"), page.header("cache-control")), ("text/html; charset=utf-8", "no-cache"));
    let policy = page.header("content-security-policy");
    for directive in ["default-src 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"] {
        assert!(policy.contains(directive), "{policy}");
    }
    // Previews of what messengers show have images of any host.
    let policy = policy.replace(" https:;", ";");
    assert!(!policy.contains("unsafe") && !policy.contains("http") && !policy.contains('*'), "{policy}");
    for (name, value) in [
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(page.header(name), value);
    }
    assert!(page.header("set-cookie").is_empty());
    // The page has no script of its own, and names files of this service alone.
    assert!(
        !page.text.contains("<style") && !page.text.contains(" style=") && !page.text.contains("//"),
        "{}",
        page.text
    );
    let inline = page.text.split("<script").skip(1).filter(|rest| !rest.contains("></script>"));
    assert_eq!(inline.count(), 0);

    // Files that the page names exist, and are kept by browsers.
    let names: Vec<&str> = page.text.split('"').filter(|text| text.starts_with("/app/")).collect();
    assert!(names.len() > 3, "{names:?}");
    for name in names {
        let file = get(&server, name, &[]).await.expect(200);
        let caching = if name.contains("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        assert_eq!(file.header("cache-control"), caching, "{name}");
        assert!(!file.header("content-type").starts_with("text/html"), "{name}");
    }
    get(&server, "/app/LICENSES.txt", &[]).await.expect(200);
    assert_eq!(get(&server, "/app/SOURCES", &[]).await.text, page.text, "that is no file of the application");

    // A file of a version before is not answered with a page.
    let missing = get(&server, "/app/assets/main-AAAAAAAA.js", &[]).await.expect(404);
    assert_eq!(missing.code(), "NOT_FOUND");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_known_document_is_not_sent_again() {
    let server = TestDatabase::sqlite().start().await;
    for path in ["/app", "/openapi.json", "/graphiql/graphiql.js"] {
        let first = get(&server, path, &[]).await.expect(200);
        let tag = first.header("etag");
        assert!(tag.starts_with("W/\"") && tag.len() == 36, "{tag}");
        let strong = tag.trim_start_matches("W/");
        for known in [tag, strong, &format!("\"a\", {tag}"), "*"] {
            for coding in ["identity", "br"] {
                let again =
                    get(&server, path, &[("if-none-match", known), ("accept-encoding", coding)]).await.expect(304);
                assert_eq!((again.text.as_str(), again.header("etag")), ("", tag), "{path}: {known}");
                for name in ["cache-control", "vary"] {
                    assert_eq!(again.header(name), first.header(name));
                }
            }
        }
        get(&server, path, &[("if-none-match", "\"a\"")]).await.expect(200);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browsers_are_led_to_the_application() {
    let server = TestDatabase::sqlite().start().await;
    for (accept, status) in
        [(BROWSER, 303), ("text/html", 303), ("*/*", 200), ("application/json", 200), ("text/html;q=0", 200)]
    {
        let answer = get(&server, "/", &[("accept", accept)]).await.expect(status);
        assert_eq!(
            (answer.header("location"), answer.header("vary")),
            (if status == 303 { "/app" } else { "" }, "accept")
        );
    }
    assert!(get(&server, "/", &[]).await.expect(200).text.contains("/openapi.json"));
    // As mails have it.
    let reset = get(&server, "/reset-password?token=q1Zc0sW4y8oG", &[]).await.expect(303);
    assert_eq!(
        (reset.header("location"), reset.header("referrer-policy")),
        ("/app/reset?token=q1Zc0sW4y8oG", "no-referrer")
    );
    server.stop().await;
}
