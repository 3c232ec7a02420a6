//! Services whose files are known, and what their columns are called. `tests/data/README.md` says where each is documented.

use crate::{MAX_FIELD, MAX_ROW};

/// Where a file is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// linkgraph's own export.
    Linkgraph,
    /// bitly.com
    Bitly,
    /// dub.co
    Dub,
    /// short.io
    ShortIo,
    /// rebrandly.com
    Rebrandly,
    /// yourls.org
    Yourls,
    /// kutt.it
    Kutt,
    /// shlink.io
    Shlink,
    /// A table of no known service, such as a person makes one.
    Table,
}

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// The whole short link.
    ShortUrl,
    /// Path of the short link.
    Slug,
    /// Host of the short link.
    Host,
    /// Where the link leads.
    Destination,
    /// Its title.
    Title,
    /// Notes about it.
    Notes,
    /// Names of its tags.
    Tags,
    /// When it was created.
    Created,
    /// When it begins to redirect.
    Starts,
    /// When it ceases to redirect.
    Expires,
    /// Where it leads after its end.
    ExpiredUrl,
    /// How often it redirects at most.
    MaxClicks,
    /// How many of these are used.
    UsedClicks,
    /// How often it was followed.
    Clicks,
    /// How often it was followed before it came to linkgraph.
    ImportedClicks,
    /// Whether it redirects.
    IsActive,
    /// Whether it is kept from redirecting.
    IsBanned,
    /// Whether it is archived.
    IsArchived,
    /// Whether the query of a visit is forwarded.
    ForwardsQuery,
    /// Whether it asks for a password, or the password.
    Password,
    /// Whether visitors are asked to continue.
    AsksFirst,
    /// Text that visitors confirm.
    Notice,
    /// Title that messengers show.
    CardTitle,
    /// Text that messengers show below the title.
    CardDescription,
    /// URL of the image that messengers show.
    CardImageUrl,
    /// URI that opens an app on iOS.
    AppIosUri,
    /// Page of the app in the App Store.
    AppIosStoreUrl,
    /// URI that opens an app on Android.
    AppAndroidUri,
    /// Name of the app's package on Android.
    AppAndroidPackage,
    /// Data for the app, in JSON.
    AppData,
    /// Its rules, in JSON.
    Rules,
    /// Its split, in JSON.
    Split,
    /// Its id in the service.
    Id,
    /// Its id in a system that it was made from.
    ExternalId,
}

impl Source {
    /// All of them, in the order in which a header is compared with them.
    pub const ALL: [Source; 9] = [
        Source::Yourls,
        Source::Kutt,
        Source::Shlink,
        Source::Rebrandly,
        Source::ShortIo,
        Source::Dub,
        Source::Bitly,
        Source::Linkgraph,
        Source::Table,
    ];

