//! Queries on links.

use async_graphql::{Context, ID, Object};

use crate::{
    base::{
        error::{ApiError, Code},
        ids::LinkId,
        page::PageArgs,
        validate::{MAX_SLUG, MAX_URL},
    },
    features::links::{
        availability::{self, SlugAvailability},
        export::columns,
        link::Link,
        ops::{self, FilterTexts, MAX_SEARCH},
        page_metadata::{self, PageMetadata},
        qr_code::{self, Design, MAX_MARGIN, QrCode, SIZES},
        rehearsal::{self, LinkRehearsal, RehearseLinkInput},
    },
    graphql::{
        context::ContextExt,
        directives::{Format, HttpMethod, example, export, format, items, length, range, values},
        page::{Page, selected},
        scalars::Timestamp,
        shorthands::{Get, Post, RestOnBoth, Scoped},
    },
    platform::auth::{access::Depth, scope::Scope},
    records::{
        links::{list_repo::LinkFilter, qr_code::Level, sort::LinkSort, state::LinkState, texts::MAX_EXTERNAL_ID},
        tags::name::{MAX_LINK_TAGS, MAX_TAG},
    },
};

/// Clicks would change any other order while the file is read.
fn export_orders() -> Option<Vec<String>> {
    Some(vec!["NEWEST".into(), "OLDEST".into()])
}

/// See [`crate::api::graphql::schema::Query`].
#[derive(Default)]
pub(crate) struct LinkQuery;

