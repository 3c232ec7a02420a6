//! linkgraph's own files, as its export has the fields that are read again.

use serde_json::{Map, Value as Json, json};

use crate::{Record, format_time, table::csv_line, write_list};

/// The columns of a link that are read again, in the order in which they are written.
pub const COLUMNS: [&str; 30] = [
    "destinationUrl",
    "slug",
    "domain",
    "title",
    "notes",
    "tags",
    "isActive",
    "isArchived",
    "forwardsQuery",
    "hasPassword",
    "asksFirst",
    "notice",
    "card.title",
    "card.description",
    "card.imageUrl",
    "app.iosUri",
    "app.iosStoreUrl",
    "app.androidUri",
    "app.androidPackage",
    "app.data",
    "rules",
    "split",
    "startsAt",
    "expiresAt",
    "expiredUrl",
    "maxClicks",
    "usedClicks",
    "clickCount",
    "externalId",
    "createdAt",
];

/// The header of a CSV file.
pub fn csv_head() -> String {
    csv_line(COLUMNS)
}

/// A link as a line of a CSV file.
pub fn csv_record(link: &Record) -> String {
    let plain = |value: &Json| match value {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        Json::Array(names) => write_list(names.iter().filter_map(Json::as_str)),
        other => other.to_string(),
    };
    csv_line(values(link).iter().map(plain).collect::<Vec<_>>().iter().map(String::as_str))
}

/// A link as a line of a JSON Lines file.
pub fn json_record(link: &Record) -> String {
    let object: Map<String, Json> = COLUMNS.iter().map(|name| (*name).to_owned()).zip(values(link)).collect();
    format!("{}\n", Json::Object(object))
}

fn values(link: &Record) -> [Json; 30] {
    let time = |time: Option<i64>| time.map(format_time);
    [
        json!(link.destination_url),
        json!(link.slug),
        json!(link.host),
        json!(link.title),
        json!(link.notes),
        json!(link.tags),
        json!(link.is_active),
        json!(link.is_archived),
        json!(link.forwards_query),
        json!(link.has_password),
        json!(link.asks_first),
        json!(link.notice),
        json!(link.card_title),
        json!(link.card_description),
        json!(link.card_image_url),
        json!(link.app_ios_uri),
        json!(link.app_ios_store_url),
        json!(link.app_android_uri),
        json!(link.app_android_package),
        json!(link.app_data),
        json!(link.rules),
        json!(link.split),
        json!(time(link.starts_at)),
        json!(time(link.expires_at)),
        json!(link.expired_url),
        json!(link.max_clicks),
        json!(link.used_clicks),
        json!(link.clicks),
        json!(link.external_id),
        json!(time(link.created_at)),
    ]
}
