//! The click log by itself: nothing is lost between many writers, and a folder that can't be written is survived.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use linkgraph::{
    base::{config::ClickSync, metrics::Metrics},
    clicks::{
        click::Click,
        log::{ClickLog, DirectoryLock},
        segment::{self, Segment},
    },
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::support::{TestDatabase, eventually};

fn open(folder: &Path, sync: ClickSync) -> (Arc<ClickLog>, Arc<Metrics>) {
    let metrics = Arc::new(Metrics::new().unwrap());
    let id = ClickLog::identity(folder).unwrap();
    assert_eq!(ClickLog::identity(folder).unwrap(), id, "it is made once");
    let lock = DirectoryLock::take(folder).unwrap();
    (Arc::new(ClickLog::open(lock, id, 1, sync, Arc::clone(&metrics)).unwrap()), metrics)
}

fn click(number: usize, size: usize) -> Click<'static> {
    Click {
        link: Uuid::from_u128(number as u128),
        user_agent: "x".repeat(size).into(),
        country: "CH".into(),
        ..Click::default()
    }
}

/// Numbers of the clicks in the folder's segments.
fn logged(folder: &Path) -> Vec<u128> {
    let mut found = Vec::new();
    for number in segment::list(folder).unwrap() {
        let segment = Segment::open(folder, number, None).unwrap();
        let bytes = segment.read(0, usize::MAX).unwrap();
        let mut records = segment.records(0, &bytes).unwrap();
        found.extend(records.by_ref().map(|record| Click::decode(record).unwrap().link.as_u128()));
        assert!(records.is_end() && records.damage().is_empty(), "segment {number}: {records:?}");
    }
    found
}

async fn append_at_once(log: &Arc<ClickLog>, numbers: std::ops::Range<usize>) {
    let tasks: Vec<_> = numbers
        .map(|number| {
            let log = Arc::clone(log);
            tokio::spawn(async move {
                let number = log.append(&click(number, number % 500));
                if log.is_strict() {
                    log.synced(number).await;
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_many_append_at_once_is_all_there_when_they_are_told_so() {
    let database = TestDatabase::sqlite();
    let (log, metrics) = open(&database.folder, ClickSync::Interval);
    append_at_once(&log, 0..200).await;
    let found = logged(&database.folder);
    assert_eq!(found.len(), 200);
    assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), (0..200).collect());
    assert!(metrics.render().unwrap().lines().any(|line| line == "linkgraph_clicks_logged_total 200"));
    // The next start begins a segment of its own.
    drop(log);
    let (log, _) = open(&database.folder, ClickSync::Interval);
    append_at_once(&log, 200..210).await;
    assert_eq!((log.end().segment, logged(&database.folder).len()), (2, 210));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_strict_log_answers_after_the_disk_does() {
    let database = TestDatabase::sqlite();
    let (log, _) = open(&database.folder, ClickSync::Strict);
    let appending = tokio::spawn({
        let log = Arc::clone(&log);
        async move { append_at_once(&log, 0..50).await }
    });
    // Nobody syncs yet.
    eventually("all are written", async || (logged(&database.folder).len() == 50).then_some(())).await;
    assert!(!appending.is_finished());
    let stop = CancellationToken::new();
    let syncing = tokio::spawn(Arc::clone(&log).run(stop.clone()));
    appending.await.unwrap();
    stop.cancel();
    syncing.await.unwrap();
}

/// The segment after the one that is written is made beforehand, and each full one keeps just what was written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn segments_follow_each_other() {
    let database = TestDatabase::sqlite();
    let (log, _) = open(&database.folder, ClickSync::Interval);
    let stop = CancellationToken::new();
    let running = tokio::spawn(Arc::clone(&log).run(stop.clone()));
    let mut number = 0;
    while log.end().segment < 4 {
        log.append(&click(number, 15_000));
        number += 1;
        assert!(number < 20_000, "it never needed a new segment");
    }
    stop.cancel();
    running.await.unwrap();
    assert_eq!(logged(&database.folder), (0..number as u128).collect::<Vec<_>>());
    // A number that was taken for a segment which came too late is left out.
    let last = log.end().segment;
    let full: Vec<u64> = segment::list(&database.folder).unwrap().into_iter().filter(|number| *number < last).collect();
    let length = |number: &u64| fs::metadata(segment::path(&database.folder, *number)).unwrap().len();
    assert!(full.len() >= 2 && full.iter().all(|number| (1..1 << 24).contains(&length(number))), "{full:?}");
    drop(log);
    // As after a kill: what was reserved is given back.
    let (log, _) = open(&database.folder, ClickSync::Interval);
    assert_eq!(log.end().offset, 0);
    assert!(length(&last) < 1 << 20);
    assert_eq!(logged(&database.folder).len(), number);
}

/// Without a folder no segment begins: clicks are dropped and counted, the log says that it is ill, and it recovers by
/// itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_segment_that_can_not_begin_is_begun_when_it_can() {
    let database = TestDatabase::sqlite();
    let (folder, away) = (database.folder.join("clicks"), database.folder.join("away"));
    fs::create_dir(&folder).unwrap();
    let (log, metrics) = open(&folder, ClickSync::Interval);
    fs::rename(&folder, &away).unwrap();
    let mut number = 0;
    while log.is_healthy() {
        log.append(&click(number, 15_000));
        number += 1;
        assert!(number < 10_000, "it never needed a new segment");
    }
    // All but the last fitted.
    let fitted = number - 1;
    log.append(&click(number, 15_000));
    assert!(!log.is_healthy(), "it still has no new segment");
    let stop = CancellationToken::new();
    let running = tokio::spawn(Arc::clone(&log).run(stop.clone()));
    fs::rename(&away, &folder).unwrap();
    let mut tried = 0;
    eventually("it takes clicks again", async || {
        log.append(&click(fitted, 15_000));
        tried += 1;
        log.is_healthy().then_some(())
    })
    .await;
    stop.cancel();
    running.await.unwrap();
    assert!(log.end().segment > 1);
    assert_eq!(logged(&folder), (0..=fitted as u128).collect::<Vec<_>>(), "nothing that was taken is lost");
    let dropped = format!("linkgraph_clicks_dropped_total {}", 2 + tried - 1);
    assert!(metrics.render().unwrap().lines().any(|line| line == dropped), "{dropped}");
}

/// A process is killed while it copies a record, whose head comes last: it is passed over, and no damage.
#[test]
fn a_record_that_a_kill_left_half_written_is_no_damage() {
    let database = TestDatabase::empty_sqlite();
    let path = segment::path(&database.folder, 1);
    let mut bytes = Vec::new();
    for number in 0..4 {
        segment::append(&mut bytes, 1, number, |out| click(number as usize, 20).encode(out));
    }
    let record = bytes.len() / 4;
    bytes[3 * record..][..16].fill(0);
    bytes.resize(16 << 20, 0);
    fs::write(&path, &bytes).unwrap();
    let (_log, _) = open(&database.folder, ClickSync::Interval);
    assert!(fs::metadata(&path).unwrap().len() < 1 << 16, "the room is given back");
    assert_eq!(logged(&database.folder), [0, 1, 2]);
}
