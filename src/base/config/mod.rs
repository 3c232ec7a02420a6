//! Every setting: its variable, its default, its check. A bad one stops the start with one line that names it.

mod app_schemes;
mod base_url;
mod billing;
mod click_sync;
mod cors;
mod hosts;
mod jwt;
mod log_filter;
mod names;
mod password_hashing;
mod reader;
mod settings;
mod sign_in;

pub(crate) use self::{
    app_schemes::AppSchemes,
    base_url::BaseUrl,
    billing::{BillingSettings, Prices, StripeSettings},
    cors::{CorsOrigins, origin},
    jwt::JwtSecret,
    reader::{ConfigError, ConfigErrors},
    settings::LogFormat,
    sign_in::{MembershipRule, ProviderSettings},
};
pub use self::{click_sync::ClickSync, password_hashing::PasswordHashing, settings::Config};
