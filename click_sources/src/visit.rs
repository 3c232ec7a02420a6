//! Visits, and the rules by which they have sources and channels.

use crate::table::{Kind, Source, Table};

/// The facts of a visit by which it has a source and a channel. A text is empty where there is none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Visit<'a> {
    /// Host of the referrer, or package of an Android app.
    pub referrer_host: &'a str,
    /// `utm_source` of the visit.
    pub utm_source: &'a str,
    /// `utm_medium` of the visit.
    pub utm_medium: &'a str,
    /// `utm_campaign` of the visit.
    pub utm_campaign: &'a str,
    /// Whether a printed code was scanned.
    pub is_scan: bool,
    /// The kind of ad click. `None`: no parameter of one.
    pub ad_click: Option<AdClick>,
}

/// Kinds of ad clicks, which networks tell by a parameter that they add to links. But for Meta's, which all links that leave Facebook and
/// Instagram have, only ads have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum AdClick {
    /// `gclid`, `gbraid`, `wbraid`: Google Ads.
    Google = 1,
    /// `dclid`: Display & Video 360, Campaign Manager 360.
    GoogleDisplay = 2,
    /// `msclkid`: Microsoft Advertising.
    Microsoft = 3,
    /// `fbclid`: Facebook and Instagram, of ads or not.
    Meta = 4,
    /// `ttclid`: TikTok.
    TikTok = 5,
    /// `li_fat_id`: LinkedIn.
    LinkedIn = 6,
    /// `twclid`: X.
    X = 7,
    /// `rdt_cid`: Reddit.
    Reddit = 8,
    /// `ScCid`: Snapchat.
    Snapchat = 9,
}

impl AdClick {
    /// All kinds, in the order of their numbers.
    const ALL: [AdClick; 9] = [
        AdClick::Google,
        AdClick::GoogleDisplay,
        AdClick::Microsoft,
        AdClick::Meta,
        AdClick::TikTok,
        AdClick::LinkedIn,
        AdClick::X,
        AdClick::Reddit,
        AdClick::Snapchat,
    ];

    /// The kind that a parameter of a query tells. `None`: it is none of an ad click.
    pub fn of_parameter(name: &str) -> Option<Self> {
        Some(match name {
            "gclid" | "gbraid" | "wbraid" => AdClick::Google,
            "dclid" => AdClick::GoogleDisplay,
            "msclkid" => AdClick::Microsoft,
            "fbclid" => AdClick::Meta,
            "ttclid" => AdClick::TikTok,
            "li_fat_id" => AdClick::LinkedIn,
            "twclid" => AdClick::X,
            "rdt_cid" => AdClick::Reddit,
            "ScCid" => AdClick::Snapchat,
            _ => return None,
        })
    }

    /// The kind with a number. `None`: 0, and one that a later version has.
    pub fn of_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| *kind as u8 == number)
    }

    /// The network: name in the table, kind, and whether only ads have such a click.
    fn network(self) -> (&'static str, Kind, bool) {
        match self {
            AdClick::Google => ("Google", Kind::Search, true),
            AdClick::GoogleDisplay => ("Google Display", Kind::Display, true),
            AdClick::Microsoft => ("Bing", Kind::Search, true),
            AdClick::Meta => ("Facebook", Kind::Social, false),
            AdClick::TikTok => ("TikTok", Kind::Social, true),
            AdClick::LinkedIn => ("LinkedIn", Kind::Social, true),
            AdClick::X => ("X", Kind::Social, true),
            AdClick::Reddit => ("Reddit", Kind::Social, true),
            AdClick::Snapchat => ("Snapchat", Kind::Social, true),
        }
    }
}

/// How visitors come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Without a referrer or a tag.
    Direct,
    /// A search engine.
    Search,
    /// An ad of a search engine.
    PaidSearch,
    /// A social network or a forum.
    Social,
    /// An ad of a social network.
    PaidSocial,
    /// A site of videos.
    Video,
    /// A shop.
    Shopping,
    /// E-mail.
    Email,
    /// A messenger, SMS or a push notification.
    Messaging,
    /// An assistant that answers by artificial intelligence.
    Ai,
    /// A banner.
    Display,
    /// A partner's link.
    Affiliates,
    /// Any other ad.
    PaidOther,
    /// A link on any other site.
    Referral,
    /// A scanned code.
    Qr,
    /// Tags that no rule knows.
    Other,
}

impl Channel {
    /// All channels.
    pub const ALL: [Channel; 16] = [
        Channel::Direct,
        Channel::Search,
        Channel::PaidSearch,
        Channel::Social,
        Channel::PaidSocial,
        Channel::Video,
        Channel::Shopping,
        Channel::Email,
        Channel::Messaging,
        Channel::Ai,
        Channel::Display,
        Channel::Affiliates,
        Channel::PaidOther,
        Channel::Referral,
        Channel::Qr,
        Channel::Other,
    ];

    /// The name in capital letters, words joined by `_`.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Direct => "DIRECT",
            Channel::Search => "SEARCH",
            Channel::PaidSearch => "PAID_SEARCH",
            Channel::Social => "SOCIAL",
            Channel::PaidSocial => "PAID_SOCIAL",
            Channel::Video => "VIDEO",
            Channel::Shopping => "SHOPPING",
            Channel::Email => "EMAIL",
            Channel::Messaging => "MESSAGING",
            Channel::Ai => "AI",
            Channel::Display => "DISPLAY",
            Channel::Affiliates => "AFFILIATES",
            Channel::PaidOther => "PAID_OTHER",
            Channel::Referral => "REFERRAL",
            Channel::Qr => "QR",
            Channel::Other => "OTHER",
        }
    }
}

