//! GraphQL types of links that are created and changed.

use async_graphql::{InputObject, MaybeUndefined};

use crate::{
    base::{
        validate::{MAX_PASSWORD, MAX_SLUG, MAX_URL},
        version::Expected,
    },
    features::links::{
        app_types::LinkAppInput,
        card_types::LinkCardInput,
        change_ops::{LinkChange, TagChange},
        utm_types::UtmInput,
    },
    graphql::{
        directives::{Format, clearable, example, format, items, length, precondition, range},
        scalars::Timestamp,
    },
    records::{
        links::{
            creations::NewLink,
            gate::{GateValues, MAX_NOTICE, MIN_LINK_PASSWORD},
            if_exists::IfExists,
            life::{Life, MAX_CLICKS},
            texts::{MAX_EXTERNAL_ID, MAX_NOTES, MAX_TITLE, Texts},
            utm::UtmValues,
            values::LinkValues,
        },
        tags::name::{MAX_LINK_TAGS, MAX_TAG},
    },
    redirect::{app_link::AppLink, card::Card},
};

/// Values that a link may have, a new one or another.
#[derive(InputObject, Debug)]
pub(crate) struct LinkFields {
    /// Whether it redirects. A new link does unless this is false.
    #[graphql(directive = example::apply("true".into()))]
    pub(crate) is_active: Option<bool>,
    /// When it begins to redirect; before, it answers 404. Null: at once.
    #[graphql(directive = clearable::apply(), directive = example::apply("2026-11-27T08:00:00.000Z".into()))]
    pub(crate) starts_at: MaybeUndefined<Timestamp>,
    /// When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Must be later than
    /// `startsAt`. Null: never.
    #[graphql(directive = clearable::apply(), directive = example::apply("2026-12-24T18:00:00.000Z".into()))]
    pub(crate) expires_at: MaybeUndefined<Timestamp>,
    /// Where it redirects to after its end; the rules are those of `destinationUrl`. Null: it answers 410 then.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/sales".into())
    )]
    pub(crate) expired_url: MaybeUndefined<String>,
    /// How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
    /// of them. With 1, a visitor gets a page with a button that opens the link. Redirects that another limit of the link has counted count for
    /// this one too. Null: there is no limit, and one that is set later begins with no clicks used.
    #[graphql(
        directive = clearable::apply(),
        directive = range::apply(1, MAX_CLICKS),
        directive = example::apply("500".into())
    )]
    pub(crate) max_clicks: MaybeUndefined<i32>,
    /// One line that names it, 1 to 200 characters. Null: it has no title.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_TITLE),
        directive = format::apply(Format::Line),
        directive = example::apply("Spring sale, poster".into())
    )]
    pub(crate) title: MaybeUndefined<String>,
    /// Text for people, 1 to 1,000 characters. Visitors do not see it. Null: it has no notes.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_NOTES),
        directive = format::apply(Format::Text),
        directive = example::apply("Poster in the windows of all shops.".into())
    )]
    pub(crate) notes: MaybeUndefined<String>,
    /// Whether it forwards the query of a visit: its parameters are added to the destination, except those that the destination has, and
    /// `qr`. Null: as its host's settings say; the service's own host forwards none.
    #[graphql(directive = clearable::apply(), directive = example::apply("true".into()))]
    pub(crate) forwards_query: MaybeUndefined<bool>,
    /// Password that a visitor has to enter before being redirected, 6 to 200 characters. It is stored as a hash, and never shown. Null: none.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(MIN_LINK_PASSWORD, MAX_PASSWORD),
        directive = example::apply("tulips-in-april".into())
    )]
    pub(crate) password: MaybeUndefined<String>,
    /// Whether a visitor gets a page with a button before being redirected. A new link has none unless this is true.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) asks_first: Option<bool>,
    /// Text that a visitor confirms by a button before being redirected, 1 to 500 characters, such as an age limit. Null: none.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_NOTICE),
        directive = format::apply(Format::Text),
        directive = example::apply("For adults only.".into())
    )]
    pub(crate) notice: MaybeUndefined<String>,
    /// Card that messengers and social networks show when somebody posts the link, in place of its destination's page; it replaces the one
    /// that the link has. Visitors do not see it. Null: none, and they show the destination's page.
    #[graphql(directive = clearable::apply())]
    pub(crate) card: MaybeUndefined<LinkCardInput>,
    /// Apps that it opens on phones in place of its destination, and data for them; it replaces the `app` that the link has. Null: it opens
    /// none.
    #[graphql(directive = clearable::apply())]
    pub(crate) app: MaybeUndefined<LinkAppInput>,
    /// UTM parameters to write into the destination, the new one if there is one. Absent: those that it has stay. Null takes all of them away from the destination of a link that exists.
    #[graphql(directive = clearable::apply())]
    pub(crate) utm: MaybeUndefined<UtmInput>,
}

