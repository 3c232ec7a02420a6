//! The click log by itself: nothing is lost between many writers, and a folder that can't be written is survived.

use std::{collections::BTreeSet, fs, path::Path, sync::Arc};

use linkgraph::{
    clicks::{
        click::Click,
        log::{ClickLog, DirectoryLock},
        segment::{self, Records},
    },
    config::ClickSync,
    metrics::Metrics,
};
use uuid::Uuid;

use crate::support::TestDatabase;

fn open(folder: &Path, sync: ClickSync) -> (Arc<ClickLog>, Arc<Metrics>) {
    let metrics = Arc::new(Metrics::new().unwrap());
    let id = ClickLog::identity(folder).unwrap();
    assert_eq!(ClickLog::identity(folder).unwrap(), id, "it is made once");
    let lock = DirectoryLock::take(folder).unwrap();
    (Arc::new(ClickLog::open(lock, id, 1, sync, Arc::clone(&metrics)).unwrap()), metrics)
}

fn click(number: usize, size: usize) -> Click {
    Click {
        link: Uuid::from_u128(number as u128),
        user_agent: "x".repeat(size),
        country: "CH".to_owned(),
        ..Click::default()
    }
}

/// Numbers of the clicks in the folder's segments.
fn logged(folder: &Path) -> Vec<u128> {
    let mut found = Vec::new();
    for number in segment::list(folder).unwrap() {
        let bytes = fs::read(segment::path(folder, number)).unwrap();
        let mut records = Records::new(&bytes);
        found.extend(records.by_ref().map(|record| Click::decode(record).unwrap().link.as_u128()));
        assert_eq!((records.read(), records.damaged()), (bytes.len(), false), "segment {number}");
    }
    found
}

async fn append_at_once(log: &Arc<ClickLog>, numbers: std::ops::Range<usize>) {
    let tasks: Vec<_> = numbers
        .map(|number| {
            let log = Arc::clone(log);
            tokio::spawn(async move { log.append(&click(number, number % 500)).await })
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
    assert!(metrics.render().lines().any(|line| line == "linkgraph_clicks_logged_total 200"));
    assert_eq!(log.end().offset, fs::metadata(segment::path(&database.folder, 1)).unwrap().len());
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
    crate::support::eventually("all are written", async || (logged(&database.folder).len() == 50).then_some(())).await;
    assert!(!appending.is_finished());
    let stop = tokio_util::sync::CancellationToken::new();
    let syncing = tokio::spawn(Arc::clone(&log).run(stop.clone()));
    appending.await.unwrap();
    stop.cancel();
    syncing.await.unwrap();
}

/// Without a folder no segment begins: the full one grows on, the log says that it is ill, and it recovers by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_segment_that_can_not_begin_is_begun_when_it_can() {
    let database = TestDatabase::sqlite();
    let (folder, away) = (database.folder.join("clicks"), database.folder.join("away"));
    fs::create_dir(&folder).unwrap();
    let (log, metrics) = open(&folder, ClickSync::Interval);
    fs::rename(&folder, &away).unwrap();
    let mut number = 0;
    while log.is_healthy() {
        log.append(&click(number, 15_000)).await;
        number += 1;
        assert!(number < 10_000, "it never needed a new segment");
    }
    for _ in 0..10 {
        log.append(&click(number, 10)).await;
        number += 1;
        assert!(!log.is_healthy(), "it still has no new segment");
    }
    fs::rename(&away, &folder).unwrap();
    for _ in 0..2 {
        log.append(&click(number, 10)).await;
        number += 1;
    }
    assert!(log.is_healthy());
    assert_eq!(log.end().segment, 2);
    assert_eq!(logged(&folder), (0..number as u128).collect::<Vec<_>>(), "nothing is lost");
    assert!(metrics.render().contains("linkgraph_clicks_dropped_total 0"));
}

#[test]
fn a_torn_record_is_cut_off_and_the_rest_kept() {
    let database = TestDatabase::sqlite();
    let path = segment::path(&database.folder, 1);
    let mut bytes = Vec::new();
    for number in 0..3 {
        segment::append(&mut bytes, |out| click(number, 20).encode(out));
    }
    let whole = bytes.len();
    segment::append(&mut bytes, |out| click(3, 20).encode(out));
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let (_log, _) = open(&database.folder, ClickSync::Interval);
    assert_eq!(fs::metadata(&path).unwrap().len(), whole as u64);
    assert_eq!(logged(&database.folder), [0, 1, 2]);
}
