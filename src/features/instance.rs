//! Facts about this installation that an application needs before anybody has logged in.

use async_graphql::{Context, Enum, Object, SimpleObject};

use crate::{
    base::error::ApiError,
    graphql::{context::ContextExt, directives::example, scalars::Timestamp},
    platform::auth::access::{Credential, RateLimit, access},
    records::accounts,
};

/// The people that may register.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registration {
    /// Anybody.
    Open,
    /// Nobody but the first user of all, and those who are invited.
    Closed,
}

/// The data by which the service finds the country of an address.
#[derive(SimpleObject, Debug)]
pub(crate) struct CountryData {
    /// Name of the data, as their publisher gives it.
    #[graphql(directive = example::apply("IPtoASN".into()))]
    pub(crate) name: String,
    /// When the publisher made them; null when a file does not say. Clicks keep the country that they were counted with.
    #[graphql(directive = example::apply("2026-06-17T19:54:21.000Z".into()))]
    pub(crate) built_at: Option<Timestamp>,
    /// Whether they are a part of the service; false for a file of the operator's.
    pub(crate) is_built_in: bool,
}

/// This installation.
#[derive(SimpleObject, Debug)]
pub(crate) struct Instance {
    /// Whether nobody has registered yet. The first user can, whatever `registration` says.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) needs_setup: bool,
    /// The people that may register.
    #[graphql(directive = example::apply("OPEN".into()))]
    pub(crate) registration: Registration,
    /// Whether users may log in with a password. False: by `companySignIn`, or the proxy in front of the service, alone.
    pub(crate) has_password_login: bool,
    /// Whether users may have passkeys. False where the service's host is an address: browsers have none for these.
    pub(crate) has_passkeys: bool,
    /// Name of the company's identity provider, which signs users in at `/auth/sign-in`; null when there is none.
    #[graphql(directive = example::apply("Acme".into()))]
    pub(crate) company_sign_in: Option<String>,
    /// The address of the service as it is set: the start of all its links.
    #[graphql(directive = example::apply("https://go.example.com".into()))]
    pub(crate) base_url: String,
    /// The host below which subdomains are claimed: `acme`, once claimed, is `acme` followed by a dot and this host.
    #[graphql(directive = example::apply("go.example.com".into()))]
    pub(crate) subdomain_host: String,
    /// Whether the service can send mail, such as that for a forgotten password.
    pub(crate) is_mail_configured: bool,
    /// Version of the service, as semantic versioning writes it.
    #[graphql(directive = example::apply("0.1.0".into()))]
    pub(crate) version: String,
    /// The data by which the service finds the country of an address.
    pub(crate) country_data: CountryData,
}

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct InstanceQuery;

#[Object]
impl InstanceQuery {
    /// This installation. Sixty times a minute per client address.
    #[graphql(directive = access::apply(Credential::Public, None, None, Some(RateLimit::PublicRead)))]
    async fn instance(&self, ctx: &Context<'_>) -> Result<Instance, ApiError> {
        let app = ctx.app()?;
        let config = &app.config;
        let countries = app.clicks.geoip.described();
        Ok(Instance {
            needs_setup: !accounts::repo::is_there_a_user(app.db.read()).await?,
            registration: if config.is_registration_open { Registration::Open } else { Registration::Closed },
            has_password_login: config.sign_in.has_password_login,
            has_passkeys: app.passkeys.is_some(),
            company_sign_in: config.sign_in.provider.as_ref().map(|provider| provider.name.clone()),
            base_url: config.base_url.as_str().to_owned(),
            subdomain_host: config.subdomain_host.clone(),
            is_mail_configured: config.smtp.is_some(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            country_data: CountryData {
                name: countries.name,
                built_at: countries.built_at.map(Timestamp),
                is_built_in: countries.is_built_in,
            },
        })
    }
}
