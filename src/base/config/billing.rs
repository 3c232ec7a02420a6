//! Settings of the payment provider.

use std::{fmt, net::SocketAddr};

use url::Url;

use super::{
    base_url::{BaseUrl, is_loopback},
    reader::{ConfigError, Reader, boolean, entries, error},
};
use crate::base::tier::{Interval, Offer, Plan};

const SECRET_KEY: &str = "LINKGRAPH_STRIPE_SECRET_KEY";
const WEBHOOK_SECRET: &str = "LINKGRAPH_STRIPE_WEBHOOK_SECRET";
const API_BASE: &str = "LINKGRAPH_STRIPE_API_BASE";
const SANDBOX: &str = "LINKGRAPH_BILLING_SANDBOX";
const OFFERS: [(&str, Offer); 4] = [
    ("LINKGRAPH_STRIPE_PRICE_PRO_MONTH", Offer { plan: Plan::Pro, interval: Interval::Month }),
    ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", Offer { plan: Plan::Pro, interval: Interval::Year }),
    ("LINKGRAPH_STRIPE_PRICE_BUSINESS_MONTH", Offer { plan: Plan::Business, interval: Interval::Month }),
    ("LINKGRAPH_STRIPE_PRICE_BUSINESS_YEAR", Offer { plan: Plan::Business, interval: Interval::Year }),
];

/// The payment provider.
#[derive(Clone, Debug)]
pub enum BillingSettings {
    /// Stripe, or what speaks its API.
    Stripe(StripeSettings),
    /// The built-in provider, where no money moves: without Stripe's settings, by `LINKGRAPH_BILLING_SANDBOX`, or where both
    /// the bind address and the base URL are loopback ones.
    Sandbox,
    /// No provider: nothing can be bought.
    Off,
}

/// `LINKGRAPH_STRIPE_…`.
#[derive(Clone)]
pub struct StripeSettings {
    /// `LINKGRAPH_STRIPE_SECRET_KEY`: a secret or restricted key.
    pub(crate) secret_key: String,
    /// `LINKGRAPH_STRIPE_WEBHOOK_SECRET`, several separated by commas: each verifies. Never empty, and none of them is.
    pub(crate) webhook_secrets: Vec<String>,
    /// `LINKGRAPH_STRIPE_API_BASE` (Stripe's), without a slash at its end.
    pub(crate) api_base: String,
    /// `LINKGRAPH_STRIPE_PRICE_…`.
    pub(crate) prices: Prices,
}

impl StripeSettings {
    /// Whether real money moves.
    pub(crate) fn is_live(&self) -> bool {
        self.secret_key.contains("_live_")
    }
}

impl fmt::Debug for StripeSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StripeSettings({}, {:?})", self.api_base, self.prices)
    }
}

/// The provider's price ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prices(Vec<(String, Offer)>);

impl Prices {
    /// These prices. Of several for one offer the first is sold; the others are recognised.
    pub(crate) fn new(prices: Vec<(String, Offer)>) -> Self {
        Prices(prices)
    }

    /// All prices, those that are only recognised too.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, Offer)> {
        self.0.iter().map(|(price, offer)| (price.as_str(), *offer))
    }

    /// The price that is sold; none: the offer can't be bought.
    pub(crate) fn of(&self, offer: Offer) -> Option<&str> {
        self.0.iter().find(|(_, sold)| *sold == offer).map(|(price, _)| price.as_str())
    }

    /// These prices, and another that is recognised but not sold.
    #[must_use]
    pub(crate) fn and(&self, price: &str, offer: Offer) -> Self {
        let mut prices = self.clone();
        if prices.offer(price).is_none() {
            prices.0.push((price.to_owned(), offer));
        }
        prices
    }

    /// The offer sold at this Stripe price. `None`: the price is not one of ours.
    pub(crate) fn offer(&self, price: &str) -> Option<Offer> {
        self.0.iter().find(|(known, _)| known == price).map(|(_, offer)| *offer)
    }
}

