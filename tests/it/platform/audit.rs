//! Lines of the audit log.

use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{TestDatabase, eventually, process::TestProcess, receiver::id},
};

/// The lines of the audit log so far, from the author on.
fn lines(process: &TestProcess) -> Vec<String> {
    let log = process.log.lock().unwrap();
    log.lines().filter_map(|line| line.split_once("A row was changed ")).map(|(_, line)| line.to_owned()).collect()
}

#[on_each_database]
async fn who_changed_what_is_logged_once_it_is_stored(database: TestDatabase) {
    let process = TestProcess::start(&database, &[("LINKGRAPH_LOG", "info,linkgraph::audit=debug")]).await;
    let token = process.register("alice").await;
    let me = process.get("/me", &token).await.expect(200).json();
    let key =
        process.post("/api-keys", &token, json!({ "name": "k", "scopes": ["links:write"] })).await.expect(201).json();
    let (user, key_id, key) = (id(&me), id(&key["apiKey"]), key["key"].as_str().unwrap());
    let tag = process.post("/api/v1/tags", key, json!({ "name": "red" })).await.expect(201).json();
    let (tag, path) = (id(&tag), format!("/tags/{}", id(&tag)));
    process.post("/tags", &token, json!({ "name": "blue" })).await.expect(201);
    // Refused: nothing was changed.
    process.call("PATCH", &path, &token, json!({ "name": "Blue" })).await.expect(409);
    process.call("PATCH", &path, &token, json!({ "name": "green" })).await.expect(200);
    process.call("DELETE", &path, &token, Json::Null).await.expect(204);
    let last = format!("author=user {user} operation=\"deleteTag\" table=\"tags\" id=\"{tag}\" change=\"deleted\"");
    let lines = eventually("the last line", async || {
        let lines = lines(&process);
        lines.last().is_some_and(|line| line.starts_with(&last)).then_some(lines)
    })
    .await;
    let of_tag: Vec<_> = lines.iter().filter(|line| line.contains(tag)).collect();
    assert_eq!(of_tag.len(), 3, "{lines:#?}");
    let created =
        format!("author=api_key {key_id} operation=\"createTag\" table=\"tags\" id=\"{tag}\" change=\"created\"");
    assert!(of_tag[0].starts_with(&created), "{}", of_tag[0]);
    let renamed = format!(
        "author=user {user} operation=\"updateTag\" table=\"tags\" id=\"{tag}\" change=\"changed\" columns=\"name key updated_at\""
    );
    assert_eq!(of_tag[1], &renamed);
    let registered =
        format!("author=visitor operation=\"register\" table=\"users\" id=\"{user}\" change=\"created\" columns=\"");
    let registered = lines.iter().find(|line| line.starts_with(&registered)).unwrap_or_else(|| panic!("{lines:#?}"));
    assert!(registered.contains("email") && !registered.contains("hash") && !registered.contains('@'), "{registered}");
}
