//! Clicks that are not ingested in the order of time: of a node that was away, by clocks that were wrong, and on days whose
//! clicks are deleted already. Summaries are those of a recount nevertheless.

use linkgraph::{
    base::clock::{Clock, DAY, HOUR, MINUTE, Millis, UnixMillis},
    clicks::click::Click,
};
use rand::{Rng, rngs::StdRng, seq::IndexedRandom};

use crate::{
    features::summaries::{Question, check_all_by, clicks_about, links, random_question, seeded},
    on_each_database,
    support::{TestDatabase, eventually, process::TestProcess, stored::record},
};

const QUARTER: Millis = 15 * MINUTE;

/// The order in which clicks are ingested that came in this one: a node was away and brings its clicks up to a day and a half
/// late, and clocks were set back and forth for a while.
fn late(random: &mut StdRng, clicks: Vec<Click<'static>>) -> Vec<Click<'static>> {
    let mut step = 0;
    let mut ingested: Vec<(UnixMillis, Click<'_>)> = Vec::new();
    for click in clicks {
        if random.random_ratio(1, 60) {
            step = *[0, 0, HOUR, -HOUR, 30 * HOUR].choose(random).unwrap();
        }
        let away = if random.random_ratio(1, 3) { random.random_range(0..36 * HOUR) } else { 0 };
        ingested.push((click.clicked_at + step + away, click));
    }
    ingested.sort_by_key(|(time, _)| *time);
    ingested.into_iter().map(|(_, click)| click).collect()
}

async fn ingested(database: &TestDatabase, clicks: usize) {
    let clicks = i64::try_from(clicks).unwrap();
    eventually("all clicks are ingested", async || {
        let counted = database.counted_clicks().await;
        (counted == clicks).then_some(())
    })
    .await;
}

#[on_each_database]
async fn late_clicks_count_as_if_they_were_not(database: TestDatabase) {
    let mut random = seeded();
    let server = database.start().await;
    let (token, links) = links(&server, 3).await;
    server.stop().await;
    let now = Clock::default().now();
    let centers: Vec<UnixMillis> = (0..5).map(|_| now - random.random_range(DAY..5 * DAY)).collect();
    let clicks = clicks_about(&mut random, &links, 2_500, &centers);
    let all = late(&mut random, clicks);
    let mut stored = 0;
    for part in all.chunks(900) {
        database.leave_records(part.iter().map(record));
        stored += part.len();
        let mut process = TestProcess::start(&database, &[]).await;
        ingested(&database, stored).await;
        process.kill();
    }
    let server = database.start().await;
    let questions: Vec<Question> = (0..60).map(|_| random_question(&mut random, &links, &all, now)).collect();
    check_all_by(&database, "clicks", &server, &token, &questions).await;
    let marked = database.clicks_where("new_to_link").await;
    assert_eq!(marked, database.number("SELECT count(*) FROM click_visitors").await, "each visitor is new once");
}

#[on_each_database]
async fn late_clicks_of_days_that_are_deleted_count(database: TestDatabase) {
    let mut random = seeded();
    let server = database.start().await;
    let (_, links) = links(&server, 3).await;
    server.stop().await;
    let clock = Clock::default();
    let now = clock.now();
    // The free plan keeps clicks for 30 days.
    let centers: Vec<UnixMillis> = (0..5).map(|_| now - random.random_range(27 * DAY..31 * DAY)).collect();
    let clicks = clicks_about(&mut random, &links, 2_000, &centers);
    let mut all = late(&mut random, clicks);
    let rest = all.split_off(1_400);
    database.leave_records(all.iter().map(record));
    let server = database.start_at(&[], clock).await;
    ingested(&database, all.len()).await;
    database.keep_clicks("ever").await;
    server.clock.advance(DAY + 1);
    let kept = server.clock.now() - 30 * DAY;
    let old = format!("clicked_at < {kept}");
    database.no_clicks_where(&old).await;
    let clock = server.clock.clone();
    server.stop().await;
    database.leave_records(rest.iter().map(record));
    all.extend(rest);
    let server = database.start_at(&[], clock).await;
    ingested(&database, all.len()).await;
    database.keep_clicks("ever").await;
    server.clock.advance(DAY + 1);
    database.no_clicks_where(&old).await;
    let token = server.login("alice").await;
    // Times within a quarter of an hour are known by clicks alone.
    let questions: Vec<Question> = (0..60)
        .map(|_| {
            let mut question = random_question(&mut random, &links, &all, now);
            question.from = question.from.div_euclid(QUARTER) * QUARTER;
            question.to = (question.to.div_euclid(QUARTER) + 1) * QUARTER;
            question.filter.clear();
            question
        })
        .collect();
    check_all_by(&database, "ever", &server, &token, &questions).await;
}

/// A click of the year 2100 makes no visitor of today new again, at the next start or ever.
#[on_each_database]
async fn a_clock_that_is_wrong_forgets_no_visitors(database: TestDatabase) {
    let server = database.start().await;
    let (token, links) = links(&server, 1).await;
    server.stop().await;
    let now = Clock::default().now();
    let at = |clicked_at| Click { clicked_at, link: links[0], visitor: [1; 16], ..Click::default() };
    let moments = [now - 9 * DAY, now - 3, now + 75 * 365 * DAY, now - 2, now - 1];
    for (number, moment) in (1..).zip(moments) {
        database.leave_records(std::iter::once(record(&at(moment))));
        let server = database.start().await;
        ingested(&database, number).await;
        server.stop().await;
    }
    let server = database.start().await;
    let path = format!("/analytics/{}/summary", links[0]);
    let totals = server.get(&path, &token).await.expect(200).json()["totals"].clone();
    assert_eq!((&totals["clicks"], &totals["uniques"]), (&4.into(), &2.into()));
    eventually("the old day is forgotten", async || {
        (database.number("SELECT count(*) FROM click_visitors").await == 2).then_some(())
    })
    .await;
}