#[Object]
impl LinkQuery {
    /// One page of the account's links.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/links"),
        directive = export::apply("/links/export".into(), export_orders(), columns()),
        directive = export::apply("/api/v1/links/export".into(), export_orders(), columns())
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each filter of the API")]
    async fn links(
        &self,
        ctx: &Context<'_>,
        #[graphql(default = 1, desc = "Number of the page, from 1.")] page: i32,
        #[graphql(default = 20, desc = "Links a page has at most, from 1 to 100.")] page_size: i32,
        #[graphql(
            desc = "Only links in which each of these words is found: in slug, destination, title, notes or a tag's name, as a part \
                    of it too, in any order and any case. White space separates words; \"text in quotes\" is one. At most 20 \
                    words. Absent or empty: all.",
            directive = length::apply(0, MAX_SEARCH),
            directive = example::apply("sale".into())
        )]
        search: Option<String>,
        #[graphql(desc = "Only active links (true), or only inactive ones (false). Absent: both.")] is_active: Option<
            bool,
        >,
        #[graphql(
            desc = "Only links on this host: the service's own, or a domain or subdomain. Absent: on any.",
            directive = example::apply("localhost".into())
        )]
        domain: Option<String>,
        #[graphql(
            desc = "Only links created at this time or later. Absent: from the first.",
            directive = example::apply("2026-11-01T00:00:00.000Z".into())
        )]
        created_from: Option<Timestamp>,
        #[graphql(
            desc = "Only links created before this time. Absent: up to now.",
            directive = example::apply("2026-12-01T00:00:00.000Z".into())
        )]
        created_to: Option<Timestamp>,
        #[graphql(
            desc = "Only links whose state this is now. Absent: in any.",
            directive = example::apply("\"ACTIVE\"".into())
        )]
        state: Option<LinkState>,
        #[graphql(
            desc = "Only links to this destination. Absent: to any.",
            directive = length::apply(1, MAX_URL),
            directive = format::apply(Format::DestinationUrl),
            directive = example::apply("https://example.com/spring-sale".into())
        )]
        destination_url: Option<String>,
        #[graphql(
            desc = "Only links that have all these tags, by name. Absent or empty: with any tags or none.",
            directive = items::apply(0, MAX_LINK_TAGS),
            directive = length::apply(1, MAX_TAG),
            directive = example::apply("[\"spring\"]".into())
        )]
        tags: Option<Vec<String>>,
        #[graphql(
            desc = "Only the link with this id in another system. Absent: all.",
            directive = length::apply(1, MAX_EXTERNAL_ID),
            directive = example::apply("crm-4711".into())
        )]
        external_id: Option<String>,
        #[graphql(
            default_with = "Some(false)",
            desc = "Only archived links (true), or only others (false). Null: both.",
            directive = example::apply("false".into())
        )]
        is_archived: Option<bool>,
        #[graphql(
            default_with = "LinkSort::Newest",
            desc = "Order of the links on all pages.",
            directive = example::apply("\"NEWEST\"".into())
        )]
        sort: LinkSort,
    ) -> Result<Page<Link>, ApiError> {
        let app = ctx.app()?;
        let args = PageArgs::new(page, page_size, "pageSize")?;
        let filter = LinkFilter {
            is_active,
            host: domain,
            created_from: created_from.map(|time| time.0),
            created_to: created_to.map(|time| time.0),
            is_archived,
            state: state.map(|state| (state, app.clock.now())),
            destination_url,
            external_id,
            ..LinkFilter::default()
        };
        let (search, tags) = (search.unwrap_or_default(), tags.unwrap_or_default());
        let texts = FilterTexts { search: &search, tags: &tags };
        let (links, total) = ops::list(app, ctx.call()?.account()?, (filter, texts), sort, args, selected(ctx)).await?;
        let links = links.into_iter().map(|link| Link::new(link, app)).collect();
        Ok(Page::new(args, links, total))
    }

    /// One link. Fails with NOT_FOUND when the account has no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/links/{linkId}")
    )]
    async fn link(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        id: ID,
    ) -> Result<Link, ApiError> {
        let app = ctx.app()?;
        let link = ops::shown(app, ctx.call()?.account()?, link_id(&id)?).await?;
        Ok(Link::new(link, app))
    }

    /// The QR code of a link. It has the short URL with `?qr` at its end, which tells scans from other visits and is not forwarded. Fails
    /// with NOT_FOUND when the account has no such link, and with VALIDATION_ERROR when scanners might not tell the colours apart, or
    /// when the account has no such image.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/links/{linkId}/qr")
    )]
    #[expect(clippy::too_many_arguments, reason = "one for each parameter of the API")]
    async fn qr_code(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link_id: ID,
        #[graphql(
            name = "format",
            default_with = "\"svg\".to_owned()",
            desc = "`svg`, or `png`, each module of which is as many whole pixels as fit.",
            directive = values::apply(vec!["svg".into(), "png".into()]),
            directive = example::apply("svg".into())
        )]
        file_format: String,
        #[graphql(
            default = 512,
            desc = "Width and height in pixels, at least one for each module of a `png`.",
            directive = range::apply(SIZES.0, SIZES.1),
            directive = example::apply("512".into())
        )]
        size: i32,
        #[graphql(
            default = 4,
            desc = "Width of the light margin in modules. Scanners need 4 (ISO/IEC 18004): fewer are for a page that is light around it.",
            directive = range::apply(0, MAX_MARGIN),
            directive = example::apply("4".into())
        )]
        margin: i32,
        #[graphql(
            default_with = "Level::M",
            desc = "How much may be dirty, torn or covered at least.",
            directive = example::apply("\"M\"".into())
        )]
        level: Level,
        #[graphql(
            default_with = "\"#000000\".to_owned()",
            desc = "Colour of the modules. It is darker than `light`, with a contrast of 4.5 : 1 at least.",
            directive = format::apply(Format::Color),
            directive = example::apply("#1d3557".into())
        )]
        dark: String,
        #[graphql(
            default_with = "\"#ffffff\".to_owned()",
            desc = "Colour of the ground and the margin.",
            directive = format::apply(Format::Color),
            directive = example::apply("#ffffff".into())
        )]
        light: String,
        #[graphql(
            desc = "The id of an image of the account, drawn in the middle with a border in the light colour; it covers a twentieth of the \
                    code, and `level` is `Q` then where it would be lower. Absent or null: none.",
            directive = example::apply("019aa1c8-5f6a-7b8c-9d0e-1f2a3b4c5d6e".into())
        )]
        logo: Option<ID>,
    ) -> Result<QrCode, ApiError> {
        let id = self::link_id(&link_id)?;
        let (size, margin) = (size.unsigned_abs(), margin.unsigned_abs());
        let design =
            Design { is_png: file_format == "png", size, margin, level, dark, light, logo: logo.map(Into::into) };
        qr_code::of_link(ctx.app()?, ctx.call()?.account()?, id, design).await
    }

    /// The outcomes that the visits of the last days would have if a link were changed: once the change is saved, and from each time on at which the
    /// changed link begins or ends. Nothing is changed. Fails with NOT_FOUND when the account has no such link, and as `updateLink` does when
    /// a value breaks a rule.
    #[graphql(
        directive = Scoped::apply(Scope::AnalyticsRead, Depth::Signature),
        directive = Post::apply("/links/{linkId}/rehearse")
    )]
    async fn rehearse_link(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The link's id.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link_id: ID,
        #[graphql(desc = "The change, and which visits.")] input: RehearseLinkInput,
    ) -> Result<LinkRehearsal, ApiError> {
        rehearsal::rehearse(ctx.app()?, ctx.call()?.account()?, self::link_id(&link_id)?, input).await
    }

    /// Whether a link can get this slug on this host, for forms that ask while it is typed. Fails with VALIDATION_ERROR when the slug
    /// is none, and with NOT_FOUND when the account has no such domain, or no such link.
    #[graphql(
        directive = Scoped::apply(Scope::LinksRead, Depth::Signature),
        directive = Get::apply("/links/availability")
    )]
    async fn slug_availability(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "Path of a short link, 1 to 64 letters, digits, emoji, `-`, `_`, and `/` between segments.",
            directive = length::apply(1, MAX_SLUG),
            directive = format::apply(Format::Slug),
            directive = example::apply("spring-sale".into())
        )]
        slug: String,
        #[graphql(
            desc = "Host of the short link: the service's own, or a domain or subdomain. Absent: the service's own.",
            directive = example::apply("localhost".into())
        )]
        domain: Option<String>,
        #[graphql(
            desc = "The link that is to get the slug: what it has now is not taken. Absent: a new one.",
            directive = example::apply("019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b".into())
        )]
        link_id: Option<ID>,
    ) -> Result<SlugAvailability, ApiError> {
        let own = link_id.as_ref().map(self::link_id).transpose()?;
        availability::of_slug(ctx.app()?, ctx.call()?.account()?, slug, domain.as_deref(), own).await
    }

    /// Fetches a page, and tells what it says of itself: a start for the card of a link that leads there. Fails with VALIDATION_ERROR when
    /// the URL is none, is at no public address, or nothing is there within 5 seconds.
    #[graphql(
        directive = Scoped::apply(Scope::LinksWrite, Depth::Signature),
        directive = RestOnBoth::apply(HttpMethod::Get, "/links/metadata", 200, None)
    )]
    async fn fetch_metadata(
        &self,
        ctx: &Context<'_>,
        #[graphql(
            desc = "The page: an http or https URL; the rules are those of `destinationUrl`.",
            directive = length::apply(1, MAX_URL),
            directive = format::apply(Format::DestinationUrl),
            directive = example::apply("https://example.com/spring-sale".into())
        )]
        url: String,
    ) -> Result<PageMetadata, ApiError> {
        page_metadata::fetch(ctx.app()?, ctx.call()?.account()?, &url).await
    }
}

/// Parses the id of a link. Fails with NOT_FOUND when the text is no valid id.
pub(crate) fn link_id(id: &ID) -> Result<LinkId, ApiError> {
    id.parse().map_err(|_| Code::NotFound.into())
}
