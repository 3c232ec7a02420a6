//! Summaries of clicks: equal to a recount of the clicks themselves, whatever happens to the service meanwhile.

use std::{borrow::Cow, collections::BTreeMap};

use chrono::{Datelike, Offset, TimeZone, Timelike};
use chrono_tz::Tz;
use linkgraph::{
    base::clock::{Clock, DAY, HOUR, MINUTE, UnixMillis, rfc3339},
    clicks::click::{Click, Trigger},
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::{Value as Json, json};
use uuid::Uuid;

use crate::{
    on_each_database,
    support::{Http, TestDatabase, eventually, noon, process::TestProcess, setting, stored::record},
};

const ZONES: [Tz; 8] = [
    Tz::UTC,
    Tz::Europe__Zurich,
    Tz::Asia__Kolkata,
    Tz::Asia__Kathmandu,
    Tz::Australia__Lord_Howe,
    Tz::America__St_Johns,
    Tz::Pacific__Apia,
    Tz::Africa__Cairo,
];

const AGENTS: [&str; 5] = [
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
    "Googlebot/2.1 (+http://www.google.com/bot.html)",
    "",
];

const FIELDS: &str = "from to interval timeZone isExact clicksRead totals { clicks uniques bots change { clicks uniques bots } } \
     previous { clicks uniques bots } series { start clicks uniques bots } top { \
     countries { ...t } referrers { ...t } browsers { ...t } operatingSystems { ...t } devices { ...t } \
     languages { ...t } utmSources { ...t } utmMediums { ...t } utmCampaigns { ...t } triggers { ...t } destinations { ...t } \
     regions { ...t } cities { ...t } }";

/// Columns of `clicks`, by the field of `top` that counts them.
const COLUMNS: [(&str, &str); 13] = [
    ("countries", "country"),
    ("referrers", "referrer_host"),
    ("browsers", "browser"),
    ("operatingSystems", "os"),
    ("devices", "device"),
    ("languages", "language"),
    ("utmSources", "utm_source"),
    ("utmMediums", "utm_medium"),
    ("utmCampaigns", "utm_campaign"),
    ("triggers", "coalesce(trigger, 'LINK')"),
    ("destinations", "coalesce(destination, '0')"),
    ("regions", "region"),
    ("cities", "city"),
];

/// Moments in the last year at which a zone changes its clocks.
fn changes(now: UnixMillis) -> Vec<UnixMillis> {
    let offset = |zone: Tz, time: UnixMillis| {
        zone.offset_from_utc_datetime(&chrono::DateTime::from_timestamp_millis(time).unwrap().naive_utc()).fix()
    };
    let hours = (now - 360 * DAY) / HOUR..now / HOUR - 60;
    let changed = |zone: Tz| move |hour: &UnixMillis| offset(zone, hour * HOUR) != offset(zone, (hour - 1) * HOUR);
    ZONES.iter().flat_map(|zone| hours.clone().filter(changed(*zone))).map(|hour| hour * HOUR).collect()
}

/// Clicks in bursts, some around changes of clocks, in the order of time.
fn random_clicks(random: &mut StdRng, links: &[Uuid], number: usize, now: UnixMillis) -> Vec<Click<'static>> {
    let mut centers = changes(now);
    centers.extend((0..6).map(|_| now - random.random_range(2 * DAY..360 * DAY)));
    clicks_about(random, links, number, &centers)
}

/// Clicks in bursts around these moments, in the order of time.
pub(crate) fn clicks_about(
    random: &mut StdRng,
    links: &[Uuid],
    number: usize,
    centers: &[UnixMillis],
) -> Vec<Click<'static>> {
    let mut clicks: Vec<Click<'_>> = (0..number)
        .map(|_| {
            let pick = |random: &mut StdRng, of: &[&str]| Cow::Owned((*of.choose(random).unwrap()).to_owned());
            let spread = *[30 * MINUTE, 5 * HOUR, 40 * HOUR].choose(random).unwrap();
            let long = "é".repeat(110);
            Click {
                clicked_at: centers.choose(random).unwrap() + random.random_range(-spread..spread),
                link: *links.choose(random).unwrap(),
                visitor: [random.random_range(0..9); 16],
                is_prefetch: random.random_ratio(1, 10),
                country: pick(random, &["CH", "CH", "CH", "DE", "IN", ""]),
                user_agent: pick(random, &AGENTS),
                // So many that some months have documents, and fewer than there are counters.
                referrer_host: match random.random_ratio(1, 2) {
                    true => format!("site-{}.example.org", random.random_range(0..300)).into(),
                    false => pick(random, &["", "news.example.org", "a.example", "b.example", "c.example"]),
                },
                language: pick(random, &["de", "en", "fr", ""]),
                region: pick(random, &["CH-ZH", "DE-BY", ""]),
                city: pick(random, &["CH:Basel", "DE:Munich", "DE:Frankfurt (Oder)", ""]),
                utm_source: pick(random, &["", "", "mail", &long]),
                utm_medium: pick(random, &["", "x"]),
                utm_campaign: random.random_range(0..40).to_string().into(),
                trigger: if random.random_ratio(1, 5) { Trigger::Qr } else { Trigger::Link },
                destination: random.random_range(0..4),
                ..Click::default()
            }
        })
        .collect();
    clicks.sort_by_key(|click| click.clicked_at);
    // One at a time: which of two at the same moment is first, nobody could tell.
    let mut last = 0;
    for click in &mut clicks {
        click.clicked_at = click.clicked_at.max(last + 1);
        last = click.clicked_at;
    }
    clicks
}

/// Registers Alice, with these links.
pub(crate) async fn links(http: &Http, slugs: usize) -> (String, Vec<Uuid>) {
    let token = http.register("alice").await;
    let mut links = Vec::new();
    for number in 0..slugs {
        links.push(http.link(&token, &format!("s{number}")).await["id"].as_str().unwrap().parse().unwrap());
    }
    (token, links)
}

