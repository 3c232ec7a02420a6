//! `linkgraph check`: tries everything that the settings name, and says for each what it found. Nothing is changed by it, and
//! a service may run meanwhile.

mod directory;
mod found;
mod look;
mod services;
mod stores;

use std::fmt;

pub(crate) use found::Grade;
pub(crate) use look::Depth;

use crate::base::{
    config::{Config, ConfigError, ConfigErrors},
    error::in_one_line,
    machine::must_have_address_space,
};
use found::{Found, ok, warn};
use look::in_time;

/// Result of checking one subject. As text it is one line, without secrets.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) grade: Grade,
    subject: &'static str,
    text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = match self.grade {
            Grade::Ok => "ok",
            Grade::Warn => "warn",
            Grade::Fail => "fail",
        };
        write!(f, "{grade:<4} {:<14} {}", self.subject, self.text.replace('\n', " "))
    }
}

/// Checks the settings, and all that they name at the same time.
pub(crate) async fn run(config: Result<Config, ConfigErrors>, depth: Depth) -> Vec<Finding> {
    let config = match config {
        Ok(config) => config,
        Err(ConfigErrors(errors)) => {
            let finding =
                |error: ConfigError| Finding { grade: Grade::Fail, subject: "settings", text: error.to_string() };
            return errors.into_iter().map(finding).collect();
        }
    };
    // Whatever else was found might be an effect of it.
    if let Err(error) = must_have_address_space() {
        return vec![find("address space", async { Err(error) }).await];
    }
    let (settings, data, log, database, redis, mail, dns, geoip, payments, sign_in) = tokio::join!(
        find("settings", async { settings(&config) }),
        find("data directory", async { directory::data(&config.data_dir) }),
        find("click log", directory::click_log(&config.data_dir, depth)),
        find("database", stores::database(&config, depth)),
        find("redis", in_time(stores::redis(&config))),
        find("mail", in_time(services::mail(&config))),
        find("dns", in_time(services::dns(&config))),
        find("geoip", async { services::geoip(&config) }),
        find("payments", in_time(services::payments(&config))),
        find("sign-in", in_time(services::sign_in(&config))),
    );
    vec![settings, data, log, database, redis, mail, dns, geoip, payments, sign_in]
}

async fn find(subject: &'static str, check: impl Future<Output = Found>) -> Finding {
    let (grade, text) = check.await.unwrap_or_else(|error| (Grade::Fail, in_one_line(&error)));
    Finding { grade, subject, text }
}

fn settings(config: &Config) -> Found {
    let base_url = &config.base_url;
    let text = format!("{} at {}", base_url.as_str(), config.bind);
    if base_url.is_loopback() || base_url.as_str().starts_with("https:") {
        ok(text)
    } else {
        warn(format!("{text}; LINKGRAPH_BASE_URL: without https, passwords and tokens can be read on their way"))
    }
}
