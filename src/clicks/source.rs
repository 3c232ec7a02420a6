//! Source and channel of a click, out of what is stored of it.

use click_sources::{AdClick, Channel, Visit, classify};

use super::click::Trigger;

/// The source of a click with these columns, as the database has them (`None`: it tells none), and its channel.
pub(crate) fn source<'a>(
    referrer_host: Option<&'a str>,
    utm: [Option<&'a str>; 3],
    trigger: Option<&str>,
    ad_click: Option<&str>,
) -> (Option<&'a str>, Channel) {
    let [utm_source, utm_medium, utm_campaign] = utm.map(Option::unwrap_or_default);
    classify(&Visit {
        referrer_host: referrer_host.unwrap_or_default(),
        utm_source,
        utm_medium,
        utm_campaign,
        is_scan: trigger == Trigger::Qr.stored(),
        ad_click: ad_click.and_then(|number| AdClick::of_number(number.parse().ok()?)),
    })
}
