//! Links into apps: on phones, they open an app in place of the destination; and apps that were opened by a short link, or have just been
//! installed, ask where it leads.
//!
//! An app that claims the host's links (see [`crate::records::apps::association`]) is opened by the phone itself, so that no visit comes here. Who
//! comes by phone has no such app, or opens the link in a browser inside another one.

use std::{net::IpAddr, sync::Arc};

use axum::response::Response;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    Redirects,
    cache::Site,
    counting, forward,
    head::Head,
    limits::Used,
    logging::{log_click, synced},
    resolve::{Found, find},
    rules::led,
    served_host::ServedHost,
    target::{Intent, Target, Verdict},
    visit::RequestVisit,
};
use crate::{
    base::{
        error::{ApiError, Code},
        ids::{AccountId, LinkId},
        validate::{MAX_SEGMENTS, slug_of_path},
    },
    clicks::{agent::Agent, click::Trigger, texts::user_agent},
    platform::http::pages::visitor::{self, Wording},
};

/// Browsers of Android that open `intent:` URIs which they are redirected to, or else the fallback in them
/// (<https://developer.chrome.com/docs/android/intents>). Browsers inside apps leave that to the app: they get a page with a link.
const OPEN_INTENTS: [&str; 9] =
    ["Chrome", "Chromium", "Samsung Internet", "Firefox", "Edge", "Opera", "Brave", "Vivaldi", "Yandex Browser"];
/// Characters that stand for themselves in the parameters of an intent and of Play's URL (RFC 3986 §2.3).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Parameter of Play's `referrer` that holds the [`token`].
const TOKEN: &str = "link_token";

/// Apps that a link opens, and data for them, as `links` and redirect caches have it: in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct AppLink {
    /// URI that opens the app on iOS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ios_uri: Option<String>,
    /// Page of the app in the App Store.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ios_store_url: Option<String>,
    /// URI that opens the app on Android.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) android_uri: Option<String>,
    /// Name of the app's package on Android, by which Google Play knows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) android_package: Option<String>,
    /// Data for the app: JSON text of an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) data: Option<String>,
}

impl AppLink {
    /// Reads what is stored. `None`: it is unreadable.
    pub(crate) fn read(stored: &[u8]) -> Option<Self> {
        serde_json::from_slice(stored).ok()
    }

    /// The text that is stored. `None`: it opens no app.
    pub(crate) fn stored(&self) -> Option<String> {
        serde_json::to_string(self).ok().filter(|_| *self != AppLink::default())
    }

    /// Whether visits of this operating system get an app, or its store, in place of a redirect.
    pub(crate) fn opens_on(&self, os: Option<&str>) -> bool {
        match os {
            Some("iOS" | "iPadOS") => self.ios_uri.is_some() || self.ios_store_url.is_some(),
            Some("Android") => self.android_uri.is_some() || self.android_package.is_some(),
            _ => false,
        }
    }

    /// The answer to a visit in place of a redirect to `location`. `None`: the redirect.
    fn opening(&self, agent: Agent, link: LinkId, short_url: &str, location: &str) -> Option<Opening> {
        match agent.os? {
            "iOS" | "iPadOS" => match (&self.ios_uri, &self.ios_store_url) {
                (Some(uri), store) => Some(Opening::Page { uri: uri.clone(), store: store.clone() }),
                (None, Some(store)) => Some(Opening::Redirect(store.clone())),
                (None, None) => None,
            },
            "Android" => {
                let uri = self.intent(link, short_url, location)?;
                match agent.browser.is_some_and(|browser| OPEN_INTENTS.contains(&browser)) {
                    true => Some(Opening::Redirect(uri)),
                    false => {
                        let store = self.android_package.as_deref().map(|package| play_url(package, link));
                        Some(Opening::Page { uri, store })
                    }
                }
            }
            _ => None,
        }
    }

    /// The URI by which Android opens the app, or else its page in Google Play, or else the destination. An app without a URI of its own gets
    /// the short URL.
    fn intent(&self, link: LinkId, short_url: &str, location: &str) -> Option<String> {
        let uri = match (&self.android_uri, &self.android_package) {
            (Some(uri), _) => uri.as_str(),
            (None, Some(_)) => short_url,
            (None, None) => return None,
        };
        let (scheme, rest) = uri.split_once(':')?;
        let package = self.android_package.as_deref();
        let fallback = package.map_or_else(|| location.to_owned(), |package| play_url(package, link));
        let package = package.map(|package| format!("package={package};")).unwrap_or_default();
        let fallback = utf8_percent_encode(&fallback, ENCODED);
        Some(format!("intent:{rest}#Intent;scheme={scheme};{package}S.browser_fallback_url={fallback};end"))
    }
}

