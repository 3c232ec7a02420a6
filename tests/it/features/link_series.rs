//! Clicks by day of the links of a page: as many as the summaries count.

use linkgraph::base::clock::{DAY, HOUR, rfc3339};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{TestDatabase, receiver::id, stored::all_ingested},
};

#[on_each_database]
async fn a_series_has_the_days_of_the_summary(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    for slug in ["a", "b", "c"] {
        server.link(&token, slug).await;
    }
    // On four days, at different times, people and bots; the days between have none.
    let mut clicks = 0;
    for (wait, slug) in [(0, "a"), (HOUR, "a"), (DAY, "b"), (0, "a"), (5 * DAY, "a"), (30 * DAY, "b"), (HOUR, "b")] {
        server.clock.advance(wait);
        server.follow(slug).await.expect(302);
        server.get(&format!("/{slug}"), "").await.expect(302);
        clicks += 2;
    }
    all_ingested(&server, clicks).await;
    let token = server.login("alice").await;
    let query = "query($days: Int!) { links(sort: OLDEST) { data { id slug month: clickSeries { ...day } some: clickSeries(days: $days) { ...day } } } } \
                     fragment day on SeriesPoint { start clicks uniques bots }";
    for days in [1, 3, 7, 40, 365] {
        let found = server.graphql(&token, query, json!({ "days": days })).await;
        let links = found["data"]["links"]["data"].as_array().unwrap_or_else(|| panic!("{found}")).clone();
        assert_eq!(links.len(), 3);
        for link in links {
            let month = link["month"].as_array().unwrap();
            let some = link["some"].as_array().unwrap();
            assert_eq!((month.len(), some.len()), (30, days));
            let shared = days.min(30);
            assert_eq!(month[30 - shared..], some[days - shared..]);
            let today = server.clock.now() / DAY;
            let from = rfc3339((today + 1 - i64::try_from(days).unwrap()) * DAY);
            assert_eq!(some[0]["start"], from);
            let summary = format!("/analytics/{}/summary?from={from}&to={}", id(&link), rfc3339((today + 1) * DAY));
            assert_eq!(
                link["some"],
                server.get(&summary, &token).await.expect(200).json()["series"],
                "{days} {}",
                link["slug"]
            );
        }
    }
    for days in [0, -1, 366] {
        let refused = server.graphql(&token, query, json!({ "days": days })).await;
        let error = &refused["errors"][0]["extensions"];
        assert_eq!(
            (&error["code"], &error["validationErrors"][0]["path"]),
            (&json!("VALIDATION_ERROR"), &json!("days")),
            "{refused}"
        );
    }
}

#[on_each_database]
async fn a_series_needs_the_scope_of_clicks_and_counts_by_its_days(database: TestDatabase) {
    let server = database.start().await;
    let token = server.register("alice").await;
    let link = server.link(&token, "one").await;
    let key = server.api_key(&token, &["links:read"]).await;
    let of = |size: u32, days: u32| {
        format!(
            "{{ links(pageSize: {size}) {{ data {{ id lastClickedAt clickSeries(days: {days}) {{ start clicks uniques bots }} }} }} }}"
        )
    };
    let refused = server.graphql(&key, &of(1, 1), json!({})).await;
    let error = &refused["errors"][0]["extensions"];
    assert_eq!(
        (&error["code"], &error["details"]["scope"]),
        (&json!("FORBIDDEN"), &json!("analytics:read")),
        "{refused}"
    );
    // Over REST a link is as it was: the series is for those who ask for it.
    let shown = server.get(&format!("/api/v1/links/{}", id(&link)), &key).await.expect(200).json();
    assert_eq!((&shown, shown.get("clickSeries")), (&link, None));
    for (size, days, is_too_much) in [(100, 30, false), (1, 365, false), (50, 365, false), (100, 365, true)] {
        let answer = server.graphql(&token, &of(size, days), json!({})).await;
        let code = &answer["errors"][0]["extensions"]["code"];
        assert_eq!(
            *code,
            if is_too_much { json!("QUERY_TOO_COMPLEX") } else { Json::Null },
            "{size} {days}: {answer:.200}"
        );
    }
}
