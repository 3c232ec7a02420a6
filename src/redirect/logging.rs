//! The click of a redirect: it is in the log before the answer is sent.

use std::net::IpAddr;

use super::{Redirects, head::Head, rules::Led, target::Target};
use crate::clicks::click::{Click, Trigger, Visit};

/// Logs the click, and returns its number. `None`: the request is no click.
pub(super) fn log_click(
    redirects: &Redirects,
    peer: IpAddr,
    head: &Head<'_>,
    target: &Target,
    (trigger, led): (Trigger, Led<'_>),
) -> Option<u64> {
    // A HEAD request asks for the destination only: it is no click.
    if head.method == "HEAD" {
        return None;
    }
    let client = head.client(&redirects.config, peer);
    let visit = Visit {
        now: redirects.clock.now(),
        link: target.link(),
        account: target.account(),
        client,
        country: redirects.clicks.geoip.country(client),
        area: redirects.clicks.geoip.area(client),
        user_agent: head.user_agent,
        referrer: head.referrer,
        accept_language: head.accept_language,
        query: head.query,
        is_prefetch: head.is_prefetch,
    };
    let click = Click::new(&redirects.clicks.visitors, &visit);
    Some(redirects.clicks.log.append(&Click { trigger, destination: led.destination, rule: led.rule, ..click }))
}

/// Waits until the click is on the disk, where the log is strict.
pub(super) async fn synced(redirects: &Redirects, click: Option<u64>) {
    if let Some(click) = click
        && redirects.clicks.log.is_strict()
    {
        redirects.clicks.log.synced(click).await;
    }
}