/// Reads the settings. The sandbox gives any plan for free to everyone who can reach it. So it is the default only if both
/// addresses are loopback ones: behind `0.0.0.0`, a loopback base URL is probably a forgotten setting.
pub(super) fn read(read: &Reader<'_>, base_url: &BaseUrl, bind: SocketAddr) -> Result<BillingSettings, ConfigError> {
    let is_local = base_url.is_loopback() && bind.ip().is_loopback();
    let sandbox = read.parse(SANDBOX, if is_local { "true" } else { "false" }, boolean)?;
    let key = read.text(SECRET_KEY);
    let webhook_secrets = list(read, WEBHOOK_SECRET);
    let Some(secret_key) = key else {
        // A partial configuration is a mistake: the sandbox needs none of these.
        let others = [WEBHOOK_SECRET, API_BASE].into_iter().chain(OFFERS.iter().map(|(name, _)| *name));
        return match others.into_iter().find(|name| read.text(name).is_some()) {
            Some(other) => Err(error(SECRET_KEY, format!("is needed with {other}"))),
            None if sandbox => Ok(BillingSettings::Sandbox),
            None => Ok(BillingSettings::Off),
        };
    };
    if sandbox && read.text(SANDBOX).is_some() {
        return Err(error(SANDBOX, format!("can't be true with {SECRET_KEY}")));
    }
    if !["sk_", "rk_"].iter().any(|kind| secret_key.starts_with(kind)) || !is_token(&secret_key) {
        return Err(error(SECRET_KEY, "must be a secret key (sk_…) or a restricted one (rk_…), not a publishable one"));
    }
    if webhook_secrets.is_empty() {
        return Err(error(WEBHOOK_SECRET, format!("is needed with {SECRET_KEY}")));
    }
    if !webhook_secrets.iter().all(|secret| secret.starts_with("whsec_") && is_token(secret)) {
        return Err(error(WEBHOOK_SECRET, "must be a signing secret (whsec_…), several separated by commas"));
    }
    let mut prices: Vec<(String, Offer)> = Vec::new();
    for (name, offer) in OFFERS {
        for price in list(read, name) {
            if !price.starts_with("price_") || !is_token(&price) {
                return Err(error(name, "must be a price's id (price_…), several separated by commas"));
            }
            if prices.iter().any(|(known, _)| *known == price) {
                return Err(error(name, format!("{price} stands twice: a price is for one plan and interval")));
            }
            prices.push((price, offer));
        }
    }
    Ok(BillingSettings::Stripe(StripeSettings {
        secret_key,
        webhook_secrets,
        api_base: read.parse(API_BASE, "https://api.stripe.com", api_base)?,
        prices: Prices(prices),
    }))
}

fn list(read: &Reader<'_>, name: &str) -> Vec<String> {
    entries(&read.text(name).unwrap_or_default()).map(str::to_owned).collect()
}

