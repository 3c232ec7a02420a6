//! Queries on the clicks that keep the conditions of a filter.

use click_sources::Channel;
use entity::click;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseBackend, DbErr, EntityTrait, FromQueryResult, IdenStatic, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait, Value,
    sea_query::{Expr, ExprTrait, Func, Query, SimpleExpr},
};
use uuid::Uuid;

use crate::{
    base::{clock::UnixMillis, ids::AccountId},
    click_store::{
        blocks::block::BlockClick,
        condition::{ClickDimension, Condition, ConditionOperator},
    },
    clicks::{
        day_document::{COLUMNS, MAX_CHARS, OWN, SHORT_URL, cut},
        source::source,
    },
    platform::db::{
        filled_up, on_rows,
        packed::{self, Packed, Row, packed_where},
    },
};

/// The part of clicks that an answer shows; the rest of them is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Times and visitors.
    Numbers,
    /// These, and the values that summaries list.
    Values,
    /// These, and the values of a dimension.
    Dimension(ClickDimension),
    /// Times and ids.
    Ids,
}

/// The columns that tell source and channel.
const OF_SOURCE: [&str; 6] = ["referrer_host", "utm_source", "utm_medium", "utm_campaign", "trigger", "ad_click"];

impl Shown {
    /// Whether a column is read, for the answer or for the conditions.
    fn needs(self, name: &str, conditions: &[Condition]) -> bool {
        let is_derived = |dimension| matches!(dimension, ClickDimension::Source | ClickDimension::Channel);
        let is_of_dimension = |dimension| match column(dimension) {
            Some((column, _)) => column.as_str() == name,
            None => is_derived(dimension) && OF_SOURCE.contains(&name),
        };
        let is_shown = match self {
            Shown::Numbers => false,
            Shown::Values => !["id", "utm_term", "utm_content"].contains(&name),
            Shown::Dimension(dimension) => is_of_dimension(dimension),
            Shown::Ids => name == "id",
        };
        let is_judged = || conditions.iter().any(|condition| is_derived(condition.dimension));
        is_shown || (OF_SOURCE.contains(&name) && is_judged())
    }
}

/// A click of which all conditions hold that the database can judge. What the answer does not show of it is empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScannedClick<'a> {
    /// Unix time in milliseconds.
    pub(crate) clicked_at: UnixMillis,
    /// Nil if it is not shown.
    pub(crate) id: Uuid,
    /// The link that was followed.
    pub(crate) link: Uuid,
    /// Hash of the visitor, comparable within a UTC day only; its last bit says whether it is a bot.
    pub(crate) visitor: u128,
    /// Whether a bot, a preview or a prefetch followed it.
    pub(crate) is_bot: bool,
    /// Columns that [`crate::clicks::day_document::counted`] takes, in its order.
    pub(crate) columns: [Option<&'a str>; COLUMNS],
    /// `utm_term` of the visit.
    pub(crate) utm_term: Option<&'a str>,
    /// `utm_content` of the visit.
    pub(crate) utm_content: Option<&'a str>,
}

impl<'a> ScannedClick<'a> {
    /// Whether a visitor is a bot.
    pub(crate) const fn is_bots(visitor: u128) -> bool {
        visitor & 1 == 1
    }

    /// Reads a row that [`clicks`] found.
    pub(crate) fn read((clicked_at, [link, id, visitor, is_bot, texts @ ..]): Row<'a, 20>) -> Result<Self, DbErr> {
        let unreadable = |error: &dyn std::fmt::Display| DbErr::Type(error.to_string());
        let uuid = |bytes: &[u8]| Uuid::from_slice(bytes).map_err(|error| unreadable(&error));
        let mut columns = [None; COLUMNS + 2];
        for (text, bytes) in columns.iter_mut().zip(texts) {
            if !bytes.is_empty() {
                *text = Some(std::str::from_utf8(bytes).map_err(|error| unreadable(&error))?);
            }
        }
        let [columns @ .., utm_term, utm_content] = columns;
        let id = if id.is_empty() { Uuid::nil() } else { uuid(id)? };
        let is_bot = !is_bot.is_empty();
        let mut hash = [0; 16];
        hash.iter_mut().zip(visitor).for_each(|(to, from)| *to = *from);
        let visitor = u128::from_be_bytes(hash) & !1 | u128::from(is_bot);
        Ok(ScannedClick { clicked_at, id, link: uuid(link)?, visitor, is_bot, columns, utm_term, utm_content })
    }

