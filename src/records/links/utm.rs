//! UTM parameters of destinations: they are written into the URL and read back from it, and stored nowhere else.

use std::borrow::Cow;

use crate::{
    base::{
        error::Violations,
        validate::{check_destination_url, length_message},
    },
    clicks::texts::{self, UTM_NAMES},
};

/// Longest value of a parameter, in characters: the longest that clicks keep is a little more.
pub(crate) const MAX_UTM: i32 = 200;

/// Values of the parameters. `None` is one that a URL does not have, or that stays as it is; one to take away is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UtmValues {
    pub(crate) source: Option<String>,
    pub(crate) medium: Option<String>,
    pub(crate) campaign: Option<String>,
    pub(crate) term: Option<String>,
    pub(crate) content: Option<String>,
}

impl UtmValues {
    /// The parameters of a URL; of several with one name, the last, as clicks have it. `None`: it has none.
    pub(crate) fn of(url: &str) -> Option<Self> {
        let (_, query) = url.split('#').next()?.split_once('?')?;
        // The values that are shown are as short as the URL, in JSON too.
        let [source, medium, campaign, term, content] = texts::utm(query).map(|value| {
            let value: String = value.chars().filter(|character| !character.is_control()).collect();
            (!value.is_empty()).then_some(value)
        });
        let utm = UtmValues { source, medium, campaign, term, content };
        (utm != UtmValues::default()).then_some(utm)
    }

    /// Takes all away.
    pub(crate) fn none() -> Self {
        let none = || Some(String::new());
        UtmValues { source: none(), medium: none(), campaign: none(), term: none(), content: none() }
    }

    /// Notes values that break a rule. `path`: where the parameters stand in the request.
    pub(crate) fn check(&self, path: &str, violations: &mut Violations) {
        for (name, value) in UTM_NAMES.into_iter().zip(self.values()) {
            let Some(value) = value else { continue };
            let name = name.trim_start_matches("utm_");
            if value.chars().count() > MAX_UTM.unsigned_abs() as usize {
                violations.add(format!("{path}{name}"), length_message(0, MAX_UTM));
            }
            if value.chars().any(char::is_control) {
                violations.add(format!("{path}{name}"), "must not contain control characters");
            }
        }
    }

    fn values(&self) -> [Option<&str>; 5] {
        [&self.source, &self.medium, &self.campaign, &self.term, &self.content].map(Option::as_deref)
    }

    /// The destination with these parameters: each in the place of the first of its name, or else at the end of the query. All other
    /// parameters, and the fragment, stay as they are.
    pub(crate) fn written_into(&self, destination: String) -> Result<String, &'static str> {
        let mut values = self.values();
        if values.iter().all(Option::is_none) {
            return Ok(destination);
        }
        let (url, fragment) = destination.find('#').map_or((&*destination, ""), |at| destination.split_at(at));
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let mut parameters = Vec::new();
        for parameter in query.split('&') {
            let name = form_urlencoded::parse(parameter.as_bytes()).next().map(|(name, _)| name);
            let place = UTM_NAMES.iter().position(|known| name.as_deref() == Some(*known));
            match place.and_then(|place| Some((place, values.get_mut(place)?.as_mut()?))) {
                None => parameters.push(Cow::Borrowed(parameter)),
                Some((place, value)) => {
                    parameters.extend(written(place, value));
                    // The others of this name go.
                    *value = "";
                }
            }
        }
        let more = values.iter().enumerate().filter_map(|(place, value)| written(place, (*value)?));
        parameters.extend(more);
        if parameters.first().is_some_and(|first| first.is_empty()) && !query.starts_with('&') {
            parameters.remove(0);
        }
        let query = parameters.join("&");
        let written = format!("{base}{}{query}{fragment}", if query.is_empty() { "" } else { "?" });
        match check_destination_url(&written) {
            Ok(url) => Ok(url.into()),
            Err(_) => Err("makes the destination longer than 2048 characters"),
        }
    }
}

