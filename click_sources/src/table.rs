//! The table of sources, `data/sources.txt`, and how hosts and names are looked up in it.

use std::{cmp::Ordering, sync::OnceLock};

const TEXT: &str = include_str!("../data/sources.txt");

/// Kinds of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Search,
    Social,
    Video,
    Shopping,
    Email,
    Messaging,
    Ai,
    Display,
    Site,
}

impl Kind {
    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "search" => Kind::Search,
            "social" => Kind::Social,
            "video" => Kind::Video,
            "shopping" => Kind::Shopping,
            "email" => Kind::Email,
            "messaging" => Kind::Messaging,
            "ai" => Kind::Ai,
            "display" => Kind::Display,
            "site" => Kind::Site,
            _ => return None,
        })
    }
}

/// A source that the table knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Whether it was found by a name for its ads.
    pub(crate) is_ad: bool,
}

/// Texts in lower case, each with its source, in the order of [`compare`].
type Sorted = Vec<(&'static str, Source)>;

/// The table in memory.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Hosts, which stand for their subdomains too.
    hosts: Sorted,
    /// Hosts of any country, without their ends.
    of_any_country: Sorted,
    /// Android packages.
    packages: Sorted,
    /// Values of `utm_source`.
    names: Sorted,
}

impl Table {
    /// The table of this build; it is read at the first call.
    pub(crate) fn built_in() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| Table::read(TEXT))
    }

    /// Lines that are none of the table's are left out; a test finds them.
    fn read(text: &'static str) -> Self {
        let mut table = Table::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let mut columns = line.split('|').map(str::trim);
            let (Some(name), Some(kind)) = (columns.next(), columns.next().and_then(Kind::of)) else { continue };
            let source = Source { name, kind, is_ad: false };
            let [hosts, packages, names, ads] = [(); 4].map(|()| columns.next().unwrap_or_default());
            let of = |list: &'static str| list.split(',').map(str::trim).filter(|text| !text.is_empty());
            for host in of(hosts) {
                match host.strip_suffix(".*") {
                    Some(host) => table.of_any_country.push((host, source)),
                    None => table.hosts.push((host, source)),
                }
            }
            table.packages.extend(of(packages).map(|package| (package, source)));
            table.names.extend(of(names).chain([name]).map(|alias| (alias, source)));
            table.names.extend(of(ads).map(|alias| (alias, Source { is_ad: true, ..source })));
        }
        for sorted in [&mut table.hosts, &mut table.of_any_country, &mut table.packages, &mut table.names] {
            sorted.sort_by(|(a, _), (b, _)| compare(a, b));
        }
        table
    }

    /// The source of a `utm_source`: a name, or a host.
    pub(crate) fn named(&self, utm_source: &str) -> Option<Source> {
        find(&self.names, utm_source).or_else(|| self.host(utm_source))
    }

    /// The source to which a referrer's host, or an Android package, belongs.
    pub(crate) fn host(&self, host: &str) -> Option<Source> {
        if let Some(source) = find(&self.packages, host) {
            return Some(source);
        }
        let name = without_country(host);
        let labels = host.match_indices('.').map(|(dot, _)| dot + 1);
        // From the host itself to its last label: the most specific one counts.
        std::iter::once(0).chain(labels).find_map(|start| {
            let of_any_country = || find(&self.of_any_country, name?.get(start..)?);
            find(&self.hosts, &host[start..]).or_else(of_any_country)
        })
    }
}

/// The host without its last label, or the last two, that countries or everybody may have. `None`: it ends otherwise.
fn without_country(host: &str) -> Option<&str> {
    let is_one_of = |label: &str, known: &[&str]| known.iter().any(|it| label.eq_ignore_ascii_case(it));
    let (name, last) = host.rsplit_once('.')?;
    if is_one_of(last, &["com", "net", "org"]) {
        return Some(name);
    }
    let is_country = last.len() == 2 && last.bytes().all(|byte| byte.is_ascii_alphabetic());
    let below = || name.rsplit_once('.').filter(|(_, label)| is_one_of(label, &["co", "com"]));
    is_country.then(|| below().map_or(name, |(name, _)| name))
}

fn find(sorted: &Sorted, text: &str) -> Option<Source> {
    let found = sorted.binary_search_by(|(known, _)| compare(known, text)).ok()?;
    sorted.get(found).map(|(_, source)| *source)
}

/// Compares in lower case.
fn compare(a: &str, b: &str) -> Ordering {
    let lower = |text| str::bytes(text).map(|byte: u8| byte.to_ascii_lowercase());
    lower(a).cmp(lower(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_read_and_nothing_stands_twice() {
        let table = Table::built_in();
        let lines = TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let mut names = Vec::new();
        for line in lines {
            let columns: Vec<&str> = line.split('|').map(str::trim).collect();
            assert!(Kind::of(columns[1]).is_some() && (3..=6).contains(&columns.len()), "{line}");
            assert!(columns[2..].iter().all(|column| *column == column.to_lowercase()), "{line}");
            names.push(columns[0]);
        }
        assert!(names.len() >= 120, "{}", names.len());
        for name in names {
            assert_eq!(table.named(name).map(|source| source.name), Some(name));
        }
        for sorted in [&table.hosts, &table.of_any_country, &table.packages, &table.names] {
            for pair in sorted.windows(2) {
                assert_eq!(compare(pair[0].0, pair[1].0), Ordering::Less, "{} stands twice", pair[0].0);
            }
        }
    }

    #[test]
    fn ends_of_countries_are_known() {
        for (host, name) in [
            ("google.de", Some("google")),
            ("www.google.co.uk", Some("www.google")),
            ("google.com", Some("google")),
            ("GOOGLE.COM.AU", Some("GOOGLE")),
            ("google.co", Some("google")),
            ("google.app", None),
            ("google", None),
            ("google.1a", None),
            ("", None),
        ] {
            assert_eq!(without_country(host), name, "{host}");
        }
    }
}