    /// The click of a block, on this link.
    pub(crate) fn of(click: &BlockClick<'a>, link: Uuid) -> Self {
        let [browser, os, device, language] = click.agent;
        let [country, region, city] = click.place;
        let [referrer, utm_source, utm_medium, utm_campaign, utm_term, utm_content] = click.origin;
        let [trigger, destination, _, ad_click] = click.way;
        ScannedClick {
            clicked_at: click.clicked_at,
            id: click.id,
            link,
            visitor: u128::from_be_bytes(click.visitor) & !1 | u128::from(click.is_bot),
            is_bot: click.is_bot,
            columns: [
                country,
                referrer,
                browser,
                os,
                device,
                language,
                utm_source,
                utm_medium,
                utm_campaign,
                trigger,
                destination,
                ad_click,
                region,
                city,
            ],
            utm_term,
            utm_content,
        }
    }

    /// The value of a dimension that columns tell. `None`: it is not known, or no column tells it.
    pub(crate) fn value(&self, dimension: ClickDimension) -> Option<&'a str> {
        let [
            country,
            referrer,
            browser,
            os,
            device,
            language,
            utm_source,
            utm_medium,
            utm_campaign,
            trigger,
            destination,
            _,
            region,
            city,
        ] = self.columns;
        match dimension {
            ClickDimension::Country => country,
            ClickDimension::Region => region,
            ClickDimension::City => city,
            ClickDimension::Language => language,
            ClickDimension::Referrer => referrer,
            ClickDimension::Browser => browser,
            ClickDimension::Os => os,
            ClickDimension::Device => device,
            ClickDimension::UtmSource => utm_source,
            ClickDimension::UtmMedium => utm_medium,
            ClickDimension::UtmCampaign => utm_campaign,
            ClickDimension::UtmTerm => self.utm_term,
            ClickDimension::UtmContent => self.utm_content,
            ClickDimension::Trigger => trigger.or(Some(SHORT_URL)),
            ClickDimension::Destination => destination.or(Some(OWN)),
            ClickDimension::IsBot => Some(if self.is_bot { "true" } else { "false" }),
            ClickDimension::Link
            | ClickDimension::Tag
            | ClickDimension::Domain
            | ClickDimension::Source
            | ClickDimension::Channel => None,
        }
    }

    /// Source and channel, which no column tells.
    pub(crate) fn source(&self) -> (Option<&'a str>, Channel) {
        let [_, referrer, _, _, _, _, utm @ .., trigger, _, ad_click, _, _] = self.columns;
        source(referrer, utm, trigger, ad_click)
    }

    /// Whether the conditions hold that the database judges of rows.
    pub(crate) fn passes(&self, conditions: &[Condition]) -> bool {
        let mut judged = conditions.iter().filter(|condition| column(condition.dimension).is_some());
        judged.all(|condition| {
            let value = self.value(condition.dimension);
            condition.holds(if condition.is_of_cut_values() { value.map(cut) } else { value })
        })
    }

    /// Whether the conditions hold that the database can't judge.
    pub(crate) fn keeps(&self, conditions: &[Condition]) -> bool {
        let is_derived = |dimension| matches!(dimension, ClickDimension::Source | ClickDimension::Channel);
        if !conditions.iter().any(|condition| is_derived(condition.dimension)) {
            return true;
        }
        let (source, channel) = self.source();
        conditions.iter().all(|condition| match condition.dimension {
            ClickDimension::Source => condition.holds(source),
            ClickDimension::Channel => condition.holds([channel.name()]),
            _ => true,
        })
    }
}