/// The source of a visit (`None`: nothing tells it) and its channel, by the rules of the crate.
pub fn classify<'a>(visit: &Visit<'a>) -> (Option<&'a str>, Channel) {
    let table = Table::built_in();
    let medium = tag(visit.utm_medium);
    let utm_source = if is(visit.utm_source.trim(), &["direct", "(direct)"]) { "" } else { tag(visit.utm_source) };
    let (written, known) = if !utm_source.is_empty() {
        (utm_source, table.named(utm_source))
    } else {
        (without_www(visit.referrer_host), table.host(visit.referrer_host))
    };
    let network = visit.ad_click.map(AdClick::network);
    let source = known.map(|source| source.name).or((!written.is_empty()).then_some(written));
    let source = source.or(network.map(|(name, ..)| name));

    let is_unknown = source.is_none() && medium.is_empty() && tag(visit.utm_campaign).is_empty();
    if visit.is_scan || is(medium, &["qr", "qrcode", "qr-code", "qr_code", "qr code"]) {
        return (source, Channel::Qr);
    }
    if is_unknown {
        return (source, Channel::Direct);
    }
    let is_ad = known.is_some_and(|source: Source| source.is_ad) || network.is_some_and(|(.., is_ad)| is_ad);
    let of_network = network.filter(|(.., is_ad)| *is_ad || written.is_empty());
    let kind = known.map(|source| source.kind).or(of_network.map(|(_, kind, _)| kind));
    let by_kind = if is_ad || is_paid(medium) { paid(kind, medium) } else { unpaid(kind, medium) };
    let channel = by_kind.or_else(|| by_tags(medium, utm_source)).unwrap_or_else(|| {
        let is_referred = medium.is_empty() && utm_source.is_empty() && !written.is_empty();
        if is_referred || kind.is_some() { Channel::Referral } else { Channel::Other }
    });
    (source, channel)
}

/// A parameter without spaces around it; empty if it says that there is none.
fn tag(parameter: &str) -> &str {
    let parameter = parameter.trim();
    if is(parameter, &["(none)", "none", "(not set)"]) { "" } else { parameter }
}

fn is(text: &str, known: &[&str]) -> bool {
    known.iter().any(|it| text.eq_ignore_ascii_case(it))
}

/// Whether the text contains a word that is in lower case.
fn contains(text: &str, word: &str) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}

fn without_www(host: &str) -> &str {
    let begins = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    if begins { &host[4..] } else { host }
}

/// Whether a medium is that of ads, by the expression of Google Analytics 4: `^(.*cp.*|ppc|retargeting|paid.*)$`.
fn is_paid(medium: &str) -> bool {
    let begins = medium.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("paid"));
    begins || contains(medium, "cp") || is(medium, &["ppc", "retargeting"])
}

fn is_display(kind: Option<Kind>, medium: &str) -> bool {
    kind == Some(Kind::Display) || is(medium, &["display", "banner", "expandable", "interstitial", "cpm"])
}

fn paid(kind: Option<Kind>, medium: &str) -> Option<Channel> {
    Some(match kind {
        Some(Kind::Search) => Channel::PaidSearch,
        Some(Kind::Social) => Channel::PaidSocial,
        Some(Kind::Video | Kind::Shopping) => Channel::PaidOther,
        _ if is_display(kind, medium) => Channel::Display,
        _ => Channel::PaidOther,
    })
}

fn unpaid(kind: Option<Kind>, medium: &str) -> Option<Channel> {
    if is_display(kind, medium) {
        return Some(Channel::Display);
    }
    match kind? {
        Kind::Search => Some(Channel::Search),
        Kind::Social => Some(Channel::Social),
        Kind::Video => Some(Channel::Video),
        Kind::Shopping => Some(Channel::Shopping),
        Kind::Email => Some(Channel::Email),
        Kind::Messaging => Some(Channel::Messaging),
        Kind::Ai => Some(Channel::Ai),
        Kind::Display | Kind::Site => None,
    }
}

/// The channel by the tags of a visit whose source is of no kind that has one. `None`: they tell none.
fn by_tags(medium: &str, utm_source: &str) -> Option<Channel> {
    const MAIL: &[&str] = &["email", "e-mail", "e_mail", "e mail", "newsletter"];
    const SOCIAL: &[&str] = &["social", "social-network", "social-media", "social network", "social media", "sm"];
    let is_push = || medium.get(medium.len().saturating_sub(4)..).is_some_and(|end| end.eq_ignore_ascii_case("push"));
    if is(medium, SOCIAL) {
        Some(Channel::Social)
    } else if contains(medium, "video") {
        Some(Channel::Video)
    } else if is(medium, &["organic"]) {
        Some(Channel::Search)
    } else if is(medium, &["referral", "app", "link"]) {
        Some(Channel::Referral)
    } else if is(medium, MAIL) || is(utm_source, MAIL) {
        Some(Channel::Email)
    } else if is(medium, &["affiliate", "affiliates"]) {
        Some(Channel::Affiliates)
    } else if is(medium, &["sms"])
        || is(utm_source, &["sms", "firebase"])
        || is_push()
        || contains(medium, "mobile")
        || contains(medium, "notification")
    {
        Some(Channel::Messaging)
    } else {
        None
    }
}
