//! Facts about this installation that an application needs before anybody has logged in.

use async_graphql::{Context, Enum, Object, SimpleObject};

use crate::{
    base::error::ApiError,
    graphql::{context::ContextExt, directives::example},
    platform::auth::access::{Credential, RateLimit, access},
    records::accounts,
};

/// The people that may register.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Registration {
    /// Anybody.
    Open,
    /// Nobody but the first user of all.
    Closed,
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
        Ok(Instance {
            needs_setup: !accounts::repo::is_there_a_user(app.db.read()).await?,
            registration: if config.is_registration_open { Registration::Open } else { Registration::Closed },
            base_url: config.base_url.as_str().to_owned(),
            subdomain_host: config.subdomain_host.clone(),
            is_mail_configured: config.smtp.is_some(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        })
    }
}
