//! linkgraph's tables, one a file. Entities only: queries stand in the features' `repo.rs`.

pub mod account;
pub mod api_key;
pub mod billing_customer;
pub mod click;
pub mod click_day;
pub mod click_log_position;
pub mod click_visitor;
pub mod daily_usage;
pub mod delivery;
pub mod delivery_attempt;
pub mod domain;
pub mod host;
pub mod invalidation;
pub mod invoice;
pub mod job;
pub mod link;
pub mod outbox_event;
pub mod password_reset;
pub mod provider_event;
pub mod sandbox_object;
pub mod shared_secret;
pub mod subdomain;
pub mod subscription;
pub mod user;
pub mod visitor_key;
pub mod webhook;