/// An answer to a visit by phone.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Opening {
    /// A redirect to this URI.
    Redirect(String),
    /// A page on which the visitor opens the app, gets it from its store (`None`: it is in none), or continues to the destination. Where no app
    /// opens the URI, iOS shows an error, and no page without scripts can tell.
    Page {
        /// URI that opens the app.
        uri: String,
        /// URL of the app in its store.
        store: Option<String>,
    },
}

/// The app's page in Google Play, which hands the link's token on to the app once it is installed
/// (<https://developer.android.com/google/play/installreferrer>).
fn play_url(package: &str, link: LinkId) -> String {
    let referrer = format!("{TOKEN}={}", token(link));
    let referrer = utf8_percent_encode(&referrer, ENCODED);
    format!("https://play.google.com/store/apps/details?id={package}&referrer={referrer}")
}

/// The name of a link for an app that was installed by it. It is no secret: it tells no more than the short URL.
pub(crate) fn token(link: LinkId) -> String {
    URL_SAFE_NO_PAD.encode(link.0.as_bytes())
}

/// The link that a token names. `None`: it names none.
pub(crate) fn link_of(token: &str) -> Option<LinkId> {
    let bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
    Uuid::from_slice(&bytes).ok().map(LinkId)
}

/// The answer to a visit of a link that opens an app on this device: where to redirect, or else a page. `None`: the redirect to `location`.
/// `host` is the account's host at which it came; `None`: the service's own.
pub(super) fn answer<'a>(
    redirects: &Redirects,
    (head, wording): (&Head<'_>, impl FnOnce() -> Wording<'a>),
    host: Option<&str>,
    slug: &str,
    target: &Target,
    location: &[u8],
) -> Option<Result<String, Response>> {
    let app = AppLink::read(target.app()?)?;
    let agent = redirects.clicks.agents.read(&user_agent(head.user_agent));
    let location = std::str::from_utf8(location).ok()?;
    let short_url = redirects.config.short_url(host.unwrap_or_default(), slug);
    Some(match app.opening(agent, target.link(), &short_url, location)? {
        Opening::Redirect(uri) => Ok(uri),
        Opening::Page { uri, store } => Err(visitor::open_app(wording(), &uri, store.as_deref(), location)),
    })
}

/// The answer to an app that asks about a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Opened {
    /// Its slug, as it is stored.
    pub(crate) slug: String,
    /// The URL that the visit is led to.
    pub(crate) location: String,
    /// The link's data for apps. `None`: it has none.
    pub(crate) data: Option<String>,
}

/// Tells an app where the link of the account that the head's path names leads it, as a visit with the trigger `APP`. `host` is the account's at
/// which the link is; `None`: the service's own. Fails with NOT_FOUND where there is no such link, or none that redirects now, and with
/// FORBIDDEN where its visitors are asked first.
pub(crate) async fn open(
    redirects: &Arc<Redirects>,
    client: IpAddr,
    head: &Head<'_>,
    account: AccountId,
    host: Option<(&str, &ServedHost)>,
) -> Result<Opened, ApiError> {
    let site = host.map(|(name, served)| served.site(name));
    let asked = slug_of_path(head.path, if host.is_some() { MAX_SEGMENTS } else { 1 });
    let has_patterns = host.is_some_and(|(_, served)| served.has_patterns);
    let found = async || {
        let found = find(redirects, site, (head.path, asked.as_deref()), has_patterns).await?;
        found.filter(|found| found.target.account() == account).ok_or_else(not_found)
    };
    let mut link = found().await?;
    // A second time if the cached link has a limit that is no longer stored.
    if !is_granted(redirects, site, &link).await? {
        link = found().await?;
        if !is_granted(redirects, site, &link).await? {
            return Err(ApiError::unavailable());
        }
    }
    let Found { target, slug, rest } = link;
    let led = led(&target, || RequestVisit::of_app(redirects, head, client));
    synced(redirects, log_click(redirects, client, head, &target, (Trigger::App, led))).await;
    redirects.metrics.redirects_told_to_apps.inc();
    let forwards = target.forwards_query().unwrap_or_else(|| host.is_some_and(|(_, served)| served.forwards_query));
    let continued = forward::continued(led.location, rest).unwrap_or_else(|| led.location.to_vec());
    let forwarded = if forwards { forward::forwarded(&continued, head.query) } else { None };
    Ok(Opened {
        slug: slug.into_owned(),
        location: String::from_utf8(forwarded.unwrap_or(continued)).map_err(ApiError::internal)?,
        data: target.app().and_then(AppLink::read).and_then(|app| app.data),
    })
}

