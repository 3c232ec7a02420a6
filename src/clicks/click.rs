//! One click, and how the log holds it. The client's address goes into the visitor hash and the place, and no further.

use std::{borrow::Cow, net::IpAddr};

use click_sources::AdClick;
use compact_str::CompactString;
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, LinkId},
    },
    clicks::{
        texts::{kept, language, of_country, read_query, referrer_host, user_agent},
        visitor::Visitors,
    },
};

/// First byte of a record. Those of earlier versions are read too: what was logged before an update is ingested after it.
const VERSION: u8 = 4;
/// The version without region and city.
const WITHOUT_PLACE: u8 = 3;
/// The version without trigger and destination, too.
const WITHOUT_TRIGGER: u8 = 2;
/// The version without these, and without `utm_term` and `utm_content`.
const WITHOUT_TERM: u8 = 1;

/// The part of a country that an address is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Area {
    /// ISO 3166-2, such as `DE-BY`. `None`: it is unknown.
    pub(crate) region: Option<CompactString>,
    /// The city's name, in English. `None`: it is unknown.
    pub(crate) city: Option<CompactString>,
}

/// The details of a visit from which a click is made.
#[derive(Debug)]
pub(crate) struct Visit<'a> {
    pub(crate) now: UnixMillis,
    pub(crate) link: LinkId,
    pub(crate) account: AccountId,
    /// The client's address, which is not stored.
    pub(crate) client: IpAddr,
    /// ISO 3166-1 alpha-2, when known.
    pub(crate) country: Option<[u8; 2]>,
    pub(crate) area: Area,
    pub(crate) user_agent: &'a [u8],
    pub(crate) referrer: &'a [u8],
    pub(crate) accept_language: &'a [u8],
    /// Query of the short link's URL.
    pub(crate) query: &'a str,
    /// Whether the browser prefetched the link.
    pub(crate) is_prefetch: bool,
}

/// One click. It borrows its texts: the redirect's from the request, ingest's from the log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Click<'a> {
    /// Unix time in milliseconds.
    pub clicked_at: UnixMillis,
    /// The link followed.
    pub link: Uuid,
    /// Hash of the visitor, valid for one account and day.
    pub visitor: [u8; 16],
    /// Whether the browser prefetched the link.
    pub is_prefetch: bool,
    /// The kind of address that was followed.
    pub trigger: Trigger,
    /// Number of the destination among those of the link: 0 for the link's own.
    pub destination: u16,
    /// Number of the rule that led there, 1 to 32; 0: none did.
    pub rule: u8,
    /// The kind of ad click that the visit's query tells; its id is not kept. `None`: none.
    pub ad_click: Option<AdClick>,
    /// ISO 3166-1 alpha-2; empty when unknown.
    pub country: Cow<'a, str>,
    /// `User-Agent`, shortened.
    pub user_agent: Cow<'a, str>,
    /// Host of the `Referer`.
    pub referrer_host: Cow<'a, str>,
    /// First of `Accept-Language`.
    pub language: Cow<'a, str>,
    /// `utm_source` of the visit.
    pub utm_source: Cow<'a, str>,
    /// `utm_medium` of the visit.
    pub utm_medium: Cow<'a, str>,
    /// `utm_campaign` of the visit.
    pub utm_campaign: Cow<'a, str>,
    /// `utm_term` of the visit.
    pub utm_term: Cow<'a, str>,
    /// `utm_content` of the visit.
    pub utm_content: Cow<'a, str>,
    /// ISO 3166-2; empty when unknown.
    pub region: Cow<'a, str>,
    /// The country's code, a colon and the city's name, in English; empty when unknown.
    pub city: Cow<'a, str>,
}

impl<'a> Click<'a> {
    /// Makes the click of a visit.
    pub(crate) fn new(visitors: &Visitors, visit: &'a Visit<'a>) -> Self {
        let country = visit.country.as_ref().and_then(|code| std::str::from_utf8(code).ok());
        let mut click = Click {
            clicked_at: visit.now,
            link: visit.link.0,
            visitor: visitors.hash(visit.now, visit.account, visit.client, visit.user_agent),
            is_prefetch: visit.is_prefetch,
            country: country.unwrap_or_default().into(),
            user_agent: user_agent(visit.user_agent),
            referrer_host: referrer_host(visit.referrer),
            language: language(visit.accept_language),
            // The file may be damaged: what it says is bounded as what a visitor sends.
            region: visit.area.region.as_deref().map(|region| kept(region.into())).unwrap_or_default(),
            city: visit.area.city.as_deref().map(|city| kept(of_country(country, city))).unwrap_or_default(),
            ..Click::default()
        };
        if !visit.query.is_empty() {
            let fields = [
                &mut click.utm_source,
                &mut click.utm_medium,
                &mut click.utm_campaign,
                &mut click.utm_term,
                &mut click.utm_content,
            ];
            let (utm, ad_click) = read_query(visit.query);
            fields.into_iter().zip(utm.map(kept)).for_each(|(field, value)| *field = value);
            click.ad_click = ad_click;
        }
        click
    }