/// Whether the text can be part of a header.
fn is_token(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn api_base(text: &str) -> Result<String, String> {
    let shape = "must look like https://api.stripe.com";
    let url = Url::parse(text).map_err(|_| shape)?;
    let host = url.host_str().unwrap_or_default();
    let bare = url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    if !bare || host.is_empty() || !matches!(url.scheme(), "http" | "https") {
        return Err(shape.into());
    }
    if url.scheme() == "http" && !is_loopback(host) {
        return Err("must be https: the secret key is sent there".into());
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::config::{Config, ConfigErrors};

    fn settings(settings: &[(&str, &str)]) -> Result<BillingSettings, ConfigErrors> {
        let read = |name: &str| settings.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        Config::read(&read).map(|config| config.billing)
    }

    const KEY: (&str, &str) = (SECRET_KEY, "sk_test_hunter2");
    const SECRET: (&str, &str) = (WEBHOOK_SECRET, " whsec_new , ,whsec_old");

    #[test]
    fn without_a_key_the_sandbox_needs_loopback_addresses_or_the_setting() {
        let at = |bind, url, sandbox| {
            let given = [("LINKGRAPH_BIND", bind), ("LINKGRAPH_BASE_URL", url), (SANDBOX, sandbox)];
            matches!(settings(&given).unwrap(), BillingSettings::Sandbox)
        };
        let local = ["http://localhost:8080", "http://127.0.0.1", "http://[::1]:80"];
        let public = ["https://sho.rt", "http://localhost.example", "http://192.0.2.1"];
        for bind in ["127.0.0.1:8080", "[::1]:8080", "127.0.0.2:0"] {
            assert!(local.iter().all(|url| at(bind, url, "")), "{bind}");
            assert!(!public.iter().any(|url| at(bind, url, "")), "{bind}");
        }
        for bind in ["0.0.0.0:8080", "[::]:8080", "192.0.2.1:80"] {
            assert!(!local.iter().chain(&public).any(|url| at(bind, url, "")), "{bind}");
        }
        for url in local.iter().chain(&public) {
            assert!(at("0.0.0.0:8080", url, "true") && !at("127.0.0.1:8080", url, "false"), "{url}");
        }
    }

    #[test]
    fn half_a_configuration_is_refused_by_name_and_no_secret_repeated() {
        let price = ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", "price_1");
        let again = ("LINKGRAPH_STRIPE_PRICE_BUSINESS_YEAR", "price_2,price_1");
        for (given, named) in [
            (vec![KEY], WEBHOOK_SECRET),
            (vec![KEY, (WEBHOOK_SECRET, " , ")], WEBHOOK_SECRET),
            (vec![SECRET], SECRET_KEY),
            (vec![price], SECRET_KEY),
            (vec![(API_BASE, "http://localhost:1")], SECRET_KEY),
            (vec![KEY, SECRET, (API_BASE, "http://api.example.com")], API_BASE),
            (vec![KEY, SECRET, (API_BASE, "https://api.example.com/?x")], API_BASE),
            (vec![KEY, SECRET, price, again], again.0),
            (vec![(SECRET_KEY, "pk_live_hunter2"), SECRET], SECRET_KEY),
            (vec![("LINKGRAPH_STRIPE_SECRET_KEY", "hunter2"), SECRET], SECRET_KEY),
            (vec![KEY, SECRET, ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", "prod_hunter2")], "LINKGRAPH_STRIPE_PRICE_PRO_YEAR"),
            (vec![KEY, (WEBHOOK_SECRET, "whsec_new,hunter2")], WEBHOOK_SECRET),
            (vec![KEY, (WEBHOOK_SECRET, "whsec_hunter2 x")], WEBHOOK_SECRET),
            (vec![KEY, SECRET, (SANDBOX, "true")], SANDBOX),
            (vec![(SANDBOX, "hunter2")], SANDBOX),
        ] {
            let message = settings(&given).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{named}: ")), "{given:?}: {message}");
            assert!(!message.contains("hunter2"), "{message}");
        }
    }

    #[test]
    fn prices_may_be_replaced_and_stay_known() {
        let prices = ("LINKGRAPH_STRIPE_PRICE_PRO_YEAR", "price_new, price_old");
        let Ok(BillingSettings::Stripe(stripe)) = settings(&[KEY, SECRET, prices]) else { panic!() };
        let year = Offer { plan: Plan::Pro, interval: Interval::Year };
        assert_eq!(stripe.webhook_secrets, ["whsec_new", "whsec_old"]);
        assert_eq!(stripe.api_base, "https://api.stripe.com");
        assert_eq!(stripe.prices.of(year), Some("price_new"));
        assert_eq!(stripe.prices.of(Offer { interval: Interval::Month, ..year }), None);
        assert_eq!((stripe.prices.offer("price_old"), stripe.prices.offer("price_other")), (Some(year), None));
        assert!(!format!("{stripe:?}").contains("hunter2"));
        assert!(!stripe.is_live() && StripeSettings { secret_key: "rk_live_x".into(), ..stripe }.is_live());
    }
}
