//! Variables and what may be wrong with them.

/// A setting that can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{variable}: {reason}")]
pub(crate) struct ConfigError {
    pub(crate) variable: String,
    /// The reason why its value was rejected.
    pub(crate) reason: String,
}

/// All settings that can't be used, one in each line.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub struct ConfigErrors(pub(crate) Vec<ConfigError>);

/// Where the values of variables come from.
pub(super) struct Reader<'a> {
    pub(super) variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Reader<'_> {
    /// The variable's text; an empty one counts as not set.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        (self.variable)(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    /// The variable's value, or that of its default.
    pub(super) fn parse<T>(
        &self,
        name: &'static str,
        default: &str,
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Result<T, ConfigError> {
        parse(self.text(name).as_deref().unwrap_or(default)).map_err(|reason| error(name, reason))
    }
}

/// The error of a variable, and why.
pub(super) fn error(variable: &str, reason: impl Into<String>) -> ConfigError {
    ConfigError { variable: variable.to_owned(), reason: reason.into() }
}

/// `true` or `false`.
pub(super) fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".into())
}

/// `on` or `off`.
pub(super) fn on_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err("must be on or off".into()),
    }
}

/// The entries of a list with commas, without empty ones.
pub(super) fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|entry| !entry.is_empty())
}
