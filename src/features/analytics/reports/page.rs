//! The page of a report: its numbers in JSON.

use std::{collections::HashMap, sync::Arc};

use entity::{link, report};
use serde_json::{Value as Json, json};

use super::definition::{Definition, ReportPanel, interval_of};
use crate::{
    app::App,
    base::{
        clock::{UnixMillis, rfc3339},
        error::{ApiError, Code},
        ids::{AccountId, LinkId},
        metering::Meter,
    },
    click_store::{
        buckets::Calendar,
        condition::{ClickDimension, Condition},
        question::{Question, Subject},
    },
    features::{
        analytics::{
            ops::{self, SummaryRequest},
            summary_types::{AccountClickSummaryResult, TopStats, TopValuesStats},
        },
        links,
    },
    platform::http::rate_limit::{Key, Policy, cost_of},
    records::{
        accounts, links as links_of,
        reports::{ReportId, cache::ReportPage, repo},
    },
};

/// Values of each list.
const VALUES: usize = 10;

/// The report whose page has this token, with its definition. Fails with NOT_FOUND if there is none, or no longer.
pub(super) async fn shared(app: &App, token: &str) -> Result<(report::Model, Definition), ApiError> {
    let not_found = || ApiError::new(Code::NotFound, "This report does not exist, or is no longer shared.");
    let report = repo::shared(app.db.read(), token).await?.ok_or_else(not_found)?;
    let is_over = report.expires_at.is_some_and(|end| end <= app.clock.now());
    if is_over || app.redirects.restrictions.is_suspended(AccountId(report.account_id)) {
        return Err(not_found());
    }
    let definition = Definition::read(&report.definition).map_err(ApiError::internal)?;
    Ok((report, definition))
}

/// The page of a report. Its clicks are counted once a minute, at the cost of the report's account: fails when that has been used up, and as
/// other questions do.
pub(super) async fn page(
    app: &Arc<App>,
    report: &report::Model,
    definition: &Definition,
) -> Result<ReportPage, ApiError> {
    let key = (ReportId(report.id), report.updated_at);
    let make = async || {
        let payer = Key::from(AccountId(report.account_id));
        app.limits.take(Policy::ReportPages, payer, 1).await?;
        if let Some(meter) = Meter::of_running_work() {
            let app = Arc::clone(app);
            meter.tell(move |time| {
                let cost = i64::try_from(cost_of(time)).unwrap_or(i64::MAX);
                app.limits.settle(Policy::ReportPages, payer.into(), cost - 1);
            });
        }
        let now = app.clock.now();
        let json = answer(app, report, definition, now).await?;
        let tag = format!("\"{}-{}-{now}\"", report.id, report.updated_at);
        Ok(ReportPage { tag, json: json.to_string().into() })
    };
    app.report_pages.get(key, app.clock.now(), make).await
}

