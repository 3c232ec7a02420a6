//! Names of variables. The value of a misspelt one would silently not count, so that an unknown one ends the start.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    ffi::OsString,
    fs,
    path::PathBuf,
};

use super::{
    Config,
    reader::{ConfigError, ConfigErrors, error},
};
use crate::base::validate::nearest;

/// Settings that hold a secret. Each may be in a file, which the variable with this suffix names, as orchestrators mount secrets.
const SECRETS: [&str; 7] = [
    "DATABASE_URL",
    "REDIS_URL",
    "LINKGRAPH_JWT_SECRETS",
    "LINKGRAPH_SMTP_URL",
    "LINKGRAPH_OIDC_CLIENT_SECRET",
    "LINKGRAPH_STRIPE_SECRET_KEY",
    "LINKGRAPH_STRIPE_WEBHOOK_SECRET",
];
const FILE: &str = "_FILE";
const PREFIX: &str = "LINKGRAPH_";
/// Kubernetes sets it in every container.
const KUBERNETES: &str = "KUBERNETES_SERVICE_HOST";

/// The variables that settings are read from: those that [`Config::read`] asks for.
pub(crate) fn names() -> BTreeSet<String> {
    let asked = RefCell::new(BTreeSet::new());
    // Nothing is set, and defaults are valid: all are asked for.
    let _ = Config::read(&|name| {
        asked.borrow_mut().insert(name.to_owned());
        None
    });
    asked.into_inner()
}

impl Config {
    /// Reads the process's environment.
    pub(crate) fn from_env() -> Result<Self, ConfigErrors> {
        Self::from_variables(std::env::vars_os())
    }

