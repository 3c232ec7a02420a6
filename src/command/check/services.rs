//! Checks of the services that linkgraph uses: mail, name servers, the database of countries, payments.

use anyhow::{Context, bail};
use url::{Host, Url};

use super::found::{Found, ok, warn};
use crate::{
    base::{
        clock::{Clock, DAY, rfc3339},
        config::{BillingSettings, Config},
        tier::{CURRENCY, Offer},
    },
    clicks::geoip::GeoIp,
    payments::stripe::Stripe,
    platform::{
        auth::identity_provider::{self, IdentityProvider},
        net::{
            dns::{Dns, LookupError},
            mailer::Mailer,
        },
    },
};

/// Age of data from which many of their countries are wrong.
const OLD: i64 = 180 * DAY;

/// Whether the mail server takes the login. No mail is sent.
pub(super) async fn mail(config: &Config) -> Found {
    let Some(smtp) = &config.smtp else {
        let text = "LINKGRAPH_SMTP_URL is not set: mails become files in the data directory";
        return if config.base_url.is_loopback() { ok(text) } else { warn(text) };
    };
    let url = Url::parse(&smtp.url).context("LINKGRAPH_SMTP_URL: is not a URL")?;
    let server = format!(
        "{}{}",
        url.host_str().unwrap_or_default(),
        url.port().map_or_else(String::new, |port| format!(":{port}"))
    );
    let mailer = Mailer::new(config)?;
    mailer.reach().await.with_context(|| format!("LINKGRAPH_SMTP_URL: {server}"))?;
    let text = format!("{server} takes mail from {}", smtp.from.email);
    let in_clear = url.scheme() == "smtp" && !url.query().unwrap_or_default().contains("tls=required");
    if in_clear && url.password().is_some() {
        warn(format!("{text}; the password may be sent in clear: smtps:// or ?tls=required encrypts it"))
    } else {
        ok(text)
    }
}

/// Checks that names can be resolved, and that the service's own host has an address.
pub(super) async fn dns(config: &Config) -> Found {
    let server = config.dns_server.map_or_else(|| "the system's server".to_owned(), |server| server.to_string());
    let dns = Dns::new(config)?;
    let failed = |error| match error {
        LookupError::Timeout => anyhow::anyhow!("LINKGRAPH_DNS_SERVER: {server} does not answer"),
        LookupError::ServerFailure => anyhow::anyhow!("LINKGRAPH_DNS_SERVER: {server} can't answer"),
    };
    // The root has no such record; that it has none is an answer.
    dns.texts(".").await.map_err(failed)?;
    let host = config.base_url.host();
    if config.base_url.is_loopback() || !matches!(Host::parse(host), Ok(Host::Domain(_))) {
        return ok(format!("{server} answers"));
    }
    let addresses: Vec<String> = dns.addresses(host).await.map_err(failed)?.iter().map(ToString::to_string).collect();
    if addresses.is_empty() {
        warn(format!("{server} answers; LINKGRAPH_BASE_URL: {host} has no address"))
    } else {
        ok(format!("{server} answers; {host} is at {}", addresses.join(", ")))
    }
}

/// The data that countries come from, and whether a file of them can be read.
pub(super) fn geoip(config: &Config) -> Found {
    let data = GeoIp::open(config)?.described();
    let made = data.built_at.map(rfc3339);
    let day = made.as_deref().and_then(|time| time.split('T').next()).unwrap_or("an unknown day");
    let text = match data.is_built_in {
        true => format!("the built-in table: {} of {day}; LINKGRAPH_GEOIP_DB is not set", data.name),
        false => format!("{} of {day}", data.name),
    };
    let has_countries =
        |name: &str| ["country", "city", "enterprise", "insights"].iter().any(|kind| name.contains(kind));
    if !data.is_built_in && !has_countries(&data.name.to_lowercase()) {
        bail!("LINKGRAPH_GEOIP_DB: {text} has no countries");
    }
    if data.built_at.is_some_and(|built_at| Clock::default().now() - built_at > OLD) {
        warn(format!("{text}: it is old, and so are many of its countries"))
    } else {
        ok(text)
    }
}

/// Whether the identity provider answers with its discovery document and keys.
pub(super) async fn sign_in(config: &Config) -> Found {
    let Some(settings) = &config.sign_in.provider else {
        return ok(match &config.sign_in.proxy {
            Some(proxy) => format!("the proxy names users in {}", proxy.user),
            None => "by password: LINKGRAPH_OIDC_ISSUER is not set".to_owned(),
        });
    };
    let provider = IdentityProvider::new(settings.clone(), &config.base_url)?;
    let reached = provider.reach(Clock::default().now()).await;
    reached.map_err(|failure| anyhow::anyhow!("LINKGRAPH_OIDC_ISSUER: {failure}"))?;
    let callback = identity_provider::callback(&config.base_url);
    ok(format!("{} answers; it has to know {callback}", settings.issuer))
}

/// Whether the payment provider knows the key and the prices.
pub(super) async fn payments(config: &Config) -> Found {
    let settings = match &config.billing {
        BillingSettings::Off => return ok("off: LINKGRAPH_STRIPE_SECRET_KEY is not set"),
        BillingSettings::Sandbox => return ok("the sandbox: no money moves"),
        BillingSettings::Stripe(settings) => settings,
    };
    let stripe = Stripe::new(settings.clone())?;
    stripe.try_key().await.context("LINKGRAPH_STRIPE_SECRET_KEY")?;
    let mode = if settings.is_live() { "live" } else { "test" };
    let (mut doubts, mut sold) = (Vec::new(), 0);
    for (id, offer) in settings.prices.all() {
        let is_sold = settings.prices.of(offer) == Some(id);
        sold += usize::from(is_sold);
        let price = match stripe.price(id).await {
            Ok(price) => price,
            // A restricted key need not be allowed to.
            Err(error) if error.is_refusal() => {
                doubts.push(format!("{id} can't be looked at with this key"));
                continue;
            }
            Err(error) => bail!("{}: {id}: {error}", variable(offer)),
        };
        if price.interval() != Some(offer.interval.as_str()) {
            bail!("{}: {id} is not paid by the {}", variable(offer), offer.interval.as_str());
        }
        if is_sold && !price.active {
            bail!("{}: {id} is archived: it can't be sold", variable(offer));
        }
        if is_sold && (price.currency != CURRENCY || price.unit_amount != offer.price()) {
            doubts.push(format!("{id} has another amount than the plan shows"));
        }
    }
    if sold == 0 {
        doubts.push("nothing can be bought: no LINKGRAPH_STRIPE_PRICE_… is set".to_owned());
    }
    let text = format!("Stripe takes the key, in {mode} mode");
    if doubts.is_empty() {
        ok(format!("{text}; {sold} prices"))
    } else {
        warn(format!("{text}; {}", doubts.join("; ")))
    }
}

fn variable(offer: Offer) -> String {
    let upper = |text: &str| text.to_ascii_uppercase();
    format!("LINKGRAPH_STRIPE_PRICE_{}_{}", upper(offer.plan.as_str()), upper(offer.interval.as_str()))
}
