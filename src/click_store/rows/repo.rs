//! Queries on clicks that are rows. Clicks belong to an account through their link, so each query takes links that were read for the
//! account, or joins them.

use std::collections::HashMap;

use entity::{click, link};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, JoinType, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, RelationDef, Select, Value,
    sea_query::{Expr, ExprTrait, Query},
};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        ids::{AccountId, LinkId},
    },
    platform::db::{
        of_each, on_rows,
        packed::{self, Packed, Row},
        select_of_each,
    },
};

/// A click as the API shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ShownClick {
    pub(crate) id: Uuid,
    /// The link that was followed.
    pub(crate) link_id: Uuid,
    /// Unix time in milliseconds.
    pub(crate) clicked_at: UnixMillis,
    /// Whether a bot, a preview or a prefetch followed it.
    pub(crate) is_bot: bool,
    pub(crate) browser: Option<String>,
    pub(crate) os: Option<String>,
    pub(crate) device: Option<String>,
    /// Host of the referring page.
    pub(crate) referrer_host: Option<String>,
    /// Country, ISO 3166-1 alpha-2.
    pub(crate) country: Option<String>,
    /// Language that the visitor's browser prefers.
    pub(crate) language: Option<String>,
    /// `utm_source` of the visit.
    pub(crate) utm_source: Option<String>,
    /// `utm_medium` of the visit.
    pub(crate) utm_medium: Option<String>,
    /// `utm_campaign` of the visit.
    pub(crate) utm_campaign: Option<String>,
    /// `utm_term` of the visit.
    pub(crate) utm_term: Option<String>,
    /// `utm_content` of the visit.
    pub(crate) utm_content: Option<String>,
    /// The kind of address that was followed. `None`: the short URL.
    pub(crate) trigger: Option<String>,
    /// Number of the destination, in decimal digits. `None`: the link's own.
    pub(crate) destination: Option<String>,
    /// Number of the rule that led there, in decimal digits. `None`: none did.
    pub(crate) rule: Option<String>,
    /// Number of the kind of ad click, in decimal digits. `None`: none.
    pub(crate) ad_click: Option<String>,
}

impl From<click::Model> for ShownClick {
    fn from(click: click::Model) -> Self {
        ShownClick {
            id: click.id,
            link_id: click.link_id,
            clicked_at: click.clicked_at,
            is_bot: click.is_bot,
            browser: click.browser,
            os: click.os,
            device: click.device,
            referrer_host: click.referrer_host,
            country: click.country,
            language: click.language,
            utm_source: click.utm_source,
            utm_medium: click.utm_medium,
            utm_campaign: click.utm_campaign,
            utm_term: click.utm_term,
            utm_content: click.utm_content,
            trigger: click.trigger,
            destination: click.destination,
            rule: click.rule,
            ad_click: click.ad_click,
        }
    }
}

/// Which clicks to list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ClickFilter {
    /// Start of the range, in Unix milliseconds.
    pub(crate) from: Option<UnixMillis>,
    /// End of the range (exclusive), in Unix milliseconds.
    pub(crate) to: Option<UnixMillis>,
    /// Without bots.
    pub(crate) humans_only: bool,
}

fn to_link() -> RelationDef {
    click::Entity::belongs_to(link::Entity).from(click::Column::LinkId).to(link::Column::Id).into()
}

pub(super) fn of_link(account: AccountId, link: LinkId, filter: ClickFilter) -> Select<click::Entity> {
    of_account(account, filter).filter(click::Column::LinkId.eq(link.0))
}

fn of_account(account: AccountId, filter: ClickFilter) -> Select<click::Entity> {
    let mut clicks =
        click::Entity::find().join(JoinType::InnerJoin, to_link()).filter(link::Column::AccountId.eq(account.0));
    if let Some(from) = filter.from {
        clicks = clicks.filter(click::Column::ClickedAt.gte(from));
    }
    if let Some(to) = filter.to {
        clicks = clicks.filter(click::Column::ClickedAt.lt(to));
    }
    if filter.humans_only {
        clicks = clicks.filter(click::Column::IsBot.eq(false));
    }
    clicks
}

/// Some of a link's clicks, newest first.
pub(crate) async fn page(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    (offset, limit): (u64, u64),
) -> Result<Vec<click::Model>, DbErr> {
    of_link(account, link, filter)
        .order_by_desc(click::Column::ClickedAt)
        .order_by_desc(click::Column::Id)
        .offset(offset)
        .limit(limit)
        .all(db)
        .await
}