    /// Reads all variables of an environment. Refuses those that begin like ours and are no setting.
    pub(crate) fn from_variables(
        environment: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Self, ConfigErrors> {
        let (settings, errors) = settings(environment);
        Self::read_all(&|name| settings.get(name).cloned(), errors)
    }
}

/// The settings among the variables of an environment; errors are values that are no text, unknown names, and files of secrets that can't be
/// read.
fn settings(
    environment: impl IntoIterator<Item = (OsString, OsString)>,
) -> (HashMap<String, String>, Vec<ConfigError>) {
    let mut errors = Vec::new();
    let known = names();
    let environment: Vec<(OsString, OsString)> = environment.into_iter().collect();
    let in_kubernetes = environment.iter().any(|(name, _)| name == KUBERNETES);
    let (mut settings, mut files) = (HashMap::new(), Vec::new());
    for (name, value) in environment {
        let name = name.to_string_lossy().into_owned();
        if known.contains(&name) {
            match value.into_string() {
                Ok(value) => {
                    settings.insert(name, value);
                }
                Err(_) => errors.push(error(&name, "is not UTF-8")),
            }
            continue;
        }
        if let Some(secret) = name.strip_suffix(FILE).filter(|secret| SECRETS.contains(secret)) {
            if !value.is_empty() {
                files.push((secret.to_owned(), PathBuf::from(value)));
            }
            continue;
        }
        // An empty one counts as not set.
        let value = value.to_string_lossy();
        let is_ours = name.starts_with(PREFIX) && !value.trim().is_empty();
        if is_ours && !(in_kubernetes && is_service_link(&name, &value)) {
            // The prefix is no difference: LINKGRAPH_DATABASE_URL is close to DATABASE_URL.
            let nearest = nearest(bare(&name), &known, |known| bare(known)).map_or("", String::as_str);
            errors.push(error(&name, format!("is not a setting: the nearest one is {nearest}")));
        }
    }
    for (name, path) in files {
        let variable = format!("{name}{FILE}");
        match fs::read_to_string(&path) {
            _ if settings.get(&name).is_some_and(|value| !value.trim().is_empty()) => {
                errors.push(error(&variable, format!("can't be set beside {name}")));
            }
            Ok(value) => {
                settings.insert(name, value);
            }
            Err(cause) => errors.push(error(&variable, format!("can't read {}: {cause}", path.display()))),
        }
    }
    (settings, errors)
}

/// Whether Kubernetes sets this variable by itself, for a service that is called `linkgraph` or `linkgraph-…`
/// (<https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables>).
fn is_service_link(name: &str, value: &str) -> bool {
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    name.ends_with("_SERVICE_HOST")
        || name.contains("_SERVICE_PORT")
        || name.contains("_PORT_")
        || (name.ends_with("_PORT") && is_address)
}

fn bare(name: &str) -> &str {
    name.strip_prefix(PREFIX).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::file;

    fn of(environment: &[(&str, &str)]) -> Result<Config, String> {
        let environment = environment.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
        Config::from_variables(environment).map_err(|error| error.to_string())
    }

    #[test]
    fn an_unknown_variable_is_named_with_the_nearest_known_one() {
        for (unknown, nearest) in [
            ("LINKGRAPH_BASEURL", "LINKGRAPH_BASE_URL"),
            ("LINKGRAPH_BASE_URl", "LINKGRAPH_BASE_URL"),
            ("LINKGRAPH_DATABASE_URL", "DATABASE_URL"),
            ("LINKGRAPH_TRUSTED_PROXY", "LINKGRAPH_TRUSTED_PROXIES"),
            ("LINKGRAPH_STRIPE_PRICE_PRO_MONTHLY", "LINKGRAPH_STRIPE_PRICE_PRO_MONTH"),
            ("LINKGRAPH_JWT_SECRET", "LINKGRAPH_JWT_SECRETS"),
            ("LINKGRAPH_", "LINKGRAPH_LOG"),
        ] {
            // Both are reported, if another one is invalid.
            let message = of(&[("LINKGRAPH_BIND", "nowhere"), (unknown, "hunter2")]).unwrap_err();
            let bind = "LINKGRAPH_BIND: must be an address and a port, such as 0.0.0.0:8080";
            assert_eq!(message, format!("{unknown}: is not a setting: the nearest one is {nearest}\n{bind}"));
        }
        assert!(of(&[("LINKGRAPH_BASEURL", " "), ("LINKGRAPHS", "x"), ("PATH", "x"), ("HOME", "")]).is_ok());
        assert!(of(&[("LINKGRAPH_LOG", "debug")]).is_ok_and(|config| config.log == "debug"));
    }

    #[test]
    fn a_value_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStringExt;
        let environment = [("LINKGRAPH_DATA_DIR".into(), OsString::from_vec(b"/data/\xff".to_vec()))];
        let message = Config::from_variables(environment).unwrap_err().to_string();
        assert_eq!(message, "LINKGRAPH_DATA_DIR: is not UTF-8");
    }

    #[test]
    fn all_mistakes_are_named_at_once() {
        let message = of(&[
            ("LINKGRAPH_BIND", "nowhere"),
            ("LINKGRAPH_LOG", "loud"),
            ("LINKGRAPH_STRIPE_SECRET_KEY", "pk_live_hunter2"),
            ("LINKGRAPH_STRIPE_WEBHOOK_SECRET", "whsec_hunter2"),
            ("LINKGRAPH_SUBDOMAIN_HOST", "*.example.net"),
            ("LINKGRAPH_BASEURL", "x"),
        ])
        .unwrap_err();
        let mut named: Vec<&str> = message.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
        named.sort_unstable();
        let all = [
            "LINKGRAPH_BASEURL",
            "LINKGRAPH_BIND",
            "LINKGRAPH_LOG",
            "LINKGRAPH_STRIPE_SECRET_KEY",
            "LINKGRAPH_SUBDOMAIN_HOST",
        ];
        assert_eq!(named, all, "{message}");
        assert!(!message.contains("hunter2"), "{message}");
    }