async fn answer(app: &App, report: &report::Model, definition: &Definition, now: UnixMillis) -> Result<Json, ApiError> {
    let account = AccountId(report.account_id);
    let link = match report.link_id {
        Some(link) => Some(links::lookup::link(app, account, LinkId(link)).await?),
        None => None,
    };
    let since = match &link {
        Some(link) => link.created_at,
        None => accounts::repo::account(app.db.read(), account).await?.ok_or(Code::NotFound)?.created_at,
    };
    let (from, to) = definition.range(now, since);
    let calendar = Calendar { interval: interval_of(from, to.unwrap_or(now)), zone: definition.time_zone };
    let question = Question {
        subject: link.as_ref().map_or(Subject::Account, |link| Subject::Link(LinkId(link.id))),
        from: Some(from),
        to,
        with_bots: definition.include_bots,
        conditions: definition.conditions.clone(),
        dimension: None,
        max_clicks: app.config.max_clicks_read,
        own_host: app.config.base_url.host().to_owned(),
    };
    let (limit, tops) = (VALUES, !definition.panels.is_empty());
    let request = SummaryRequest { question, calendar, limit, previous: true, tops };
    let counted = ops::summary(app, account, request).await?;
    let counted = AccountClickSummaryResult::new(counted, calendar, definition.include_bots);
    let links = named(app, account, definition, &counted).await?;
    let short_url = |link: &link::Model| app.config.short_url(&link.host, &link.slug);
    let destination = |link: &link::Model| definition.shows_destinations.then(|| link.destination_url.clone());
    let panels = definition.panels.iter().filter(|panel| link.is_none() || **panel != ReportPanel::Links);
    let panels: Vec<Json> = panels
        .map(|panel| match values(&counted.summary.top, *panel) {
            Some(TopValuesStats { values, unknown, other, .. }) => {
                let values = values.iter().map(|point| json!({ "value": point.value, "clicks": point.clicks }));
                json!({ "panel": panel, "values": values.collect::<Vec<_>>(), "unknown": unknown, "other": other })
            }
            None => {
                let known = counted.links.iter().filter_map(|point| Some((links.get(&*point.link_id)?, point.clicks)));
                let values: Vec<Json> = known
                    .map(|(link, clicks)| {
                        json!({
                            "value": short_url(link), "title": link.title, "destinationUrl": destination(link), "clicks": clicks,
                        })
                    })
                    .collect();
                let listed: i64 = values.iter().filter_map(|value| value["clicks"].as_i64()).sum();
                let other = i64::from(counted.summary.totals.clicks) - listed;
                json!({ "panel": panel, "values": values, "unknown": 0, "other": other })
            }
        })
        .collect();
    let summary = &counted.summary;
    let series = summary
        .series
        .iter()
        .map(|point| json!({ "start": rfc3339(point.start.0), "clicks": point.clicks, "uniques": point.uniques }));
    let of_link = |id: &str| links.get(id).map(short_url);
    Ok(json!({
        "name": report.name,
        "link": link.as_ref().map(|link| {
            json!({ "shortUrl": short_url(link), "title": link.title, "destinationUrl": destination(link) })
        }),
        "generatedAt": rfc3339(now),
        "from": rfc3339(summary.from.0),
        "to": rfc3339(summary.to.0),
        "interval": calendar.interval,
        "timeZone": definition.time_zone,
        "includeBots": definition.include_bots,
        "conditions": definition.conditions.iter().map(|each| condition(each, of_link)).collect::<Vec<_>>(),
        "totals": { "clicks": summary.totals.clicks, "uniques": summary.totals.uniques },
        "change": { "clicks": summary.totals.change.clicks, "uniques": summary.totals.change.uniques },
        "series": series.collect::<Vec<_>>(),
        "panels": panels,
        "isExact": summary.is_exact,
    }))
}

/// The links that the page names, by id: those that have the most clicks, if it lists them, and those of the filter.
async fn named(
    app: &App,
    account: AccountId,
    definition: &Definition,
    counted: &AccountClickSummaryResult,
) -> Result<HashMap<String, link::Model>, ApiError> {
    let listed = counted.links.iter().filter(|_| definition.panels.contains(&ReportPanel::Links));
    let conditions = definition.conditions.iter().filter(|condition| condition.dimension == ClickDimension::Link);
    let asked = conditions.flat_map(|condition| condition.values.iter().flatten());
    let ids = listed.map(|point| &point.link_id.0).chain(asked);
    let ids: Vec<LinkId> = ids.filter_map(|id| id.parse().ok()).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let found = links_of::repo::links(app.db.read(), account, &ids).await?;
    Ok(found.into_iter().map(|link| (link.id.to_string(), link)).collect())
}

/// A condition as the page says it: links by their short URLs, without those that there are no longer.
fn condition(condition: &Condition, short_url: impl Fn(&str) -> Option<String>) -> Json {
    let Condition { dimension, operator, values } = condition;
    let values: Vec<Option<String>> = match dimension {
        ClickDimension::Link => values.iter().flatten().filter_map(|id| short_url(id)).map(Some).collect(),
        _ => values.clone(),
    };
    json!({ "dimension": dimension, "operator": operator, "values": values })
}

/// The values of a list. `None`: it lists links.
fn values(top: &TopStats, panel: ReportPanel) -> Option<&TopValuesStats> {
    Some(match panel {
        ReportPanel::Links => return None,
        ReportPanel::Countries => &top.countries,
        ReportPanel::Regions => &top.regions,
        ReportPanel::Cities => &top.cities,
        ReportPanel::Languages => &top.languages,
        ReportPanel::Sources => &top.sources,
        ReportPanel::Channels => &top.channels,
        ReportPanel::Referrers => &top.referrers,
        ReportPanel::UtmSources => &top.utm_sources,
        ReportPanel::UtmMediums => &top.utm_mediums,
        ReportPanel::UtmCampaigns => &top.utm_campaigns,
        ReportPanel::Browsers => &top.browsers,
        ReportPanel::OperatingSystems => &top.operating_systems,
        ReportPanel::Devices => &top.devices,
        ReportPanel::Triggers => &top.triggers,
    })
}