    /// Its id, as ids of imported links begin.
    pub const fn id(self) -> &'static str {
        match self {
            Source::Linkgraph => "linkgraph",
            Source::Bitly => "bitly",
            Source::Dub => "dub",
            Source::ShortIo => "shortio",
            Source::Rebrandly => "rebrandly",
            Source::Yourls => "yourls",
            Source::Kutt => "kutt",
            Source::Shlink => "shlink",
            Source::Table => "table",
        }
    }

    /// Its name, for a person.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Linkgraph => "linkgraph",
            Source::Bitly => "Bitly",
            Source::Dub => "Dub",
            Source::ShortIo => "Short.io",
            Source::Rebrandly => "Rebrandly",
            Source::Yourls => "YOURLS",
            Source::Kutt => "Kutt",
            Source::Shlink => "Shlink",
            Source::Table => "a table",
        }
    }

    /// The source with this id.
    pub fn parse(id: &str) -> Option<Source> {
        Source::ALL.into_iter().find(|source| source.id() == id)
    }

    /// The source that has these columns, normalised by [`plain`]. `None`: no known source.
    pub(crate) fn of_columns(columns: &[String]) -> Option<Source> {
        let has = |name: &&str| columns.iter().any(|column| column == name);
        Source::ALL.into_iter().find(|source| source.marks().iter().any(|mark| mark.iter().all(has)))
    }

    /// Sets of columns by which a file is known to be of the source: one of the sets is there.
    const fn marks(self) -> &'static [&'static [&'static str]] {
        match self {
            Source::Linkgraph => &[&["destinationurl"]],
            Source::Bitly => &[
                &["longurl", "link"],
                &["longurl", "bitlink"],
                &["destinationurl", "link"],
                &["destinationurl", "customlink"],
            ],
            Source::Dub => &[&["shortlink", "destinationurl"], &["key", "url", "domain"], &["shortlink", "url"]],
            Source::ShortIo => &[&["originalurl", "path"], &["originalurl", "shorturl"]],
            Source::Rebrandly => &[&["slashtag", "destination"], &["shorturl", "destination"]],
            Source::Yourls => &[&["keyword", "url"], &["shorturl", "url", "timestamp"], &["source", "target", "hits"]],
            Source::Kutt => &[&["address", "target"]],
            Source::Shlink => &[&["shortcode", "longurl"]],
            Source::Table => &[],
        }
    }

    /// Names of the columns, in CSV or JSON. Where several columns have one field, the first with a value in a row counts.
    pub(crate) const fn columns(self) -> &'static [(Field, &'static str)] {
        match self {
            Source::Linkgraph => LINKGRAPH,
            Source::Bitly => BITLY,
            Source::Dub => DUB,
            Source::ShortIo => SHORT_IO,
            Source::Rebrandly => REBRANDLY,
            Source::Yourls => YOURLS,
            Source::Kutt => KUTT,
            Source::Shlink => SHLINK,
            // They are guessed.
            Source::Table => &[],
        }
    }

    /// Whether links have no ids of the service itself: of linkgraph, and of what a person made.
    pub(crate) const fn has_own_ids(self) -> bool {
        matches!(self, Source::Linkgraph | Source::Table)
    }

    /// How names stand in the column of tags.
    pub(crate) const fn tag_separators(self) -> &'static [char] {
        match self {
            // It has a list of its own, in which a name may have any of these.
            Source::Linkgraph => &[],
            Source::Shlink => &['|'],
            Source::Dub => &[','],
            _ => &[',', ';', '|'],
        }
    }
}

impl Field {
    /// All of them.
    pub const ALL: [Field; 34] = [
        Field::Destination,
        Field::Slug,
        Field::Host,
        Field::ShortUrl,
        Field::Title,
        Field::Notes,
        Field::Tags,
        Field::Created,
        Field::Starts,
        Field::Expires,
        Field::ExpiredUrl,
        Field::MaxClicks,
        Field::UsedClicks,
        Field::Clicks,
        Field::ImportedClicks,
        Field::IsActive,
        Field::IsBanned,
        Field::IsArchived,
        Field::ForwardsQuery,
        Field::Password,
        Field::AsksFirst,
        Field::Notice,
        Field::CardTitle,
        Field::CardDescription,
        Field::CardImageUrl,
        Field::AppIosUri,
        Field::AppIosStoreUrl,
        Field::AppAndroidUri,
        Field::AppAndroidPackage,
        Field::AppData,
        Field::Rules,
        Field::Split,
        Field::Id,
        Field::ExternalId,
    ];

    /// Its name, as linkgraph's own files have it where they have it.
    pub const fn id(self) -> &'static str {
        match self {
            Field::Destination => "destinationUrl",
            Field::Slug => "slug",
            Field::Host => "domain",
            Field::ShortUrl => "shortUrl",
            Field::Title => "title",
            Field::Notes => "notes",
            Field::Tags => "tags",
            Field::Created => "createdAt",
            Field::Starts => "startsAt",
            Field::Expires => "expiresAt",
            Field::ExpiredUrl => "expiredUrl",
            Field::MaxClicks => "maxClicks",
            Field::UsedClicks => "usedClicks",
            Field::Clicks => "clickCount",
            Field::ImportedClicks => "importedClicks",
            Field::IsActive => "isActive",
            Field::IsBanned => "isBanned",
            Field::IsArchived => "isArchived",
            Field::ForwardsQuery => "forwardsQuery",
            Field::Password => "password",
            Field::AsksFirst => "asksFirst",
            Field::Notice => "notice",
            Field::CardTitle => "cardTitle",
            Field::CardDescription => "cardDescription",
            Field::CardImageUrl => "cardImageUrl",
            Field::AppIosUri => "appIosUri",
            Field::AppIosStoreUrl => "appIosStoreUrl",
            Field::AppAndroidUri => "appAndroidUri",
            Field::AppAndroidPackage => "appAndroidPackage",
            Field::AppData => "appData",
            Field::Rules => "rules",
            Field::Split => "split",
            Field::Id => "id",
            Field::ExternalId => "externalId",
        }
    }

    /// Bytes that its value may have: rules and splits have many values in one text.
    pub(crate) const fn max(self) -> usize {
        match self {
            Field::Rules | Field::Split => MAX_ROW,
            _ => MAX_FIELD,
        }
    }

    /// The field with this name; `url` is short for `destinationUrl`.
    pub fn parse(id: &str) -> Option<Field> {
        let id = if id == "url" { Field::Destination.id() } else { id };
        Field::ALL.into_iter().find(|field| field.id() == id)
    }
}

