//! Damaged files: what is not damaged is not lost, and nothing is forged.

use std::{collections::BTreeSet, fs, sync::Arc};

use linkgraph::clicks::segment;
use tokio::task::JoinSet;

use crate::{
    on_each_database,
    support::{TestDatabase, eventually, process::TestProcess},
};

/// Clicks of the test, each told apart by its `utm_content`.
const CLICKS: usize = 400;

/// Sixteen bytes in the middle of the log are changed while the service is down: of the clicks that were acknowledged, one or two are
/// lost, which the service says, and is ready.
#[on_each_database]
async fn damage_in_the_middle_of_the_log_loses_the_clicks_that_it_touches(database: TestDatabase) {
    let mut process = TestProcess::start(&database, &[]).await;
    let token = process.register("alice").await;
    process.link(&token, "seen").await;
    // The log keeps them.
    database.refuse("INSERT", "click_log_positions", "TRUE").await;
    let http = Arc::new(process.http.clone());
    let mut visitors = JoinSet::new();
    for visitor in 0..8 {
        let http = Arc::clone(&http);
        visitors.spawn(async move {
            for number in (visitor..CLICKS).step_by(8) {
                http.follow(&format!("seen?utm_content={number}")).await.expect(302);
            }
        });
    }
    visitors.join_all().await;
    process.kill();

    let clicks = database.folder.join("clicks");
    let read = |number: &u64| fs::read(segment::path(&clicks, *number)).unwrap();
    let written = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte != 0).unwrap_or_default();
    let segments = segment::list(&clicks).unwrap();
    let number = segments.into_iter().max_by_key(|number| written(&read(number))).unwrap();
    let mut bytes = read(&number);
    let middle = written(&bytes) / 2;
    bytes[middle..middle + 16].iter_mut().for_each(|byte| *byte ^= 0x5a);
    fs::write(segment::path(&clicks, number), &bytes).unwrap();
    database.allow("click_log_positions").await;

    let process = TestProcess::start(&database, &[]).await;
    let (stored, lost) = eventually("all others are stored", async || {
        let lost = process.metric::<u64>("linkgraph_clicks_damaged_total").await.unwrap_or_default();
        let stored = database.of_clicks("utm_content").await;
        (stored.len() as u64 + lost >= CLICKS as u64).then_some((stored, lost))
    })
    .await;
    assert!((1..=2).contains(&lost), "{lost}");
    assert_eq!(stored.iter().collect::<BTreeSet<_>>().len() as u64, CLICKS as u64 - lost, "none is stored twice");
    assert_eq!(stored.len() as u64, CLICKS as u64 - lost);
    process.get("/ready", "").await.expect(200);
    let damaged = process.metric::<u64>("linkgraph_click_log_damaged_bytes_total").await.unwrap();
    assert!((16..2_000).contains(&damaged), "{damaged}");
    let name = format!("{number:016}.log");
    let log = process.log.lock().unwrap().clone();
    let said = log.lines().find(|line| line.contains("The click log is damaged")).unwrap();
    assert!([&*name, "offset=", &format!("bytes={damaged}")].iter().all(|part| said.contains(part)), "{said}");
    let kept = fs::read(clicks.join("damaged").join(&name)).unwrap();
    assert_eq!(kept[middle..middle + 16], bytes[middle..middle + 16], "the damaged bytes are kept at their offset");
}
