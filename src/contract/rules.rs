//! Checks values by the rules of inputs beyond their types, for GraphQL and REST alike.

use async_graphql::Value;
use chrono_tz::Tz;

use super::Rules;
use crate::{
    base::{clock::parse_rfc3339, error::Violations, validate},
    graphql::directives::Format,
    platform::net::target::check_url,
};

impl Rules {
    /// Adds the rules that the value at this path breaks, those of a list's items included, and answers whether it breaks none.
    /// The items of a list that is too long are not looked at. `allow_private_targets` is the setting of that name.
    pub(crate) fn check(
        &self,
        path: &str,
        value: &Value,
        allow_private_targets: bool,
        violations: &mut Violations,
    ) -> bool {
        match value {
            Value::Null => true,
            Value::List(items) => {
                if let Some((min, max)) = self.items
                    && !in_bounds(items.len(), min, max)
                {
                    violations.add(path, items_message(min, max));
                    return false;
                }
                let mut keeps_all = true;
                for (index, item) in items.iter().enumerate() {
                    if let Some(message) = self.broken_by(item, allow_private_targets) {
                        violations.add(format!("{path}.{index}"), message);
                        keeps_all = false;
                    }
                }
                keeps_all
            }
            single => match self.broken_by(single, allow_private_targets) {
                Some(message) => {
                    violations.add(path, message);
                    false
                }
                None => true,
            },
        }
    }

    /// The message for a text or name that is none of the allowed ones.
    fn not_among(&self, text: &str) -> Option<String> {
        let values = self.values.as_ref().filter(|values| !values.iter().any(|value| value == text))?;
        Some(format!("must be one of {}", values.join(", ")))
    }

    /// The message of the rule that a single value breaks, if it breaks one.
    fn broken_by(&self, value: &Value, allow_private_targets: bool) -> Option<String> {
        match value {
            Value::Enum(name) => self.not_among(name),
            Value::String(text) => {
                if self.values.is_some() {
                    return self.not_among(text);
                }
                if let Some((min, max)) = self.length
                    && !in_bounds(text.chars().count(), min, max)
                {
                    return Some(validate::length_message(min, max));
                }
                self.format
                    .and_then(|format| check_format(format, text, allow_private_targets).err())
                    .map(str::to_owned)
            }
            Value::Number(number) => match (self.range, number.as_i64()) {
                (Some((min, max)), Some(number)) if number < i64::from(min) || number > i64::from(max) => {
                    Some(if max == i32::MAX {
                        format!("must be at least {min}")
                    } else {
                        format!("must be between {min} and {max}")
                    })
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// The message for a list with too many or too few items.
pub(crate) fn items_message(min: i32, max: i32) -> String {
    format!("must have {min} to {max} items")
}

/// Checks a value of one of this service's scalars; `None`: it is no text. Values of other types are accepted.
pub(crate) fn check_scalar(type_name: &str, text: Option<&str>) -> Result<(), &'static str> {
    match type_name {
        "DateTime" if text.and_then(parse_rfc3339).is_none() => {
            Err("must be a date and time as RFC 3339 writes it, such as 2026-11-20T14:30:00Z")
        }
        "TimeZone" if text.is_none_or(|name| name.parse::<Tz>().is_err()) => {
            Err("must be the name of a time zone in the IANA database, such as Europe/Zurich")
        }
        _ => Ok(()),
    }
}

fn check_format(format: Format, text: &str, allow_private_targets: bool) -> Result<(), &'static str> {
    match format {
        Format::Email => validate::check_email(text),
        Format::Name => validate::check_name(text),
        Format::Line => validate::check_line(text),
        Format::Tag => validate::check_tag(text),
        Format::Text => validate::check_text(text),
        Format::DestinationUrl => validate::check_destination_url(text).map(drop),
        Format::WebhookUrl => check_url(text, allow_private_targets).map(drop),
        Format::Slug => validate::check_slug(text).map(drop),
        Format::DomainName => validate::check_domain_name(text).map(drop),
        Format::Subdomain => validate::check_subdomain(text).map(drop),
        Format::Color => validate::color(text).map(drop),
    }
}

fn in_bounds(length: usize, min: i32, max: i32) -> bool {
    i32::try_from(length).is_ok_and(|length| (min..=max).contains(&length))
}