async fn all_ingested(database: &TestDatabase, clicks: usize) {
    let clicks = i64::try_from(clicks).unwrap();
    eventually("all clicks are ingested", async || {
        let stored = database.clicks_where("new_to_link IS NOT NULL").await;
        (stored == clicks).then_some(())
    })
    .await;
}

/// The arguments of a summary.
#[derive(Clone)]
pub(crate) struct Question {
    pub(crate) link: Option<Uuid>,
    pub(crate) from: UnixMillis,
    pub(crate) to: UnixMillis,
    pub(crate) interval: &'static str,
    pub(crate) zone: Tz,
    pub(crate) bots: bool,
    pub(crate) limit: usize,
    /// Conditions of the filter, each with the same in SQL.
    pub(crate) filter: Vec<(Json, String)>,
}

/// Columns of `clicks` by dimension, and values of which clicks have some.
const DIMENSIONS: [(&str, &str, &[&str]); 18] = [
    ("COUNTRY", "country", &["CH", "DE", "IN", "FR"]),
    ("REGION", "region", &["CH-ZH", "DE-BY"]),
    ("CITY", "city", &["CH:Basel", "DE:Munich", "DE:Frankfurt (Oder)"]),
    ("REFERRER", "referrer_host", &["news.example.org", "a.example", "site-7.example.org", "site-70.example.org"]),
    ("BROWSER", "browser", &["Firefox", "Safari", "Chrome"]),
    ("OS", "os", &["Linux", "iOS", "Windows"]),
    ("DEVICE", "device", &["desktop", "mobile"]),
    ("LANGUAGE", "language", &["de", "en", "fr"]),
    ("UTM_SOURCE", "utm_source", &["mail", LONG]),
    ("UTM_MEDIUM", "utm_medium", &["x", "X"]),
    ("UTM_CAMPAIGN", "utm_campaign", &["1", "2", "3", "11", "39"]),
    ("UTM_TERM", "utm_term", &["shoes"]),
    ("UTM_CONTENT", "utm_content", &["header"]),
    ("TRIGGER", "coalesce(trigger, 'LINK')", &["LINK", "QR"]),
    ("DESTINATION", "coalesce(destination, '0')", &["0", "1", "3"]),
    ("IS_BOT", "CASE WHEN is_bot THEN 'true' ELSE 'false' END", &["true", "false"]),
    // These are names of no source that the service knows.
    ("SOURCE", "coalesce(utm_source, referrer_host)", &["mail", "news.example.org", "b.example"]),
    ("CHANNEL", "CASE WHEN trigger = 'QR' THEN 'QR' ELSE '' END", &["QR"]),
];

/// A value as lists cut it: 100 characters.
const LONG: &str =
    "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé";

/// A condition, and the same in SQL.
fn random_condition(random: &mut StdRng) -> (Json, String) {
    let (dimension, column, known) = DIMENSIONS.choose(random).unwrap();
    let number = random.random_range(1..=2);
    let mut values: Vec<Option<&str>> = known.choose_multiple(random, number).map(|value| Some(*value)).collect();
    if !["IS_BOT", "CHANNEL", "UTM_SOURCE"].contains(dimension) && random.random_ratio(1, 5) {
        let parts: Vec<String> = values.iter().flatten().map(|value| value[value.len() / 2..].to_uppercase()).collect();
        let like = |part: &String| format!("lower({column}) LIKE '%{}%'", part.to_lowercase());
        let like = parts.iter().map(like).collect::<Vec<_>>().join(" OR ");
        let condition = json!({ "dimension": dimension, "operator": "CONTAINS", "values": parts });
        return (condition, format!("(CASE WHEN {column} IS NULL THEN 1 = 0 ELSE {like} END)"));
    }
    if random.random_ratio(1, 3) {
        values.push(None);
    }
    let listed: Vec<String> = values.iter().flatten().map(|value| format!("'{value}'")).collect();
    let of_null = if values.contains(&None) { "1 = 1" } else { "1 = 0" };
    let is = format!(
        "(CASE WHEN {column} IS NULL THEN {of_null} ELSE substr({column}, 1, 100) IN ({}) END)",
        listed.join(", ")
    );
    let (operator, sql) = if random.random_ratio(1, 3) { ("IS_NOT", format!("NOT {is}")) } else { ("IS", is) };
    (json!({ "dimension": dimension, "operator": operator, "values": values }), sql)
}