impl From<LinkFields> for LinkValues {
    fn from(fields: LinkFields) -> Self {
        let LinkFields {
            is_active,
            starts_at,
            expires_at,
            expired_url,
            max_clicks,
            title,
            notes,
            forwards_query,
            password,
            asks_first,
            notice,
            card,
            app,
            utm,
        } = fields;
        let millis = |time: MaybeUndefined<Timestamp>| time.map_value(|time| time.0).into();
        LinkValues {
            is_active,
            life: Life {
                starts_at: millis(starts_at),
                expires_at: millis(expires_at),
                expired_url: expired_url.into(),
                max_clicks: max_clicks.into(),
            },
            texts: Texts { title: title.into(), notes: notes.into(), external_id: None },
            forwards_query: forwards_query.into(),
            gate: GateValues { password: password.into(), password_hash: None, asks_first, notice: notice.into() },
            card: card.map_value(Card::from).into(),
            app: app.map_value(AppLink::from).into(),
            utm: match utm {
                MaybeUndefined::Undefined => UtmValues::default(),
                MaybeUndefined::Null => UtmValues::none(),
                MaybeUndefined::Value(utm) => utm.into(),
            },
        }
    }
}

impl LinkFields {
    /// The values, with the id of another system.
    fn with(self, external_id: MaybeUndefined<String>) -> LinkValues {
        let mut values = LinkValues::from(self);
        values.texts.external_id = external_id.into();
        values
    }
}

/// What a new link may have beside its destination.
#[derive(InputObject, Debug)]
pub(crate) struct NewLinkFields {
    /// Path of the short link: 1–64 letters and digits of one script, emoji, `_` and `-`; Japanese, Korean and Chinese mix their scripts. On
    /// a domain or subdomain it may have up to 5 segments, with `/` between them, and the last
    /// may be `*`: `docs/*` leads `/docs/a/b` to `a/b` below the destination, where no link has the path or a longer pattern.
    /// The slug is stored in NFC, and emoji without U+FE0F. Letters that only look like A–Z, a–z and 0–9 are refused (UTS 39). Case
    /// matters, unless the host ignores that of A–Z. On the service's own host those are reserved, in any case, that its paths begin
    /// with or may begin with later, such as `links`, `app` and `report`; a link that had one before keeps it. Absent or null: 7
    /// random characters.
    #[graphql(
        directive = length::apply(1, MAX_SLUG),
        directive = format::apply(Format::Slug),
        directive = example::apply("spring-sale".into())
    )]
    pub(crate) slug: Option<String>,
    /// Host of the short link: the service's own, or an account's domain or subdomain that links are served on, else
    /// NOT_FOUND. Absent or null: the service's own host.
    #[graphql(directive = example::apply("localhost".into()))]
    pub(crate) domain: Option<String>,
    /// Its id in another system, 1 to 128 characters, unique in the account, else CONFLICT. Absent or null: it has none.
    #[graphql(
        directive = length::apply(1, MAX_EXTERNAL_ID),
        directive = format::apply(Format::Line),
        directive = example::apply("crm-4711".into())
    )]
    pub(crate) external_id: MaybeUndefined<String>,
    /// Names of its tags, at most 20, each of 1 to 50 characters without commas; case does not matter. The account gets the tags that it
    /// does not have. Absent or null: none.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"spring\"]".into())
    )]
    pub(crate) tags: Option<Vec<String>>,
    /// What to do when the account has a link to this destination on this host. Absent or null: create another one.
    #[graphql(directive = example::apply("\"CREATE\"".into()))]
    pub(crate) if_exists: Option<IfExists>,
    /// Its other values.
    #[graphql(flatten)]
    pub(crate) fields: LinkFields,
}

impl NewLinkFields {
    fn with(self, destination_url: Option<String>) -> NewLink {
        let NewLinkFields { slug, domain, external_id, tags, if_exists, mut fields } = self;
        if fields.utm.is_null() {
            // As for all other values, null is as absent: there is nothing yet that could go.
            fields.utm = MaybeUndefined::Undefined;
        }
        NewLink {
            destination_url,
            slug,
            domain,
            tags: tags.unwrap_or_default(),
            if_exists: if_exists.unwrap_or_default(),
            may_read: false,
            values: fields.with(external_id),
        }
    }
}

/// A link to create. Values that are absent are as if they were null.
#[derive(InputObject, Debug)]
pub(crate) struct CreateLinkInput {
    /// Where it redirects to: an absolute http or https URL of at most 2,048 characters, with a host, without
    /// credentials, and not where this service serves links. Hosts in other scripts are stored in their ASCII form.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/spring-sale".into())
    )]
    pub(crate) destination_url: String,
    /// All that it may have beside it.
    #[graphql(flatten)]
    pub(crate) fields: NewLinkFields,
}

impl From<CreateLinkInput> for NewLink {
    fn from(input: CreateLinkInput) -> Self {
        input.fields.with(Some(input.destination_url))
    }
}