const LINKGRAPH: &[(Field, &str)] = &[
    (Field::Destination, "destinationUrl"),
    (Field::Slug, "slug"),
    (Field::Host, "domain"),
    (Field::ShortUrl, "shortUrl"),
    (Field::Title, "title"),
    (Field::Notes, "notes"),
    (Field::Tags, "tags"),
    (Field::IsActive, "isActive"),
    (Field::IsArchived, "isArchived"),
    (Field::ForwardsQuery, "forwardsQuery"),
    (Field::Password, "hasPassword"),
    (Field::AsksFirst, "asksFirst"),
    (Field::Notice, "notice"),
    (Field::CardTitle, "card.title"),
    (Field::CardDescription, "card.description"),
    (Field::CardImageUrl, "card.imageUrl"),
    (Field::AppIosUri, "app.iosUri"),
    (Field::AppIosStoreUrl, "app.iosStoreUrl"),
    (Field::AppAndroidUri, "app.androidUri"),
    (Field::AppAndroidPackage, "app.androidPackage"),
    (Field::AppData, "app.data"),
    (Field::Rules, "rules"),
    (Field::Split, "split"),
    (Field::Starts, "startsAt"),
    (Field::Expires, "expiresAt"),
    (Field::ExpiredUrl, "expiredUrl"),
    (Field::MaxClicks, "maxClicks"),
    (Field::UsedClicks, "usedClicks"),
    (Field::Clicks, "clickCount"),
    (Field::ImportedClicks, "importedClicks"),
    (Field::ExternalId, "externalId"),
    (Field::Created, "createdAt"),
];

const BITLY: &[(Field, &str)] = &[
    (Field::Destination, "long_url"),
    (Field::Destination, "Destination URL"),
    (Field::Destination, "Long URL"),
    // A link may have several; the others are not known to answer where this file is from.
    (Field::ShortUrl, "custom_bitlinks"),
    (Field::ShortUrl, "Custom Link"),
    (Field::ShortUrl, "custom_bitlink"),
    (Field::ShortUrl, "link"),
    (Field::ShortUrl, "bitlink"),
    (Field::Id, "id"),
    (Field::Title, "title"),
    (Field::Tags, "tags"),
    (Field::Created, "created_at"),
    (Field::Created, "Created"),
    (Field::Created, "Date Created"),
    (Field::Clicks, "clicks"),
    (Field::Clicks, "Total Clicks"),
    (Field::Clicks, "Engagements"),
    (Field::Clicks, "Total Engagements"),
    (Field::IsArchived, "archived"),
    (Field::Expires, "expiration_at"),
];

const DUB: &[(Field, &str)] = &[
    (Field::Destination, "Destination URL"),
    (Field::Destination, "url"),
    (Field::Slug, "key"),
    (Field::Host, "domain"),
    (Field::ShortUrl, "shortLink"),
    (Field::Title, "title"),
    (Field::Notes, "comments"),
    (Field::Notes, "description"),
    (Field::Tags, "tags"),
    (Field::Created, "Created at"),
    (Field::Expires, "expiresAt"),
    (Field::ExpiredUrl, "expiredUrl"),
    (Field::Clicks, "clicks"),
    (Field::IsArchived, "archived"),
    (Field::Password, "password"),
    (Field::Id, "Link ID"),
    (Field::Id, "id"),
];