/// The clicks on these links in a range, as rows of [`ScannedClick`]s: those that keep the conditions, as far as columns tell, and how many
/// were looked at. The links must be the account's.
pub(crate) async fn clicks(
    db: &impl ConnectionTrait,
    links: &[Uuid],
    (from, to): (UnixMillis, UnixMillis),
    conditions: &[Condition],
    shown: Shown,
) -> Result<(Packed, u64), DbErr> {
    let backend = db.get_database_backend();
    let nothing = if backend == DatabaseBackend::Postgres { "''::bytea" } else { "''" };
    let needed = |column: &str, expression: fn(DatabaseBackend, &str) -> String| match shown.needs(column, conditions) {
        true => expression(backend, column),
        false => nothing.to_owned(),
    };
    let text = |column: &str| needed(column, packed::text);
    let row = [
        &*packed::uuid(backend, "link_id"),
        &needed("id", packed::uuid),
        "visitor",
        &packed::flag(backend, "is_bot"),
        &text("country"),
        &text("referrer_host"),
        &text("browser"),
        &text("os"),
        &text("device"),
        &text("language"),
        &text("utm_source"),
        &text("utm_medium"),
        &text("utm_campaign"),
        &text("trigger"),
        &text("destination"),
        &text("ad_click"),
        &text("region"),
        &text("city"),
        &text("utm_term"),
        &text("utm_content"),
    ];
    let judged: Vec<SimpleExpr> = conditions.iter().filter_map(|condition| judged(backend, condition)).collect();
    let is_met = if judged.is_empty() { "true" } else { "is_met" };
    let mut looked_at = click::Entity::find()
        .filter(click::Column::LinkId.is_in(filled_up(links.to_vec())))
        .filter(click::Column::ClickedAt.gte(from))
        .filter(click::Column::ClickedAt.lt(to));
    if let Some(all) = judged.into_iter().reduce(ExprTrait::and) {
        looked_at = looked_at.expr_as(all, is_met);
    }
    let found = packed_where(backend, is_met, "clicked_at", row);
    let counted = Query::select()
        .expr(Expr::cust(found))
        .expr(Expr::cust("count(*)"))
        .from_subquery(looked_at.into_query(), "clicks")
        .take();
    Packed::query_counted(db, backend.build(&counted)).await
}

/// A click that an answer lists: later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    /// Unix time in milliseconds.
    pub(crate) clicked_at: UnixMillis,
    pub(crate) id: Uuid,
    /// The link that was followed.
    pub(crate) link: Uuid,
}

/// These clicks on links of the account, newest first.
pub(crate) async fn these(
    db: &impl ConnectionTrait,
    account: AccountId,
    clicks: impl IntoIterator<Item = Found>,
) -> Result<Vec<click::Model>, DbErr> {
    let sql = |rows: &str| {
        format!(
            "SELECT clicks.* FROM {rows} AS asked CROSS JOIN clicks JOIN links ON links.id = clicks.link_id \
             WHERE clicks.link_id = asked.column1 AND clicks.clicked_at = asked.column2 AND clicks.id = asked.column3 \
             AND links.account_id = asked.column4"
        )
    };
    let asked = clicks
        .into_iter()
        .map(|click| [Value::from(click.link), click.clicked_at.into(), click.id.into(), account.0.into()]);
    let mut found = Vec::new();
    for statement in on_rows(db.get_database_backend(), ["uuid", "bigint", "uuid", "uuid"], asked.collect(), sql) {
        found.extend(click::Model::find_by_statement(statement).all(db).await?);
    }
    found.sort_unstable_by_key(|click| std::cmp::Reverse((click.clicked_at, click.id)));
    Ok(found)
}