    #[test]
    fn each_secret_may_be_in_a_file() {
        let known = names();
        assert!(SECRETS.iter().all(|secret| known.contains(*secret)));
        let folder = std::env::temp_dir().join(format!("linkgraph-secrets-{}", uuid::Uuid::now_v7()));
        file::create_folder(&folder).unwrap();
        let path = folder.join("secret");
        let file = path.to_str().unwrap();
        file::write_whole(&path, b"smtps://ada:hunter2@mail.example.com\n").unwrap();
        let from = ("LINKGRAPH_MAIL_FROM", "ada@example.com");
        let config = of(&[("LINKGRAPH_SMTP_URL_FILE", file), from]).unwrap();
        assert_eq!(config.smtp.unwrap().url, "smtps://ada:hunter2@mail.example.com");
        let both =
            of(&[("LINKGRAPH_SMTP_URL_FILE", file), ("LINKGRAPH_SMTP_URL", "smtp://localhost"), from]).unwrap_err();
        assert_eq!(both, "LINKGRAPH_SMTP_URL_FILE: can't be set beside LINKGRAPH_SMTP_URL");
        let missing = of(&[("DATABASE_URL_FILE", "/nowhere/secret")]).unwrap_err();
        assert!(missing.starts_with("DATABASE_URL_FILE: can't read /nowhere/secret: "), "{missing}");
        file::write_whole(&path, b"mysql://ada:hunter2@localhost/x").unwrap();
        let wrong = of(&[("DATABASE_URL_FILE", file)]).unwrap_err();
        assert_eq!(wrong, "DATABASE_URL: must start with sqlite: or postgres:");
        assert!(of(&[("LINKGRAPH_BIND_FILE", file)]).unwrap_err().contains("is not a setting"));
        assert!(of(&[("DATABASE_URL_FILE", "")]).is_ok());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn service_variables_of_kubernetes_are_ignored() {
        let kubernetes = (KUBERNETES, "10.0.0.1");
        for link in [
            ("LINKGRAPH_SERVICE_HOST", "10.0.0.2"),
            ("LINKGRAPH_SERVICE_PORT_HTTP", "8080"),
            ("LINKGRAPH_PORT", "tcp://10.0.0.2:8080"),
            ("LINKGRAPH_WEB_PORT_8080_TCP_ADDR", "10.0.0.2"),
        ] {
            assert!(of(&[link, kubernetes]).is_ok(), "{link:?}");
            assert!(of(&[link]).is_err(), "{link:?}");
        }
        assert!(of(&[("LINKGRAPH_PORT", "8080"), kubernetes]).is_err());
        assert!(of(&[("LINKGRAPH_BASEURL", "x"), kubernetes]).is_err());
    }

    /// The table in docs/operating.md lists exactly the settings that are known and read, whatever is set.
    #[test]
    fn the_documents_list_the_settings() {
        let operating = include_str!("../../../docs/operating.md");
        let (_, rest) = operating.split_once("\n## Configuration\n").unwrap();
        let (section, _) = rest.split_once("\n## ").unwrap();
        let first_cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
        let listed: BTreeSet<String> = first_cells
            .flat_map(|cell| cell.split(", "))
            .map(|name| name.trim_matches('`').replace('…', "LINKGRAPH_STRIPE_PRICE"))
            .collect();
        assert_eq!(listed, names());
        let asked = RefCell::new(BTreeSet::new());
        let all = [
            ("LINKGRAPH_STRIPE_SECRET_KEY", "sk_test_x"),
            ("LINKGRAPH_STRIPE_WEBHOOK_SECRET", "whsec_x"),
            ("LINKGRAPH_SMTP_URL", "smtp://localhost"),
            ("LINKGRAPH_MAIL_FROM", "a@example.com"),
            ("DATABASE_URL", "postgres://localhost/x"),
            ("REDIS_URL", "redis://localhost"),
        ];
        Config::read(&|name| {
            asked.borrow_mut().insert(name.to_owned());
            all.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
        .unwrap();
        assert_eq!(asked.into_inner(), listed);
    }
}