const SHORT_IO: &[(Field, &str)] = &[
    (Field::Destination, "originalURL"),
    (Field::Slug, "path"),
    (Field::Host, "domain"),
    (Field::Host, "Domain.hostname"),
    (Field::ShortUrl, "shortURL"),
    (Field::Title, "title"),
    (Field::Tags, "tags"),
    (Field::Created, "createdAt"),
    (Field::Created, "Created"),
    (Field::Created, "Creation date"),
    (Field::Starts, "startsAt"),
    (Field::Expires, "expiresAt"),
    (Field::ExpiredUrl, "expiredURL"),
    (Field::MaxClicks, "clicksLimit"),
    (Field::Clicks, "clicks"),
    (Field::Clicks, "totalClicks"),
    (Field::IsArchived, "archived"),
    (Field::Password, "password"),
    (Field::Id, "idString"),
    (Field::Id, "Link ID"),
    (Field::Id, "id"),
];

const REBRANDLY: &[(Field, &str)] = &[
    (Field::Destination, "destination"),
    (Field::Slug, "slashtag"),
    (Field::Host, "domain"),
    (Field::Host, "domainName"),
    (Field::Host, "domain.fullName"),
    (Field::ShortUrl, "shortUrl"),
    (Field::Title, "title"),
    (Field::Notes, "description"),
    (Field::Tags, "tags"),
    (Field::Created, "createdAt"),
    (Field::Created, "Creation date"),
    (Field::Clicks, "clicks"),
    (Field::Clicks, "Total clicks"),
    (Field::Id, "id"),
];

const YOURLS: &[(Field, &str)] = &[
    (Field::Destination, "url"),
    (Field::Destination, "target"),
    (Field::Slug, "keyword"),
    (Field::Slug, "source"),
    (Field::ShortUrl, "shorturl"),
    (Field::Title, "title"),
    (Field::Created, "timestamp"),
    (Field::Clicks, "clicks"),
    (Field::Clicks, "hits"),
];

const KUTT: &[(Field, &str)] = &[
    (Field::Destination, "target"),
    (Field::Slug, "address"),
    (Field::Host, "domain"),
    (Field::ShortUrl, "link"),
    (Field::Title, "description"),
    (Field::Created, "created_at"),
    (Field::Expires, "expire_in"),
    (Field::Clicks, "visit_count"),
    (Field::IsBanned, "banned"),
    (Field::Password, "password"),
    (Field::Id, "id"),
];

const SHLINK: &[(Field, &str)] = &[
    (Field::Destination, "longUrl"),
    (Field::Slug, "shortCode"),
    (Field::Host, "domain"),
    (Field::ShortUrl, "shortUrl"),
    (Field::Title, "title"),
    (Field::Tags, "tags"),
    (Field::Created, "dateCreated"),
    (Field::Created, "createdAt"),
    (Field::Starts, "meta.validSince"),
    (Field::Expires, "meta.validUntil"),
    (Field::MaxClicks, "meta.maxVisits"),
    (Field::ForwardsQuery, "forwardQuery"),
    (Field::Clicks, "visitsSummary.total"),
    (Field::Clicks, "visitsCount"),
    (Field::Clicks, "visits"),
];

/// A column's name as it is compared: letters and digits alone, in lower case, so that `Long URL`, `long_url` and `longUrl`
/// are one.
pub(crate) fn plain(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_source_has_an_id_and_columns_of_its_own() {
        for source in Source::ALL {
            assert_eq!(Source::parse(source.id()), Some(source));
            for mark in source.marks() {
                let columns: Vec<String> = mark.iter().map(|name| (*name).to_owned()).collect();
                assert_eq!(Source::of_columns(&columns), Some(source), "{mark:?}");
                for name in *mark {
                    assert!(source.columns().iter().any(|(_, column)| plain(column) == *name), "{name}");
                }
            }
            let has_destination = source.columns().iter().any(|(field, _)| *field == Field::Destination);
            assert_eq!(has_destination, source != Source::Table);
        }
        for field in Field::ALL {
            assert_eq!(Field::parse(field.id()), Some(field));
        }
        assert_eq!((Field::parse("url"), Field::parse("x")), (Some(Field::Destination), None));
        assert_eq!(Source::parse("Bitly"), None);
    }

    #[test]
    fn names_of_columns_are_compared_without_their_spelling() {
        for name in ["Long URL", "long_url", "longUrl", " LONG-URL "] {
            assert_eq!(plain(name), "longurl");
        }
    }
}
