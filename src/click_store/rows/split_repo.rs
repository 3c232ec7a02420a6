//! Queries on the clicks that a split led.

use entity::click;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, FromQueryResult, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};

use super::repo::{ClickFilter, of_link};
use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, LinkId},
};

/// Clicks of people on a link that a split led.
#[derive(Clone, Debug, FromQueryResult)]
pub(crate) struct SplitDay {
    /// The UTC day, in days since 1970.
    pub(crate) day: i64,
    /// Number of the destination, in decimal digits.
    pub(crate) destination: String,
    pub(crate) clicks: i64,
    /// Visitors: those clicks that are the first of their visitor on the link and day.
    pub(crate) visitors: i64,
}

/// Clicks of people since a time that this rule of the link led (`None`: no rule) elsewhere than to its own destination, by day and
/// destination, oldest first.
pub(crate) async fn split_days(
    db: &impl ConnectionTrait,
    account: AccountId,
    link: LinkId,
    rule: Option<&str>,
    since: UnixMillis,
) -> Result<Vec<SplitDay>, DbErr> {
    use click::Column::{ClickedAt, Destination, Rule};
    let filter = ClickFilter { from: Some(since), humans_only: true, ..ClickFilter::default() };
    let day = || Expr::cust("clicks.clicked_at / 86400000");
    let clicks = of_link(account, link, filter).filter(Destination.is_not_null());
    let clicks = match rule {
        Some(rule) => clicks.filter(Rule.eq(rule)),
        None => clicks.filter(Rule.is_null()),
    };
    let days = clicks
        .select_only()
        .expr_as(day(), "day")
        .column(Destination)
        .expr_as(ClickedAt.count(), "clicks")
        .expr_as(Expr::cust("CAST(sum(CASE WHEN clicks.new_to_link THEN 1 ELSE 0 END) AS bigint)"), "visitors")
        .group_by(day())
        .group_by(Destination);
    days.order_by_asc(day()).into_model().all(db).await
}