/// When the oldest stored click on the link was.
pub(crate) async fn first(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
) -> Result<Option<UnixMillis>, DbErr> {
    of_link(account, link, ClickFilter::default())
        .select_only()
        .column(click::Column::ClickedAt)
        .order_by_asc(click::Column::ClickedAt)
        .limit(1)
        .into_tuple()
        .one(db)
        .await
}

/// Clicks of a link, newest first, that come after the one of this time and id: however many came before, as many are read
/// as are answered.
pub(crate) async fn page_after(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
    after: Option<(UnixMillis, Uuid)>,
    limit: u64,
) -> Result<Vec<click::Model>, DbErr> {
    let mut clicks = of_link(account, link, filter);
    if let Some((clicked_at, id)) = after {
        let place = Expr::tuple([
            Expr::col((click::Entity, click::Column::ClickedAt)),
            Expr::col((click::Entity, click::Column::Id)),
        ]);
        clicks = clicks.filter(place.lt(Expr::tuple([Expr::value(clicked_at), Expr::value(id)])));
    }
    clicks.order_by_desc(click::Column::ClickedAt).order_by_desc(click::Column::Id).limit(limit).all(db).await
}

/// Number of a link's clicks that pass the filter.
pub(crate) async fn count(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    filter: ClickFilter,
) -> Result<u64, DbErr> {
    of_link(account, link, filter).count(db).await
}

/// The same page of the clicks of several links of the account, in one statement that reads each page alone from the
/// index: the number of a link's clicks does not matter. The links must have been read for the account.
pub(crate) async fn pages(
    db: &impl ConnectionTrait,
    links: &[LinkId],
    (offset, limit): (u64, u64),
) -> Result<HashMap<Uuid, Vec<ShownClick>>, DbErr> {
    let page_of = |link: Expr| {
        click::Entity::find()
            .select_only()
            .columns(SHOWN)
            .filter(Expr::col((click::Entity, click::Column::LinkId)).eq(link))
            .order_by_desc(click::Column::ClickedAt)
            .order_by_desc(click::Column::Id)
            .offset(offset)
            .limit(limit)
            .into_query()
    };
    let mut pages: HashMap<Uuid, Vec<ShownClick>> = HashMap::new();
    let backend = db.get_database_backend();
    let Some(clicks) = select_of_each(backend, links.iter().map(|link| link.0).collect(), page_of) else {
        return Ok(pages);
    };
    let (id, text) = (|column| packed::uuid(backend, column), |column| packed::text(backend, column));
    let bytes = [
        &*id("link_id"),
        &id("id"),
        &packed::flag(backend, "is_bot"),
        &text("browser"),
        &text("os"),
        &text("device"),
        &text("referrer_host"),
        &text("country"),
        &text("language"),
        &text("utm_source"),
        &text("utm_medium"),
        &text("utm_campaign"),
        &text("utm_term"),
        &text("utm_content"),
        &text("trigger"),
        &text("destination"),
        &text("rule"),
        &text("ad_click"),
    ];
    let packed = Expr::cust(packed::packed(backend, "clicked_at", bytes));
    let statement = backend.build(Query::select().expr(packed).from_subquery(clicks, "clicks"));
    for row in Packed::query(db, statement).await?.rows()? {
        let click = shown(row)?;
        pages.entry(click.link_id).or_default().push(click);
    }
    for page in pages.values_mut() {
        page.sort_unstable_by_key(|click| std::cmp::Reverse((click.clicked_at, click.id)));
    }
    Ok(pages)
}

/// The columns that [`pages`] reads.
const SHOWN: [click::Column; 19] = [
    click::Column::Id,
    click::Column::LinkId,
    click::Column::ClickedAt,
    click::Column::IsBot,
    click::Column::Browser,
    click::Column::Os,
    click::Column::Device,
    click::Column::ReferrerHost,
    click::Column::Country,
    click::Column::Language,
    click::Column::UtmSource,
    click::Column::UtmMedium,
    click::Column::UtmCampaign,
    click::Column::UtmTerm,
    click::Column::UtmContent,
    click::Column::Trigger,
    click::Column::Destination,
    click::Column::Rule,
    click::Column::AdClick,
];