/// The time of the click on a link in a range before which there are so many others. `None`: there are not as many.
pub(crate) async fn time_after(
    db: &impl ConnectionTrait,
    link: Uuid,
    (from, to): (UnixMillis, UnixMillis),
    clicks: u64,
) -> Result<Option<UnixMillis>, DbErr> {
    click::Entity::find()
        .select_only()
        .column(click::Column::ClickedAt)
        .filter(click::Column::LinkId.eq(link))
        .filter(click::Column::ClickedAt.gte(from))
        .filter(click::Column::ClickedAt.lt(to))
        .order_by_asc(click::Column::ClickedAt)
        .offset(clicks)
        .limit(1)
        .into_tuple()
        .one(db)
        .await
}

/// The column of a dimension, and the value that clicks have which are stored without one. `None`: no column tells it.
fn column(dimension: ClickDimension) -> Option<(click::Column, Option<&'static str>)> {
    let column = match dimension {
        ClickDimension::Country => click::Column::Country,
        ClickDimension::Region => click::Column::Region,
        ClickDimension::City => click::Column::City,
        ClickDimension::Language => click::Column::Language,
        ClickDimension::Referrer => click::Column::ReferrerHost,
        ClickDimension::Browser => click::Column::Browser,
        ClickDimension::Os => click::Column::Os,
        ClickDimension::Device => click::Column::Device,
        ClickDimension::UtmSource => click::Column::UtmSource,
        ClickDimension::UtmMedium => click::Column::UtmMedium,
        ClickDimension::UtmCampaign => click::Column::UtmCampaign,
        ClickDimension::UtmTerm => click::Column::UtmTerm,
        ClickDimension::UtmContent => click::Column::UtmContent,
        ClickDimension::Trigger => return Some((click::Column::Trigger, Some(SHORT_URL))),
        ClickDimension::Destination => return Some((click::Column::Destination, Some(OWN))),
        ClickDimension::IsBot => click::Column::IsBot,
        ClickDimension::Link
        | ClickDimension::Tag
        | ClickDimension::Domain
        | ClickDimension::Source
        | ClickDimension::Channel => return None,
    };
    Some((column, None))
}

/// The condition as the database judges it: never null. `None`: no column tells it.
fn judged(backend: DatabaseBackend, condition: &Condition) -> Option<SimpleExpr> {
    let (column, usual) = column(condition.dimension)?;
    let stored = || Expr::col((click::Entity, column));
    let known = || usual.map_or_else(stored, |usual| Func::coalesce([stored(), Expr::value(usual)]).into());
    let texts: Vec<&str> = condition.values.iter().flatten().map(String::as_str).collect();
    let is_met = match (condition.dimension, condition.operator) {
        (ClickDimension::IsBot, _) => stored().is_in(texts.into_iter().map(|text| text == "true")),
        (_, ConditionOperator::Contains) => {
            let place = |text: &str| match backend {
                DatabaseBackend::Postgres => {
                    Expr::cust_with_exprs("strpos(lower($1 COLLATE \"C\"), $2)", [known(), Expr::value(text)])
                }
                // Its `lower` knows ASCII alone.
                _ => Expr::cust_with_exprs("instr(lower(?), ?)", [known(), Expr::value(text)]),
            };
            texts.into_iter().map(|text| place(text).gt(0)).reduce(ExprTrait::or)?
        }
        _ => {
            let length = i32::try_from(MAX_CHARS).unwrap_or(i32::MAX);
            let value = if condition.is_of_cut_values() {
                Func::cust("substr").args([known(), Expr::value(1), Expr::value(length)]).into()
            } else {
                known()
            };
            let listed = (!texts.is_empty()).then(|| value.is_in(texts));
            let unknown = condition.values.contains(&None).then(|| known().is_null());
            listed.into_iter().chain(unknown).reduce(ExprTrait::or)?
        }
    };
    let is_met: SimpleExpr = Func::coalesce([is_met, Expr::value(false)]).into();
    Some(if condition.operator == ConditionOperator::IsNot { is_met.not() } else { is_met })
}