/// Whether the link may lead an app on now: `false` if it must be looked up again. Fails as [`open`] does.
async fn is_granted(
    redirects: &Arc<Redirects>,
    site: Option<Site<'_>>,
    Found { target, slug, .. }: &Found<'_>,
) -> Result<bool, ApiError> {
    match target.judge(redirects.clock.now(), || Intent::Follow) {
        Verdict::Redirect => Ok(true),
        Verdict::Count => match counting::count(redirects, (target.link(), target.account()), site, slug).await? {
            Used::Granted => Ok(true),
            Used::Unlimited => Ok(false),
            Used::Refused => Err(not_found()),
        },
        Verdict::Ask => {
            let message = "The link asks its visitors before it tells where it leads: open the short URL in a browser.";
            Err(ApiError::new(Code::Forbidden, message))
        }
        Verdict::NotBegun | Verdict::Ended | Verdict::Disabled => Err(not_found()),
    }
}

fn not_found() -> ApiError {
    ApiError::new(Code::NotFound, "There is no such short link, or it does not redirect now.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: &str = "https://go.acme.example/offer";
    const DESTINATION: &str = "https://acme.example/offer?a=1&b=2";

    fn agent(os: &'static str, browser: &'static str) -> Agent {
        Agent { os: Some(os), browser: Some(browser), ..Agent::default() }
    }

    fn app(ios_uri: Option<&str>, ios_store_url: Option<&str>, uri: Option<&str>, package: Option<&str>) -> AppLink {
        let [ios_uri, ios_store_url, android_uri, android_package] =
            [ios_uri, ios_store_url, uri, package].map(|text| text.map(str::to_owned));
        AppLink { ios_uri, ios_store_url, android_uri, android_package, data: None }
    }

    /// Which answer each kind of app gives to each kind of device.
    #[test]
    fn phones_open_the_app_or_its_store_and_others_the_destination() {
        let link = LinkId(Uuid::from_bytes([1; 16]));
        let store = "https://apps.apple.com/app/id1";
        let of = |app: &AppLink, agent: Agent| {
            let opening = app.opening(agent, link, SHORT, DESTINATION);
            assert_eq!(opening.is_some(), app.opens_on(agent.os), "{app:?} on {agent:?}");
            opening
        };
        let page = |uri: &str, store: Option<&str>| {
            Some(Opening::Page { uri: uri.to_owned(), store: store.map(str::to_owned) })
        };
        let (iphone, desktop) = (agent("iOS", "Safari"), agent("macOS", "Safari"));
        let both = app(Some("acme://offer/1"), Some(store), Some("acme://offer/1?x=1"), Some("com.acme.shop"));
        assert_eq!(of(&both, iphone), page("acme://offer/1", Some(store)));
        assert_eq!(of(&app(Some("acme:a"), None, None, None), agent("iPadOS", "Safari")), page("acme:a", None));
        assert_eq!(of(&app(None, Some(store), None, None), iphone), Some(Opening::Redirect(store.to_owned())));
        assert_eq!(of(&app(None, None, Some("acme:a"), None), iphone), None);
        for (other, name) in [(desktop, "desktop"), (agent("Windows", "Chrome"), "windows"), (Agent::default(), "bot")]
        {
            assert_eq!(of(&both, other), None, "{name}");
        }
        let play =
            "https://play.google.com/store/apps/details?id=com.acme.shop&referrer=link_token%3DAQEBAQEBAQEBAQEBAQEBAQ";
        let intent = "intent://offer/1?x=1#Intent;scheme=acme;package=com.acme.shop;S.browser_fallback_url=\
                      https%3A%2F%2Fplay.google.com%2Fstore%2Fapps%2Fdetails%3Fid%3Dcom.acme.shop%26referrer%3D\
                      link_token%253DAQEBAQEBAQEBAQEBAQEBAQ;end";
        let android = agent("Android", "Chrome");
        assert_eq!(of(&both, android), Some(Opening::Redirect(intent.to_owned())));
        assert_eq!(of(&both, agent("Android", "Facebook")), page(intent, Some(play)));
        let without_package = "intent:a#Intent;scheme=acme;S.browser_fallback_url=\
                               https%3A%2F%2Facme.example%2Foffer%3Fa%3D1%26b%3D2;end";
        let app_alone = app(None, None, Some("acme:a"), None);
        assert_eq!(of(&app_alone, android), Some(Opening::Redirect(without_package.to_owned())));
        let Some(Opening::Redirect(by_short_url)) = of(&app(None, None, None, Some("com.acme.shop")), android) else {
            panic!("no redirect")
        };
        assert!(by_short_url.starts_with("intent://go.acme.example/offer#Intent;scheme=https;package=com.acme.shop;"));
        assert_eq!(of(&app(Some("acme:a"), Some(store), None, None), android), None);
    }

    #[test]
    fn a_token_names_its_link_alone() {
        let link = LinkId::new();
        assert_eq!(link_of(&token(link)), Some(link));
        for wrong in ["", "a", "AQEBAQEBAQEBAQEBAQEBAQ==", "AQEBAQEBAQEBAQEBAQEBAQEB", "not a token"] {
            assert_eq!(link_of(wrong), None, "{wrong}");
        }
    }
}
