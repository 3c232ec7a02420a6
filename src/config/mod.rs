//! Every setting: its variable, its default, its check. A bad one stops the start with one line that names it.

mod base_url;
mod billing;
mod click_sync;
mod cors;
mod jwt;
mod log_filter;
mod names;
mod password_hashing;
mod reader;
mod settings;

pub use self::{
    base_url::BaseUrl,
    billing::{BillingSettings, Prices, StripeSettings},
    click_sync::ClickSync,
    cors::CorsOrigins,
    jwt::JwtSecret,
    names::names,
    password_hashing::PasswordHashing,
    reader::ConfigError,
    settings::{Config, LogFormat, SmtpSettings},
};