/// One of several links to create; the rules are those of `CreateLinkInput`, and breaking one fails this link alone.
#[derive(InputObject, Debug)]
pub(crate) struct CreateLinksItemInput {
    /// Where it redirects to; a link without it fails.
    #[graphql(directive = example::apply("https://example.com/summer-sale".into()))]
    pub(crate) destination_url: Option<String>,
    /// All that it may have beside it.
    #[graphql(flatten)]
    pub(crate) fields: NewLinkFields,
}

impl From<CreateLinksItemInput> for NewLink {
    fn from(item: CreateLinksItemInput) -> Self {
        item.fields.with(item.destination_url)
    }
}

/// What to change of one link or several. Fields that are absent stay as they are.
#[derive(InputObject, Debug)]
pub(crate) struct ChangedLinkFields {
    /// Where it redirects to from now on; the rules are those of a new link.
    #[graphql(
        directive = length::apply(1, MAX_URL),
        directive = format::apply(Format::DestinationUrl),
        directive = example::apply("https://example.com/autumn-sale".into())
    )]
    pub(crate) destination_url: Option<String>,
    /// Whether lists leave it out. It redirects as before.
    #[graphql(directive = example::apply("false".into()))]
    pub(crate) is_archived: Option<bool>,
    /// Its other values.
    #[graphql(flatten)]
    pub(crate) fields: LinkFields,
}

impl From<ChangedLinkFields> for LinkChange {
    fn from(fields: ChangedLinkFields) -> Self {
        LinkChange {
            destination_url: fields.destination_url,
            is_archived: fields.is_archived,
            values: fields.fields.into(),
            ..LinkChange::default()
        }
    }
}

/// What to change of a link, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away.
#[derive(InputObject, Debug)]
pub(crate) struct UpdateLinkInput {
    /// What a change of several links may have, too.
    #[graphql(flatten)]
    pub(crate) fields: ChangedLinkFields,
    /// New path of the short link; the old one answers 404 from now on. The rules are those of `CreateLinkInput`, but the
    /// slug that the link has is never refused.
    #[graphql(
        directive = length::apply(1, MAX_SLUG),
        directive = format::apply(Format::Slug),
        directive = example::apply("autumn-sale".into())
    )]
    pub(crate) slug: Option<String>,
    /// Host to move to: the service's own, or an account's domain or subdomain that links are served on, else NOT_FOUND. The short
    /// link on the old host answers 404 from now on. The link keeps its clicks and, unless `slug` is given, its slug, which must be
    /// free on the new host.
    #[graphql(directive = example::apply("go.example.com".into()))]
    pub(crate) domain: Option<String>,
    /// Its id in another system, 1 to 128 characters, unique in the account, else CONFLICT. Null: it has none, and another link may get this one.
    #[graphql(
        directive = clearable::apply(),
        directive = length::apply(1, MAX_EXTERNAL_ID),
        directive = format::apply(Format::Line),
        directive = example::apply("crm-4711".into())
    )]
    pub(crate) external_id: MaybeUndefined<String>,
    /// Names of its tags, at most 20, each of 1 to 50 characters without commas; case does not matter. The account gets the tags that it
    /// does not have. They take the place of all tags that it has; an empty list takes them away.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"spring\"]".into())
    )]
    pub(crate) tags: Option<Vec<String>>,
    /// `updatedAt` of the link as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: the link is changed whoever changed it meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

impl From<UpdateLinkInput> for LinkChange {
    fn from(input: UpdateLinkInput) -> Self {
        let UpdateLinkInput { slug, domain, external_id, tags, fields, expected_updated_at: _ } = input;
        LinkChange {
            slug,
            domain,
            tags: TagChange { set: tags, ..TagChange::default() },
            destination_url: fields.destination_url,
            is_archived: fields.is_archived,
            values: fields.fields.with(external_id),
            expected: Expected::default(),
        }
    }
}

/// What to change of several links, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away.
#[derive(InputObject, Debug)]
pub(crate) struct ChangeLinksInput {
    /// What a change of one link may have, too.
    #[graphql(flatten)]
    pub(crate) fields: ChangedLinkFields,
    /// Names of tags that each of them gets, if it lacks them. A link that would have more than 20 fails.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"autumn\"]".into())
    )]
    pub(crate) add_tags: Option<Vec<String>>,
    /// Names of tags that each of them loses, if it has them.
    #[graphql(
        directive = items::apply(0, MAX_LINK_TAGS),
        directive = length::apply(1, MAX_TAG),
        directive = format::apply(Format::Tag),
        directive = example::apply("[\"spring\"]".into())
    )]
    pub(crate) remove_tags: Option<Vec<String>>,
}

impl From<ChangeLinksInput> for LinkChange {
    fn from(input: ChangeLinksInput) -> Self {
        let ChangeLinksInput { add_tags, remove_tags, fields } = input;
        let (add, remove) = (add_tags.unwrap_or_default(), remove_tags.unwrap_or_default());
        LinkChange { tags: TagChange { set: None, add, remove }, ..fields.into() }
    }
}