pub(crate) fn random_question(random: &mut StdRng, links: &[Uuid], clicks: &[Click<'_>], now: UnixMillis) -> Question {
    let mut end = || {
        let near = clicks.choose(random).unwrap().clicked_at;
        match random.random_range(0..8) {
            0 => near,
            1 => near + 1,
            2 => near.div_euclid(DAY) * DAY,
            3 => near.div_euclid(15 * MINUTE) * 15 * MINUTE,
            4 => now + random.random_range(0..DAY),
            _ => near + random.random_range(-DAY..DAY),
        }
    };
    let (a, b) = (end(), end());
    let interval = *["HOUR", "DAY", "DAY", "WEEK", "MONTH"].choose(random).unwrap();
    let from = a.min(b);
    // Series with all points, to compare.
    let to = match random.random_range(0..8) {
        // Both ends, and that of the time before, in the same quarter of an hour.
        0 => from + random.random_range(1..8 * MINUTE),
        _ if interval == "HOUR" => a.max(b).min(from + 80 * DAY),
        _ => a.max(b),
    };
    Question {
        link: random.random_ratio(2, 3).then(|| *links.choose(random).unwrap()),
        from,
        to: to.max(from + 1),
        interval,
        zone: *ZONES.choose(random).unwrap(),
        bots: random.random_ratio(2, 3),
        limit: *[1, 3, 100].choose(random).unwrap(),
        filter: (0..random.random_range(0..5)).map(|_| random_condition(random)).collect(),
    }
}

async fn ask(http: &Http, token: &str, question: &Question) -> Json {
    let common = json!({
        "from": rfc3339(question.from), "to": rfc3339(question.to), "interval": question.interval,
        "zone": question.zone.name(), "bots": question.bots, "limit": question.limit, "link": question.link,
        "filter": question.filter.iter().map(|(condition, _)| condition).collect::<Vec<_>>(),
    });
    let arguments = "from: $from, to: $to, interval: $interval, timeZone: $zone, includeBots: $bots, limit: $limit, filter: $filter";
    let (variable, field) = match question.link {
        Some(_) => ("$link: ID!, ", format!("clickSummary(linkId: $link, {arguments}) {{ {FIELDS} }}")),
        None => (
            "",
            format!(
                "accountClickSummary({arguments}) {{ {FIELDS} links {{ linkId clicks link {{ id }} }} linksOther linksError }}"
            ),
        ),
    };
    let query = format!(
        "query({variable}$from: DateTime, $to: DateTime, $interval: Interval!, $zone: TimeZone!, $bots: Boolean!, $limit: Int!, $filter: [ClickCondition!]) \
         {{ summary: {field} }} fragment t on TopValuesStats {{ values {{ value clicks }} unknown other error }}"
    );
    // A busy machine may not read ten thousand raw clicks in time: the service says so, and that the client may ask again.
    let answer = eventually("the summary is read in time", async || {
        let answer = http.graphql(token, &query, common.clone()).await;
        (answer["errors"][0]["extensions"]["code"] != "UNAVAILABLE").then_some(answer)
    });
    let answer = answer.await;
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"]["summary"].clone()
}

/// Raw clicks of a range, each with whether it is the first of its visitor on its UTC day: by the database alone, without
/// anything that ingest noted.
async fn recount(
    connection: &DatabaseConnection,
    table: &str,
    question: &Question,
    from: UnixMillis,
) -> Vec<(UnixMillis, bool, bool, Uuid, Vec<Option<String>>)> {
    let backend = connection.get_database_backend();
    let of_link = question.link.map_or_else(String::new, |link| match backend {
        sea_orm::DatabaseBackend::Postgres => format!("WHERE link_id = '{link}'"),
        _ => format!("WHERE link_id = x'{}'", link.simple()),
    });
    let column = |(field, column): &(&str, &str)| match (*field, question.link) {
        ("destinations", None) => "CAST(NULL AS text)".to_owned(),
        _ => format!("substr({column}, 1, 100)"),
    };
    let columns: Vec<String> = COLUMNS.iter().map(column).collect();
    let in_range = format!("clicked_at >= {from} AND clicked_at < {}", question.to);
    let conditions: Vec<&str> = question.filter.iter().map(|(_, sql)| sql.as_str()).collect();
    // With a filter, a visitor is new at the first click that passes it, in each of the two periods.
    let (period, passing) = match conditions[..] {
        [] => (String::new(), "1 = 1".to_owned()),
        _ => (format!(", clicked_at < {}", question.from), format!("{in_range} AND {}", conditions.join(" AND "))),
    };
    let sql = format!(
        "SELECT clicked_at, is_bot, n, link_id, {} FROM (SELECT clicks.*, row_number() OVER \
         (PARTITION BY visitor, is_bot, clicked_at / 86400000{period} ORDER BY clicked_at, id) AS n \
         FROM (SELECT * FROM {table} {of_link}) AS clicks WHERE {passing}) AS numbered WHERE {in_range} ORDER BY clicked_at",
        columns.join(", "),
    );
    let rows = connection.query_all_raw(Statement::from_string(backend, sql)).await.unwrap();
    rows.iter()
        .map(|row| {
            let texts = (0..COLUMNS.len()).map(|column| row.try_get_by_index(4 + column).unwrap()).collect();
            let number: i64 = row.try_get_by_index(2).unwrap();
            (
                row.try_get_by_index(0).unwrap(),
                row.try_get_by_index(1).unwrap(),
                number == 1,
                row.try_get_by_index(3).unwrap(),
                texts,
            )
        })
        .collect()
}

fn label(question: &Question, time: UnixMillis) -> (i32, u32, u32, i32) {
    let local = question.zone.timestamp_millis_opt(time).unwrap();
    let (date, offset) = (local.date_naive(), local.offset().fix().local_minus_utc());
    match question.interval {
        "HOUR" => (date.num_days_from_ce(), local.hour(), 0, offset),
        "DAY" => (date.num_days_from_ce(), 0, 0, 0),
        "WEEK" => (date.iso_week().year(), date.iso_week().week(), 0, 0),
        _ => (date.year(), date.month(), 0, 0),
    }
}

type Numbers = [i64; 3];

fn numbers(value: &Json) -> Numbers {
    ["clicks", "uniques", "bots"].map(|name| value[name].as_i64().unwrap())
}

/// The answer is what the raw clicks say.
async fn check(connection: &DatabaseConnection, table: &str, question: &Question, answer: &Json) {
    let shown = format!(
        "link {:?} {} to {} {} {} bots {} limit {} filter {:?}",
        question.link,
        rfc3339(question.from),
        rfc3339(question.to),
        question.interval,
        question.zone,
        question.bots,
        question.limit,
        question.filter
    );
    let count = |numbers: &mut Numbers, is_bot: bool, is_first: bool| {
        let counts = i64::from(question.bots || !is_bot);
        *numbers = [numbers[0] + counts, numbers[1] + counts * i64::from(is_first), numbers[2] + i64::from(is_bot)];
    };
    let length = question.to - question.from;
    let before = question.from - length;
    let before = if length < DAY { before } else { before.div_euclid(15 * MINUTE) * 15 * MINUTE };
    let (mut totals, mut previous) = (Numbers::default(), Numbers::default());
    let mut parts: Vec<((i32, u32, u32, i32), Numbers)> = Vec::new();
    let mut tops: Vec<BTreeMap<Option<String>, i64>> = vec![BTreeMap::new(); COLUMNS.len()];
    let mut of_links: BTreeMap<Uuid, i64> = BTreeMap::new();
    if !question.filter.is_empty() {
        let all = Question { filter: Vec::new(), ..question.clone() };
        let read = recount(connection, table, &all, before).await.len();
        assert_eq!((&answer["isExact"], &answer["clicksRead"]), (&json!(true), &json!(read)), "{shown}");
    }
    for (time, is_bot, is_first, link, values) in recount(connection, table, question, before).await {
        if time < question.from {
            count(&mut previous, is_bot, is_first);
            continue;
        }
        count(&mut totals, is_bot, is_first);
        let label = label(question, time);
        if parts.last().is_none_or(|(last, _)| *last != label) {
            parts.push((label, Numbers::default()));
        }
        count(&mut parts.last_mut().unwrap().1, is_bot, is_first);
        if question.bots || !is_bot {
            *of_links.entry(link).or_default() += 1;
            values.into_iter().zip(&mut tops).for_each(|(value, top)| *top.entry(value).or_default() += 1);
        }
    }
    assert_eq!(numbers(&answer["totals"]), totals, "{shown}");
    assert_eq!(numbers(&answer["previous"]), previous, "{shown}");
    for (at, name) in ["clicks", "uniques", "bots"].iter().enumerate() {
        let change = (previous[at] > 0).then(|| (totals[at] - previous[at]) as f64 / previous[at] as f64);
        let answered = answer["totals"]["change"][name].as_f64();
        assert!(
            change.is_none() == answered.is_none() && (change.unwrap_or(0.0) - answered.unwrap_or(0.0)).abs() < 1e-9,
            "{shown}"
        );
    }
    let series = answer["series"].as_array().unwrap();
    assert!(series[0]["start"].as_str().unwrap() <= rfc3339(question.from).as_str(), "{shown}");
    let counted: Vec<Numbers> = series.iter().map(numbers).filter(|part| *part != Numbers::default()).collect();
    let parts: Vec<Numbers> =
        parts.into_iter().map(|(_, numbers)| numbers).filter(|part| *part != Numbers::default()).collect();
    if series.len() < 2_000 {
        assert_eq!(counted, parts, "{shown}");
    }
    for ((field, _), mut counted) in COLUMNS.iter().zip(tops) {
        let top = &answer["top"][field];
        let unknown = counted.remove(&None).unwrap_or_default();
        let mut counted: Vec<(String, i64)> =
            counted.into_iter().map(|(value, clicks)| (value.unwrap(), clicks)).collect();
        counted.sort_by_key(|(value, clicks)| (-clicks, value.clone()));
        let other: i64 = counted.iter().skip(question.limit).map(|(_, clicks)| clicks).sum();
        let counted: Vec<Json> = counted
            .iter()
            .take(question.limit)
            .map(|(value, clicks)| json!({ "value": value, "clicks": clicks }))
            .collect();
        assert_eq!(
            *top,
            json!({ "values": counted, "unknown": unknown, "other": other, "error": 0 }),
            "{field}: {shown}"
        );
    }
    if question.link.is_none() {
        let mut counted: Vec<(Uuid, i64)> = of_links.into_iter().collect();
        counted.sort_by_key(|(link, clicks)| (-clicks, *link));
        let other: i64 = counted.iter().skip(question.limit).map(|(_, clicks)| clicks).sum();
        assert_eq!((&answer["linksOther"], &answer["linksError"]), (&json!(other), &json!(0)), "{shown}");
        let counted: Vec<Json> = counted
            .iter()
            .take(question.limit)
            .map(|(link, clicks)| json!({ "linkId": link, "clicks": clicks, "link": { "id": link } }))
            .collect();
        assert_eq!(answer["links"], json!(counted), "{shown}");
    }
}

async fn check_all(database: &TestDatabase, http: &Http, token: &str, questions: &[Question]) {
    check_all_by(database, "clicks", http, token, questions).await;
}

/// The answers are what the rows of this table say.
pub(crate) async fn check_all_by(
    database: &TestDatabase,
    table: &str,
    http: &Http,
    token: &str,
    questions: &[Question],
) {
    let connection = database.connect().await;
    for question in questions {
        check(&connection, table, question, &ask(http, token, question).await).await;
    }
    connection.close().await.unwrap();
}

pub(crate) fn seeded() -> StdRng {
    let seed = setting("LINKGRAPH_TEST_SEED", rand::random::<u32>().into());
    println!("LINKGRAPH_TEST_SEED={seed}");
    StdRng::seed_from_u64(seed)
}

/// Random links, ranges, zones, intervals and filters, before and after a restart in the middle of the log.
#[on_each_database]
async fn a_summary_equals_a_recount(database: TestDatabase) {
    let mut random = seeded();
    let now = Clock::default().now();
    let server = database.start().await;
    let (token, links) = links(&server, 4).await;
    server.stop().await;
    let clicks = random_clicks(&mut random, &links, 3_000, now);
    let half = random.random_range(1..clicks.len());
    database.leave_records(clicks[..half].iter().map(record));
    let server = database.start().await;
    all_ingested(&database, half).await;
    server.stop().await;
    database.leave_records(clicks[half..].iter().map(record));
    let server = database.start().await;
    all_ingested(&database, clicks.len()).await;
    let questions: Vec<Question> = (0..setting("LINKGRAPH_TEST_SUMMARIES", 60))
        .map(|_| random_question(&mut random, &links, &clicks, now))
        .collect();
    check_all(&database, &server, &token, &questions).await;
    let months = "SELECT count(*) FROM click_months";
    assert!(database.number(months).await > 0, "months with documents are asked for too");

    // Numbers of pages come from the same counts.
    for question in questions.iter().filter(|question| question.link.is_some()).take(10) {
        let query = "query($link: ID!, $from: DateTime, $to: DateTime, $bots: Boolean!, $page: Int!) { \
                         clicks(linkId: $link, from: $from, to: $to, includeBots: $bots, limit: 100, page: $page) { total data { id clickedAt } } }";
        let mut found = Vec::new();
        let mut total = None;
        for page in 1.. {
            let variables = json!({ "link": question.link, "from": rfc3339(question.from), "to": rfc3339(question.to), "bots": question.bots, "page": page });
            let answer = server.graphql(&token, query, variables).await;
            let clicks = answer["data"]["clicks"]["data"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
            total = answer["data"]["clicks"]["total"].as_u64();
            if clicks.is_empty() {
                break;
            }
            found.extend(clicks);
        }
        assert_eq!(total, Some(found.len() as u64));
        assert!(
            found.is_sorted_by(|a, b| a["clickedAt"].as_str() > b["clickedAt"].as_str()),
            "newest first, none twice"
        );
    }
    server.stop().await;
}

/// Clicks that were stored before there were roll-ups are counted at the start.
#[on_each_database]
async fn clicks_stored_before_are_counted(database: TestDatabase) {
    let mut random = seeded();
    let now = Clock::default().now();
    let server = database.start().await;
    let (token, links) = links(&server, 2).await;
    server.stop().await;
    let clicks = random_clicks(&mut random, &links, 2_500, now);
    database.leave_records(clicks.iter().map(record));
    let server = database.start().await;
    all_ingested(&database, clicks.len()).await;
    server.stop().await;
    let connection = database.connect().await;
    for sql in [
        "UPDATE clicks SET new_to_link = NULL, new_to_account = NULL",
        "DELETE FROM click_days",
        "DELETE FROM click_months",
        "DELETE FROM click_visitors",
    ] {
        connection.execute_unprepared(sql).await.unwrap();
    }
    connection.close().await.unwrap();
    let server = database.start().await;
    all_ingested(&database, clicks.len()).await;
    let questions: Vec<Question> = (0..15).map(|_| random_question(&mut random, &links, &clicks, now)).collect();
    check_all(&database, &server, &token, &questions).await;
    let counted = database.counted_clicks().await;
    assert_eq!(counted, i64::try_from(clicks.len()).unwrap(), "they are not counted again");
    server.stop().await;
}

#[on_each_database]
async fn kill_9_in_the_middle_changes_nothing(database: TestDatabase) {
    let mut random = seeded();
    let now = Clock::default().now();
    let process = TestProcess::start(&database, &[]).await;
    let (token, links) = links(&process.http, 3).await;
    drop(process);
    let clicks = random_clicks(&mut random, &links, 15_000, now);
    database.leave_records(clicks.iter().map(record));
    for _ in 0..4 {
        let mut process = TestProcess::start(&database, &[]).await;
        tokio::time::sleep(std::time::Duration::from_millis(random.random_range(0..250))).await;
        process.kill();
    }
    let process = TestProcess::start(&database, &[]).await;
    all_ingested(&database, clicks.len()).await;
    let questions: Vec<Question> = (0..10).map(|_| random_question(&mut random, &links, &clicks, now)).collect();
    check_all(&database, &process.http, &token, &questions).await;
}

/// Ten thousand referrers of one day: the document stays small, the sums stay right, and what many use is listed.
#[on_each_database]
async fn hostile_values_take_no_space(database: TestDatabase) {
    let server = database.start().await;
    let (token, links) = links(&server, 1).await;
    server.stop().await;
    let now = Clock::default().now();
    let noon = now.div_euclid(DAY) * DAY - DAY / 2;
    let hostile = (0..10_000_i64).map(|number| format!("{number}{}.example", "x".repeat(230)));
    let hosts = hostile.chain((0..50).map(|_| "popular.example".to_owned()));
    let clicks: Vec<Click<'_>> = (0..)
        .zip(hosts)
        .map(|(number, referrer_host)| Click {
            clicked_at: noon + number,
            link: links[0],
            referrer_host: referrer_host.into(),
            ..Click::default()
        })
        .collect();
    database.leave_records(clicks.iter().map(record));
    let server = database.start().await;
    all_ingested(&database, clicks.len()).await;
    let bytes = database.number("SELECT max(CAST(length(tops) + length(parts) AS bigint)) FROM click_days").await;
    // A host that the table of sources does not know is counted as referrer and as source.
    assert!(bytes < 120_000, "{bytes}");
    let question = Question {
        link: Some(links[0]),
        from: noon - DAY,
        to: now,
        interval: "DAY",
        zone: Tz::UTC,
        bots: true,
        limit: 1,
        filter: Vec::new(),
    };
    let answer = ask(&server, &token, &question).await;
    // The account has no other link; its document is larger, so that other batches wait beside it, and its error may differ.
    let account = ask(&server, &token, &Question { link: None, ..question.clone() }).await;
    for answer in [&answer, &account] {
        assert_eq!(answer["totals"]["clicks"], 10_050);
        let referrers = &answer["top"]["referrers"];
        let error = referrers["error"].as_i64().unwrap();
        let clicks = referrers["values"][0]["clicks"].as_i64().unwrap();
        assert_eq!(referrers["values"][0]["value"], "popular.example");
        assert!((1..=10_050 / 500).contains(&error) && (50 - error..=50).contains(&clicks), "{referrers}");
        assert_eq!(referrers["other"], 10_050 - clicks);
    }
    // The same clicks have the same values, by whatever range they are asked for.
    for (from, to) in [(noon, now), (noon - 1, noon + 10_050), (noon - 3 * HOUR - 1, noon + HOUR)] {
        let same = ask(&server, &token, &Question { from, to, ..question.clone() }).await;
        assert_eq!(same["top"], answer["top"], "{} to {}", rfc3339(from), rfc3339(to));
    }
    // A part of the clicks has none that is not in it, and no count that is too high.
    let part = ask(&server, &token, &Question { from: noon + 9_990, limit: 100, ..question.clone() }).await;
    let listed = part["top"]["referrers"]["values"].as_array().unwrap();
    assert_eq!((&listed[0]["value"], &listed[0]["clicks"], listed.len()), (&json!("popular.example"), &json!(50), 11));
    server.stop().await;
}

/// A value that comes one click at a time is listed, though made-up values came before it.
#[on_each_database]
async fn made_up_values_hide_nothing(database: TestDatabase) {
    let server = database.start().await;
    let (token, links) = links(&server, 1).await;
    server.stop().await;
    let midnight = (Clock::default().now() / DAY - 3) * DAY;
    let click = |host: String, millis: UnixMillis| Click {
        clicked_at: midnight + 2_000 + millis,
        link: links[0],
        referrer_host: host.into(),
        ..Click::default()
    };
    let made_up = (0..200).map(|number| click(format!("made-up-{}.example", number % 100), number));
    database.leave_records(made_up.map(|it| record(&it)));
    let server = database.start().await;
    all_ingested(&database, 200).await;
    server.stop().await;
    // Each is a batch of its own.
    for number in 0..4 {
        database.leave_records(std::iter::once(record(&click("news.example.com".to_owned(), 1_000 + number * 150))));
        let server = database.start().await;
        all_ingested(&database, 201 + usize::try_from(number).unwrap()).await;
        server.stop().await;
    }
    let server = database.start().await;
    for link in [Some(links[0]), None] {
        let question = Question {
            link,
            from: midnight,
            to: midnight + DAY,
            interval: "HOUR",
            zone: Tz::UTC,
            bots: true,
            limit: 1,
            filter: Vec::new(),
        };
        let whole = ask(&server, &token, &question).await;
        assert_eq!(whole["top"]["referrers"]["values"], json!([{ "value": "news.example.com", "clicks": 4 }]));
        assert_eq!(
            (&whole["top"]["referrers"]["other"], &whole["top"]["referrers"]["error"]),
            (&json!(200), &json!(0))
        );
        let later = ask(&server, &token, &Question { from: midnight + 1_000, ..question.clone() }).await;
        assert_eq!(whole["top"], later["top"]);
    }
    server.stop().await;
}

/// Thousands of made-up values before, after or between those that many have, of people and of bots, while the service is
/// killed again and again: no count is too high, and none is too low by more than the answer says.
#[on_each_database]
async fn made_up_values_cost_little(database: TestDatabase) {
    let mut random = seeded();
    let process = TestProcess::start(&database, &[]).await;
    let (token, links) = links(&process.http, 2).await;
    drop(process);
    let midnight = (Clock::default().now() / DAY - 2) * DAY;
    let mut hosts: Vec<(String, usize)> = (0..5_000)
        .map(|number| {
            let is_made_up = random.random_ratio(4, 5);
            let host =
                if is_made_up { format!("made-up-{number}") } else { format!("site-{}", random.random_range(0..12)) };
            (host, random.random_range(0..AGENTS.len()))
        })
        .collect();
    match random.random_range(0..3) {
        0 => hosts.sort_by_key(|(host, _)| host.starts_with("site")),
        1 => hosts.sort_by_key(|(host, _)| host.starts_with("made")),
        _ => {}
    }
    let clicks: Vec<Click<'_>> = (0..)
        .zip(hosts)
        .map(|(number, (host, agent))| Click {
            clicked_at: midnight + number * 17_000,
            link: *links.choose(&mut random).unwrap(),
            referrer_host: host.into(),
            user_agent: AGENTS[agent].into(),
            ..Click::default()
        })
        .collect();
    database.leave_records(clicks.iter().map(record));
    for _ in 0..3 {
        let mut process = TestProcess::start(&database, &[]).await;
        tokio::time::sleep(std::time::Duration::from_millis(random.random_range(0..250))).await;
        process.kill();
    }
    let process = TestProcess::start(&database, &[]).await;
    all_ingested(&database, clicks.len()).await;
    let connection = database.connect().await;
    for turn in 0..24 {
        let (a, b) = (random.random_range(0..DAY), random.random_range(0..DAY));
        let (from, to) = if turn < 4 { (0, DAY) } else { (a.min(b), a.max(b) + 1) };
        let link = [Some(links[0]), None][turn % 2];
        let bots = turn % 4 < 2;
        let question = Question {
            link,
            from: midnight + from,
            to: midnight + to,
            interval: "DAY",
            zone: Tz::UTC,
            bots,
            limit: 100,
            filter: Vec::new(),
        };
        let answer = ask(&process.http, &token, &question).await;
        let counted = recount(&connection, "clicks", &question, question.from).await;
        let mut exact: BTreeMap<String, i64> = BTreeMap::new();
        for (_, _, _, _, values) in counted.into_iter().filter(|(_, is_bot, ..)| bots || !is_bot) {
            *exact.entry(values[1].clone().unwrap()).or_default() += 1;
        }
        let top = &answer["top"]["referrers"];
        let number = |name: &str| top[name].as_i64().unwrap();
        let listed: BTreeMap<&str, i64> = top["values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|point| (point["value"].as_str().unwrap(), point["clicks"].as_i64().unwrap()))
            .collect();
        assert_eq!(listed.values().sum::<i64>() + number("other"), exact.values().sum::<i64>());
        assert!(number("error") * 500 <= 5_000, "{top}");
        for (value, count) in &listed {
            let exact = exact.get(*value).copied().unwrap_or_default();
            assert!(*count <= exact && exact <= count + number("error"), "{value}: {count} of {exact}, {top}");
        }
        if listed.len() < 100 {
            assert!(
                exact.iter().all(|(value, count)| listed.contains_key(&**value) || *count <= number("error")),
                "{top}"
            );
        }
        assert!(turn >= 4 || (0..12).all(|site| listed.contains_key(&*format!("site-{site}"))), "{top}");
    }
    connection.close().await.unwrap();
}

/// A batch's additions to a large document are stored beside it, are counted, and are merged when the day is over.
#[on_each_database]
async fn what_waits_to_be_merged_is_counted(database: TestDatabase) {
    let mut random = seeded();
    let server = database.start().await;
    let (token, links) = links(&server, 2).await;
    server.stop().await;
    let midnight = (Clock::default().now() / DAY - 1) * DAY;
    let mut clicks: Vec<Click<'_>> = (0..2_000)
        .map(|number| Click {
            clicked_at: midnight + number * 40_000,
            link: links[0],
            referrer_host: format!("site-{}.example", number % 400).into(),
            visitor: [random.random_range(0..9); 16],
            ..Click::default()
        })
        .collect();
    database.leave_records(clicks.iter().map(record));
    let server = database.start().await;
    all_ingested(&database, clicks.len()).await;
    server.stop().await;
    let waiting = "SELECT count(*) FROM click_day_deltas";
    let ask_all = async |server: &Http, clicks: &[Click<'_>], random: &mut StdRng| {
        let questions: Vec<Question> =
            (0..12).map(|_| random_question(random, &links, clicks, midnight + 2 * DAY)).collect();
        check_all(&database, server, &token, &questions).await;
        let months = [Some(links[0]), None].map(|link| Question {
            link,
            from: midnight - 32 * DAY,
            to: midnight + 40 * DAY,
            interval: "MONTH",
            zone: Tz::UTC,
            bots: true,
            limit: 100,
            filter: Vec::new(),
        });
        check_all(&database, server, &token, &months).await;
        let answer =
            server.graphql(&token, "{ links { data { id clickSeries(days: 5) { clicks } } } }", json!({})).await;
        for link in answer["data"]["links"]["data"].as_array().unwrap() {
            let counted = clicks.iter().filter(|click| link["id"] == click.link.to_string()).count();
            let shown = link["clickSeries"].as_array().unwrap().iter().map(|day| day["clicks"].as_u64().unwrap());
            assert_eq!(shown.sum::<u64>(), counted as u64);
        }
    };
    for number in 0..3 {
        // By turns of one link and of both, some of a value that was not there before.
        let more: Vec<Click<'_>> = (0..=number)
            .map(|at| Click {
                clicked_at: midnight + 80_100_000 + number * 1_000 + at,
                link: links[usize::from(at == 2)],
                referrer_host: format!("site-{}.example", 399 + at).into(),
                visitor: [u8::try_from(at).unwrap(); 16],
                ..Click::default()
            })
            .collect();
        database.leave_records(more.iter().map(record));
        clicks.extend(more);
        let mut process = TestProcess::start(&database, &[]).await;
        all_ingested(&database, clicks.len()).await;
        ask_all(&process.http, &clicks, &mut random).await;
        process.kill();
    }
    assert!(database.number(waiting).await > 0, "of the link and of the account");
    assert_eq!(database.number("SELECT count(*) FROM click_months").await, 2);
    let next_day = Click { clicked_at: midnight + DAY + 1, link: links[1], ..Click::default() };
    database.leave_records(std::iter::once(record(&next_day)));
    clicks.push(next_day);
    let server = database.start().await;
    all_ingested(&database, clicks.len()).await;
    eventually("all is merged", async || (database.number(waiting).await == 0).then_some(())).await;
    ask_all(&server, &clicks, &mut random).await;
    server.stop().await;
}

/// A deleted link's clicks are still the account's; a deleted account's are nobody's.
#[on_each_database]
async fn what_is_deleted_leaves_nothing_of_its_own(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let (token, links) = links(&server, 2).await;
    server.follow("s0").await.expect(302);
    server.follow("s1").await.expect(302);
    all_ingested(&database, 2).await;
    let summary = async || {
        let summary = server.get("/analytics/summary", &token).await.expect(200).json();
        let of_links: Vec<Json> =
            summary["links"].as_array().unwrap().iter().map(|link| link["link"]["slug"].clone()).collect();
        (numbers(&summary["totals"]), of_links.iter().filter(|slug| slug.is_string()).count(), of_links.len())
    };
    assert_eq!(summary().await, ([2, 1, 0], 2, 2), "one visitor of two links");
    server.call("DELETE", &format!("/links/{}", links[0]), &token, Json::Null).await.expect(204);
    eventually("the link's documents are gone", async || {
        (database.number("SELECT count(*) FROM click_days").await == 2).then_some(())
    })
    .await;
    assert_eq!(summary().await, ([2, 1, 0], 1, 2));
    server.get(&format!("/analytics/{}/summary", links[0]), &token).await.expect(404);
    server.follow("s1").await.expect(302);
    eventually("the click is counted", async || (summary().await.0 == [3, 1, 0]).then_some(())).await;
    server.leave(&token).await.expect(204);
    for table in ["clicks", "click_blocks", "click_days", "click_day_deltas", "click_months", "click_visitors"] {
        eventually("nothing is left", async || {
            (database.number(&format!("SELECT count(*) FROM {table}")).await == 0).then_some(())
        })
        .await;
    }
    server.stop().await;
}

#[on_each_database]
async fn visitors_are_forgotten_after_a_week(database: TestDatabase) {
    let server = database.start().await;
    let (_, links) = links(&server, 1).await;
    server.stop().await;
    let now = Clock::default().now();
    let clicks: Vec<Click<'_>> =
        (0..30).rev().map(|day| Click { clicked_at: now - day * DAY, link: links[0], ..Click::default() }).collect();
    database.leave_records(clicks.iter().map(record));
    let server = database.start().await;
    all_ingested(&database, 30).await;
    eventually("the days of a week and today are left", async || {
        (database.number("SELECT count(*) FROM click_visitors").await == 8).then_some(())
    })
    .await;
    server.stop().await;
}

/// Wrong arguments, absurd ranges, and many questions in one request.
#[on_each_database]
async fn odd_questions_have_answers(database: TestDatabase) {
    let server = database.start_at(&[], noon()).await;
    let (token, links) = links(&server, 1).await;
    server.follow("s0").await.expect(302);
    all_ingested(&database, 1).await;
    let path = format!("/analytics/{}/summary", links[0]);
    let get = async |query: &str| server.get(&format!("{path}?{query}"), &token).await;
    let usual = get("").await.expect(200).json();
    assert_eq!((numbers(&usual["totals"]), usual["series"].as_array().unwrap().len()), ([1, 1, 0], 30));
    assert_eq!(usual["totals"]["change"], json!({ "clicks": null, "uniques": null, "bots": null }));
    assert_eq!(
        usual["top"]["browsers"],
        json!({ "values": [{ "value": "Firefox", "clicks": 1 }], "unknown": 0, "other": 0, "error": 0 })
    );
    for interval in ["HOUR", "DAY", "WEEK", "MONTH"] {
        let answer = get(&format!(
            "from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59Z&interval={interval}&timeZone=Asia/Kolkata"
        ))
        .await
        .expect(200)
        .json();
        assert_eq!(
            (numbers(&answer["totals"]), answer["series"].as_array().unwrap().len()),
            ([1, 1, 0], 2_000),
            "{interval}"
        );
    }
    let none = get("from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z").await.expect(200).json();
    assert_eq!(
        (numbers(&none["totals"]), &none["series"], &none["top"]["countries"]["values"]),
        ([0; 3], &json!([]), &json!([]))
    );
    for (query, path) in [
        ("timeZone=Mars/Olympus", "timeZone"),
        ("timeZone=europe/zurich", "timeZone"),
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("interval=day", "interval"),
        ("from=yesterday", "from"),
    ] {
        assert_eq!(get(query).await.expect(400).violations(), [path]);
    }
    let wrong = server.graphql(&token, "{ accountClickSummary(timeZone: \"Mars/Olympus\") { from } }", json!({})).await;
    assert!(wrong["errors"][0]["extensions"]["code"].is_string(), "{wrong}");
    server.get(&format!("/analytics/{}/summary", Uuid::now_v7()), &token).await.expect(404);

    // Five panels in one request, each read once; many more have a limit. They take turns for one connection, within the 4 s that one waits
    // at most, also in a build without optimizations beside other tests.
    let panel =
        |number: usize| format!("p{number}: accountClickSummary(interval: HOUR) {{ {FIELDS} links {{ linkId }} }}");
    let panels = |most: usize| {
        let panels: String = (0..most).map(panel).collect();
        format!("{{ {panels} }} fragment t on TopValuesStats {{ values {{ value clicks }} unknown other error }}")
    };
    let five = server.graphql(&token, &panels(5), json!({})).await;
    assert!(five["errors"].is_null() && five["data"]["p4"]["totals"]["clicks"] == 1, "{five:.300}");
    let many = server.graphql(&token, &panels(31), json!({})).await;
    assert_eq!(many["errors"][0]["extensions"]["code"], "QUERY_TOO_COMPLEX", "{many:.300}");

    // A series costs the days of its range, not the longest possible one: thirty links of a dashboard are one request.
    let small = "totals { clicks uniques bots } series { start clicks uniques bots } top { countries { ...t } }";
    let link = links[0];
    let rows: String = (0..30).map(|n| format!("r{n}: clickSummary(linkId: \"{link}\") {{ {small} }} ")).collect();
    let query =
        format!("{{ {rows} }} fragment t on TopValuesStats {{ values {{ value clicks }} unknown other error }}");
    let thirty = server.graphql(&token, &query, json!({})).await;
    assert!(thirty["errors"].is_null(), "{thirty:.300}");
    let series = thirty["data"]["r29"]["series"].as_array().unwrap();
    assert_eq!((series.len(), &series[29]["clicks"]), (30, &json!(1)));
    server.stop().await;
}

/// Two nodes count different days of one account at once: the document of their month, which both change, has all clicks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn days_that_nodes_count_at_once_add_up_in_their_month() {
    let first = TestDatabase::postgres().await;
    let server = first.start().await;
    let (token, links) = links(&server, 2).await;
    server.stop().await;
    let second = first.node();
    second.start().await.stop().await;
    // The middle of a month.
    let now = Clock::default().now();
    let today = chrono::DateTime::from_timestamp_millis(now).unwrap().date_naive();
    let day = now / DAY - i64::from(today.day()) - 14;
    let mut all = Vec::new();
    for (node, days) in [(&first, 0), (&second, 1)] {
        let clicks: Vec<Click<'_>> = (0..6_000)
            .map(|number| Click {
                clicked_at: (day + days) * DAY + number * 10_000,
                link: links[usize::try_from(number % 2).unwrap()],
                referrer_host: format!("site-{}.example", number % 400).into(),
                ..Click::default()
            })
            .collect();
        node.leave_records(clicks.iter().map(record));
        all.extend(clicks);
    }
    let (server, other) = tokio::join!(first.start(), second.start());
    all_ingested(&first, all.len()).await;
    assert_eq!(first.number("SELECT count(*) FROM click_months").await, 3, "of two links and the account");
    let (from, to) = ((day - 40) * DAY, (day + 40) * DAY);
    let of_links = [Some(links[0]), Some(links[1]), None].map(|link| Question {
        link,
        from,
        to,
        interval: "MONTH",
        zone: Tz::UTC,
        bots: true,
        limit: 100,
        filter: Vec::new(),
    });
    check_all(&first, &server, &token, &of_links).await;
    server.stop().await;
    other.stop().await;
}