    /// Appends the record's bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let flags = self.ad_click.map_or(0, |kind| kind as u8) << 1 | u8::from(self.is_prefetch);
        let led_by = (self.trigger as u8) << RULE_BITS | self.rule & RULES;
        // Where no place is known, which is most often, nodes of the version before read the record, too.
        let (version, texts) = match (&*self.region, &*self.city) {
            ("", "") => (WITHOUT_PLACE, 9),
            _ => (VERSION, 11),
        };
        out.extend_from_slice(&[version, flags, led_by]);
        out.extend_from_slice(&self.destination.to_le_bytes());
        out.extend_from_slice(&self.clicked_at.to_le_bytes());
        out.extend_from_slice(self.link.as_bytes());
        out.extend_from_slice(&self.visitor);
        for text in [
            &self.country,
            &self.user_agent,
            &self.referrer_host,
            &self.language,
            &self.utm_source,
            &self.utm_medium,
            &self.utm_campaign,
            &self.utm_term,
            &self.utm_content,
            &self.region,
            &self.city,
        ]
        .into_iter()
        .take(texts)
        {
            // All are shortened to less.
            let length = u16::try_from(text.len()).unwrap_or_default();
            out.extend_from_slice(&length.to_le_bytes());
            out.extend_from_slice(&text.as_bytes()[..usize::from(length)]);
        }
    }

    /// Reads a record; none when it is not one.
    pub fn decode(mut bytes: &'a [u8]) -> Option<Self> {
        let [version @ WITHOUT_TERM..=VERSION, flags] = *take::<2>(&mut bytes)? else { return None };
        let (led_by, destination) = match version {
            WITHOUT_TERM | WITHOUT_TRIGGER => (0, 0),
            _ => (take::<1>(&mut bytes)?[0], u16::from_le_bytes(*take::<2>(&mut bytes)?)),
        };
        let mut click = Click {
            is_prefetch: flags & 1 != 0,
            // Records of nodes that read no ad clicks have 0 in these bits, and such nodes leave them out.
            ad_click: AdClick::of_number(flags >> 1),
            trigger: Trigger::of(led_by >> RULE_BITS),
            destination,
            rule: led_by & RULES,
            clicked_at: i64::from_le_bytes(*take::<8>(&mut bytes)?),
            link: Uuid::from_bytes(*take::<16>(&mut bytes)?),
            visitor: *take::<16>(&mut bytes)?,
            ..Click::default()
        };
        let texts = [
            &mut click.country,
            &mut click.user_agent,
            &mut click.referrer_host,
            &mut click.language,
            &mut click.utm_source,
            &mut click.utm_medium,
            &mut click.utm_campaign,
            &mut click.utm_term,
            &mut click.utm_content,
            &mut click.region,
            &mut click.city,
        ];
        let known = match version {
            WITHOUT_TERM => 7,
            WITHOUT_TRIGGER | WITHOUT_PLACE => 9,
            _ => texts.len(),
        };
        for field in texts.into_iter().take(known) {
            let length = usize::from(u16::from_le_bytes(*take::<2>(&mut bytes)?));
            let (text, rest) = bytes.split_at_checked(length)?;
            *field = Cow::Borrowed(std::str::from_utf8(text).ok()?);
            bytes = rest;
        }
        bytes.is_empty().then_some(click)
    }
}

/// Bits of a record's byte that have the number of the rule; the trigger is in those above.
const RULE_BITS: u32 = 6;
const RULES: u8 = (1 << RULE_BITS) - 1;

/// Kinds of addresses that visitors follow. Records have their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trigger {
    /// The short URL.
    #[default]
    Link = 0,
    /// A printed code of the short URL.
    Qr = 1,
    /// The short URL, by a messenger or a social network that got the link's card.
    Card = 2,
    /// The short URL, by an app that the link opens.
    App = 3,
}

impl Trigger {
    /// A number that this version does not know is that of a trigger which a later one has.
    fn of(number: u8) -> Self {
        let all = [Trigger::Link, Trigger::Qr, Trigger::Card, Trigger::App];
        all.into_iter().find(|trigger| *trigger as u8 == number).unwrap_or_default()
    }

    /// The name in the database. `None`: the short URL was followed, as nearly always.
    pub(crate) fn stored(self) -> Option<&'static str> {
        match self {
            Trigger::Link => None,
            Trigger::Qr => Some("QR"),
            Trigger::Card => Some("CARD"),
            Trigger::App => Some("APP"),
        }
    }
}

fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::clicks::record::MARK;

    /// PostgreSQL refuses NUL, and with it the batch of the click.
    #[test]
    fn what_a_damaged_file_says_of_a_place_can_be_stored() {
        let text = |text: &str| Some(CompactString::from(text));
        let visit = Visit {
            now: 0,
            link: LinkId(Uuid::nil()),
            account: AccountId(Uuid::nil()),
            client: IpAddr::from([192, 0, 2, 1]),
            country: Some(*b"DE"),
            area: Area { region: text(&format!("DE-B\0{}", "Y".repeat(70_000))), city: text("Mun\0ich\n") },
            user_agent: b"",
            referrer: b"",
            accept_language: b"",
            query: "",
            is_prefetch: false,
        };
        let visitors = Visitors { keys: arc_swap::ArcSwap::default() };
        let click = Click::new(&visitors, &visit);
        assert_eq!((click.region.len(), &click.region[..6], &*click.city), (255, "DE-BYY", "DE:Munich"));
    }

    #[test]
    fn records_of_earlier_versions_are_read() {
        let record = |version, texts: &[&str]| {
            let mut record = vec![version, 1];
            record.extend_from_slice(&1_700_000_000_000_i64.to_le_bytes());
            record.extend_from_slice(&[3; 16]);
            record.extend_from_slice(&[7; 16]);
            for text in texts {
                record.extend_from_slice(&[u8::try_from(text.len()).unwrap(), 0]);
                record.extend_from_slice(text.as_bytes());
            }
            record
        };
        let texts = ["CH", "curl/8.5.0", "", "de-ch", "news", "email", "spring", "shoes", "top"];
        let without_term = Click {
            clicked_at: 1_700_000_000_000,
            link: Uuid::from_bytes([3; 16]),
            visitor: [7; 16],
            is_prefetch: true,
            country: "CH".into(),
            user_agent: "curl/8.5.0".into(),
            language: "de-ch".into(),
            utm_source: "news".into(),
            utm_medium: "email".into(),
            utm_campaign: "spring".into(),
            ..Click::default()
        };
        let without_trigger = Click { utm_term: "shoes".into(), utm_content: "top".into(), ..without_term.clone() };
        let without_place = Click { trigger: Trigger::Qr, rule: 5, destination: 9, ..without_trigger.clone() };
        let mut third = record(3, &texts);
        third.splice(2..2, [1 << RULE_BITS | 5, 9, 0]);
        let records =
            [(record(1, &texts[..7]), without_term), (record(2, &texts), without_trigger), (third, without_place)];
        for (record, click) in records {
            assert_eq!(Click::decode(&record), Some(click));
            for wrong in [&record[..record.len() - 1], &[&record[..], &[0; 4]].concat()] {
                assert_eq!(Click::decode(wrong), None);
            }
        }
        for version in [0, 5] {
            assert_eq!(Click::decode(&record(version, &texts)), None);
        }
    }

    proptest! {
        #[test]
        fn a_record_reads_as_it_was_written(
            clicked_at: i64, link: [u8; 16], visitor: [u8; 16], is_prefetch: bool, is_scan: bool, destination: u16, rule in 0..64_u8,
            ad_click in 0..10_u8, texts in prop::array::uniform11("\\PC{0,200}"),
        ) {
            let [country, user_agent, referrer_host, language, utm_source, utm_medium, utm_campaign, utm_term, utm_content, region, city] =
                texts;
            let click = Click {
                clicked_at, link: Uuid::from_bytes(link), visitor, is_prefetch, destination, rule,
                ad_click: AdClick::of_number(ad_click),
                trigger: if is_scan { Trigger::Qr } else { Trigger::Link },
                country: country.into(), user_agent: user_agent.into(), referrer_host: referrer_host.into(),
                language: language.into(), utm_source: utm_source.into(), utm_medium: utm_medium.into(),
                utm_campaign: utm_campaign.into(), utm_term: utm_term.into(), utm_content: utm_content.into(), region: region.into(), city: city.into(),
            };
            let mut bytes = Vec::new();
            click.encode(&mut bytes);
            prop_assert_eq!(Click::decode(&bytes), Some(click));
            // The first 45 bytes are the service's own. What a visitor sends can't pass for a record of its own.
            prop_assert!(!bytes[44..].windows(2).any(|pair| pair == MARK));
            prop_assert_eq!(Click::decode(&bytes[..bytes.len() - 1]), None);
        }

        #[test]
        fn arbitrary_bytes_do_not_panic(bytes: Vec<u8>) {
            let _ = Click::decode(&bytes);
        }
    }
}
