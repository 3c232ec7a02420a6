//! Countries, regions and cities as values of conditions.

use std::{fmt, str::FromStr};

/// The countries of ISO 3166-1, and `XK`, which data of places use for Kosovo: a code that no country has matches no visit.
const COUNTRIES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW \
    BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA \
    GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH \
    KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY \
    MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH \
    SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI \
    VN VU WF WS XK YE YT ZA ZM ZW";

/// A country: ISO 3166-1 alpha-2, in capital letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Country(pub(crate) [u8; 2]);

impl FromStr for Country {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let code = text.trim().to_ascii_uppercase();
        let known = COUNTRIES.split(' ').find(|known| **known == code);
        let code = known.and_then(|code| code.as_bytes().first_chunk().copied());
        code.map(Country).ok_or("a country's two letters of ISO 3166-1, such as DE; the United Kingdom is GB")
    }
}

impl fmt::Display for Country {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| fmt::Write::write_char(formatter, char::from(*byte)))
    }
}

/// A region of a country: ISO 3166-2, in capital letters.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Region(pub(crate) String);

impl FromStr for Region {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let code = text.trim().to_ascii_uppercase();
        let is_part =
            |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_known =
            code.split_once('-').is_some_and(|(country, part)| country.parse::<Country>().is_ok() && is_part(part));
        if is_known { Ok(Region(code)) } else { Err("a region's code of ISO 3166-2, such as DE-BY") }
    }
}

impl fmt::Display for Region {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A city: `Springfield` in any country, or `US:Springfield`. A comma would not do, since `Los Angeles, CA` is not in Canada.
#[derive(Clone, Debug)]
pub(crate) struct City {
    pub(crate) country: Option<Country>,
    pub(crate) name: String,
}

impl PartialEq for City {
    fn eq(&self, other: &Self) -> bool {
        self.country == other.country && folded(&self.name).eq(folded(&other.name))
    }
}

impl FromStr for City {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (country, name) = match text.split_once(':') {
            Some((country, name)) => (country.parse().ok(), name.trim()),
            None => (None, text.trim()),
        };
        if name.is_empty() || text.contains(':') != country.is_some() {
            return Err(
                "a city's name, such as Springfield, with its country's code before it where it matters: US:Springfield",
            );
        }
        Ok(City { country, name: name.to_owned() })
    }
}

impl fmt::Display for City {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.country {
            Some(country) => write!(formatter, "{country}:{}", self.name),
            None => formatter.write_str(&self.name),
        }
    }
}

/// The characters of a city's name in lower case, one by one: the same for a name and a part of it.
pub(crate) fn folded(name: &str) -> impl Iterator<Item = char> {
    name.chars().flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn countries_are_those_of_iso_3166_and_all_that_the_table_of_networks_has() {
        assert_eq!(COUNTRIES.split(' ').count(), 249 + 1);
        assert!(COUNTRIES.split(' ').is_sorted_by(|a, b| a < b));
        let (v4, v6) = country_table::Table::built_in().networks();
        assert!(!v4.is_empty());
        let codes: BTreeSet<[u8; 2]> = v4.iter().chain(&v6).map(|network| network.country).collect();
        for code in codes {
            assert_eq!(Country(code).to_string().parse(), Ok(Country(code)));
        }
    }
}