fn shown(
    (clicked_at, [link, id, is_bot, browser, os, device, referrer_host, country, language, rest @ ..]): Row<'_, 18>,
) -> Result<ShownClick, DbErr> {
    let [source, medium, campaign, term, content, trigger, destination, rule, ad_click] = rest;
    let uuid = |bytes: &[u8]| Uuid::from_slice(bytes).map_err(|error| DbErr::Type(error.to_string()));
    let text = |bytes: &[u8]| match bytes {
        [] => Ok(None),
        bytes => String::from_utf8(bytes.to_vec()).map(Some).map_err(|error| DbErr::Type(error.to_string())),
    };
    Ok(ShownClick {
        id: uuid(id)?,
        link_id: uuid(link)?,
        clicked_at,
        is_bot: !is_bot.is_empty(),
        browser: text(browser)?,
        os: text(os)?,
        device: text(device)?,
        referrer_host: text(referrer_host)?,
        country: text(country)?,
        language: text(language)?,
        utm_source: text(source)?,
        utm_medium: text(medium)?,
        utm_campaign: text(campaign)?,
        utm_term: text(term)?,
        utm_content: text(content)?,
        trigger: text(trigger)?,
        destination: text(destination)?,
        rule: text(rule)?,
        ad_click: text(ad_click)?,
    })
}

/// The newest clicks of each of these links since a time, oldest first. Not scoped to an account: subscribers were authorized for
/// the links before.
pub(crate) async fn newest(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    since: UnixMillis,
    limit: u64,
) -> Result<Vec<click::Model>, DbErr> {
    let newest_of = |link: Expr| {
        click::Entity::find()
            .filter(Expr::col((click::Entity, click::Column::LinkId)).eq(link))
            .filter(click::Column::ClickedAt.gte(since))
            .order_by_desc(click::Column::ClickedAt)
            .order_by_desc(click::Column::Id)
            .limit(limit)
            .into_query()
    };
    let mut clicks: Vec<click::Model> = of_each(db, links.to_vec(), newest_of).await?;
    clicks.sort_unstable_by_key(|click| (click.clicked_at, click.id));
    Ok(clicks)
}

/// Clicks of each of these links: all, and those that were made since. Both are read at one moment.
pub(crate) async fn counts_since(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    since: UnixMillis,
) -> Result<HashMap<Uuid, (i64, i64)>, DbErr> {
    let sql = |rows: &str| {
        format!(
            "SELECT links.id, links.click_count, (SELECT count(*) FROM clicks \
             WHERE clicks.link_id = links.id AND clicks.clicked_at >= asked.column2) \
             FROM {rows} AS asked CROSS JOIN links WHERE links.id = asked.column1"
        )
    };
    let asked = links.iter().map(|link| [Value::from(*link), since.into()]).collect();
    let mut counts = HashMap::new();
    for statement in on_rows(db.get_database_backend(), ["uuid", "bigint"], asked, sql) {
        for row in db.query_all_raw(statement).await? {
            counts.insert(row.try_get_by_index(0)?, (row.try_get_by_index(1)?, row.try_get_by_index(2)?));
        }
    }
    Ok(counts)
}

/// Deletes up to `limit` clicks on the link before a time, oldest first, and returns their number. Not scoped to an account: only
/// jobs call it, for deleted links and expired clicks.
pub(crate) async fn delete_some(
    db: &impl ConnectionTrait,
    link: Uuid,
    before: UnixMillis,
    limit: u64,
) -> Result<u64, DbErr> {
    let of_link = click::Column::LinkId.eq(link).and(click::Column::ClickedAt.lt(before));
    let last: Option<(UnixMillis, Uuid)> = click::Entity::find()
        .select_only()
        .columns([click::Column::ClickedAt, click::Column::Id])
        .filter(of_link.clone())
        .order_by_asc(click::Column::ClickedAt)
        .order_by_asc(click::Column::Id)
        .offset(limit - 1)
        .limit(1)
        .into_tuple()
        .one(db)
        .await?;
    let mut delete = click::Entity::delete_many().filter(of_link);
    if let Some((clicked_at, id)) = last {
        let key = Expr::tuple([click::Column::ClickedAt, click::Column::Id].map(Expr::col));
        let up_to_last = key.lte(Expr::tuple([Expr::value(clicked_at), Expr::value(id)]));
        // This condition lets PostgreSQL skip the partitions of other months.
        delete = delete.filter(click::Column::ClickedAt.lte(clicked_at)).filter(up_to_last);
    }
    Ok(delete.exec(db).await?.rows_affected)
}