/// A parameter with its value. `None`: the value is empty.
fn written(place: usize, value: &str) -> Option<Cow<'static, str>> {
    let name = UTM_NAMES.get(place).filter(|_| !value.is_empty())?;
    Some(format!("{name}={}", form_urlencoded::byte_serialize(value.as_bytes()).collect::<String>()).into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use url::Url;

    use super::*;

    fn utm(values: [&str; 5]) -> UtmValues {
        let [source, medium, campaign, term, content] =
            values.map(|value| if value == "-" { None } else { Some(value.to_owned()) });
        UtmValues { source, medium, campaign, term, content }
    }

    #[test]
    fn parameters_are_written_and_the_rest_stays() {
        for (destination, values, written) in [
            ("https://e.example/", ["a", "-", "-", "-", "-"], "https://e.example/?utm_source=a"),
            (
                "https://e.example/?x=%20+1#f",
                ["a b", "c&d", "-", "-", "ü"],
                "https://e.example/?x=%20+1&utm_source=a+b&utm_medium=c%26d&utm_content=%C3%BC#f",
            ),
            (
                "https://e.example/?utm_source=old&x=1",
                ["new", "-", "-", "-", "-"],
                "https://e.example/?utm_source=new&x=1",
            ),
            (
                "https://e.example/?utm_source=1&x=1&utm%5Fsource=2",
                ["3", "-", "-", "-", "-"],
                "https://e.example/?utm_source=3&x=1",
            ),
            ("https://e.example/?utm_source=1&utm_term=2", ["", "-", "-", "-", "-"], "https://e.example/?utm_term=2"),
            ("https://e.example/?utm_source=1#f", ["", "", "", "", ""], "https://e.example/#f"),
            (
                "https://e.example/?utm_source=1&a",
                ["-", "-", "c", "-", "-"],
                "https://e.example/?utm_source=1&a&utm_campaign=c",
            ),
            ("https://e.example/?&a", ["-", "-", "-", "-", "-"], "https://e.example/?&a"),
        ] {
            assert_eq!(utm(values).written_into(destination.to_owned()).as_deref(), Ok(written), "{destination}");
        }
        let long = "a".repeat(201);
        for value in ["a\0b", "a\nb", &long] {
            let mut violations = Violations::default();
            utm(["-", value, "-", "-", "-"]).check("utm.", &mut violations);
            let error = violations.finish().unwrap_err();
            assert_eq!(error.violations.iter().map(|violation| &*violation.path).collect::<Vec<_>>(), ["utm.medium"]);
        }
        let longest = format!("https://e.example/?{}", "a".repeat(2_000));
        assert!(utm([&long[1..], "-", "-", "-", "-"]).written_into(longest).is_err());
    }

    #[test]
    fn parameters_are_read_from_the_query_alone() {
        assert_eq!(UtmValues::of("https://e.example/utm_source=1?a=2#?utm_source=3"), None);
        assert_eq!(UtmValues::of("https://e.example/?utm_source="), None);
        let found = UtmValues::of("https://e.example/?utm_term=red+shoes&utm_source=2&utm_source=%C3%BC").unwrap();
        assert_eq!(
            (found.source.as_deref(), found.term.as_deref(), found.medium),
            (Some("ü"), Some("red shoes"), None)
        );
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_back(
            query in "([abx&=%+]|utm_(source|term)=?){0,8}", source in prop::option::of("\\PC{0,12}"), term in prop::option::of("[a&=#?% ]{0,6}")
        ) {
            let destination = Url::parse(&format!("https://e.example/?{query}#f")).unwrap();
            let input = UtmValues { source: source.clone(), term: term.clone(), ..UtmValues::default() };
            let Ok(written) = input.written_into(destination.to_string()) else { return Ok(()) };
            let read = UtmValues::of(&written).unwrap_or_default();
            let before = UtmValues::of(destination.as_str()).unwrap_or_default();
            let expected = |given: &Option<String>, before| match given {
                None => before,
                Some(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            };
            prop_assert_eq!(read.source, expected(&source, before.source));
            prop_assert_eq!(read.term, expected(&term, before.term));
            let is_given = |name: &str| (name == "utm_source" && source.is_some()) || (name == "utm_term" && term.is_some());
            let others = |url: &Url| -> Vec<(String, String)> { url.query_pairs().into_owned().filter(|(name, _)| !is_given(name)).collect() };
            let written = Url::parse(&written).unwrap();
            prop_assert_eq!(others(&written), others(&destination));
            prop_assert_eq!(written.fragment(), Some("f"));
        }
    }
}
