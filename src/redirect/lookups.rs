//! Batched lookups of slugs that are not cached.

use std::{borrow::Cow, collections::HashMap, sync::Arc};

use sea_orm::{DatabaseBackend, DbErr, FromQueryResult};
use uuid::Uuid;

use crate::{
    base::{
        clock::UnixMillis,
        error::ApiError,
        ids::{AccountId, LinkId},
    },
    platform::db::{Db, batch::Batches, filled_up, on_rows},
    redirect::{
        rules::Routes,
        target::{Gate, Limit, Parts, Program, Target},
    },
};

/// Slugs looked up by one statement.
const MAX_LOOKUPS: usize = 64;

/// A slug that the cache does not know.
pub(crate) struct Lookup {
    /// The host; empty for the service's own.
    pub(super) host: String,
    /// The account whose host it is, and the former one while a transfer moves links; `None` for the service's own host, on which any
    /// account may have links.
    pub(super) account: Option<(AccountId, Option<AccountId>)>,
    /// In lower case if the host ignores case.
    pub(super) slug: String,
    /// Whether it is found in any case.
    pub(super) ignores_case: bool,
}

/// Pending lookups. One statement at a time answers all of them, so that requests for random slugs cost the database little.
pub(crate) type Lookups = Batches<Lookup, Option<Target>>;

/// Creates the batches, with no lookup under way yet.
pub(crate) fn lookups() -> Arc<Lookups> {
    Batches::new(MAX_LOOKUPS)
}

/// The columns of a link that a redirect needs. They are named: a statement that selects all columns of a table fails on
/// PostgreSQL once the table gets another one, as during an update of a cluster.
#[derive(Debug, FromQueryResult)]
struct StoredLink {
    id: Uuid,
    account_id: Uuid,
    host: String,
    slug: String,
    destination_url: String,
    starts_at: Option<UnixMillis>,
    expires_at: Option<UnixMillis>,
    expired_url: Option<String>,
    max_clicks: Option<i64>,
    used_clicks: Option<i64>,
    forwards_query: Option<bool>,
    password_hash: Option<String>,
    asks_first: bool,
    notice: Option<String>,
    card: Option<String>,
    app: Option<String>,
    /// Rules and split, as they are stored. `None`: it never had any.
    rules: Option<String>,
    split: Option<String>,
    split_stops_at: Option<UnixMillis>,
}

impl StoredLink {
    /// Its rules and split. `None`: it has none.
    fn routes(&self) -> Option<Routes> {
        let read = Routes::read(self.rules.as_deref()?, self.split.as_deref(), self.split_stops_at);
        let routes = read.inspect_err(|error| {
            tracing::error!(link = %self.id, %error, "The rules of a link can't be read: visits are led to its destination");
        });
        routes.ok().filter(|routes| !routes.are_none())
    }
}

impl From<&StoredLink> for Target {
    fn from(link: &StoredLink) -> Self {
        let compiled = link.routes().and_then(|routes| {
            let program = routes.compile(LinkId(link.id), &link.destination_url).inspect_err(|invalid| {
                tracing::error!(link = %link.id, ?invalid, "The rules of a link can't be compiled: visits are led to its destination");
            });
            Some((routes.stop(), program.ok()?))
        });
        Target::new(&Parts {
            link: LinkId(link.id),
            account: AccountId(link.account_id),
            destination_url: &link.destination_url,
            starts_at: link.starts_at,
            expires_at: link.expires_at,
            expired_url: link.expired_url.as_deref(),
            limit: link.max_clicks.zip(link.used_clicks).map(|(max, used)| Limit { max, used }),
            forwards_query: link.forwards_query,
            gate: Gate {
                asks_first: link.asks_first,
                notice: link.notice.as_deref().unwrap_or_default(),
                password_hash: link.password_hash.as_deref().unwrap_or_default(),
            },
            card: link.card.as_deref().unwrap_or_default(),
            app: link.app.as_deref().unwrap_or_default(),
            program: compiled.as_ref().map(|(split_stops_at, program)| Program {
                split_stops_at: *split_stops_at,
                bytes: program.as_bytes(),
            }),
        })
    }
}

/// The targets of active links, in the order of the lookups.
pub(super) async fn look_up(db: Db, lookups: Vec<Lookup>) -> Result<Vec<Option<Target>>, ApiError> {
    let is_exact = |lookup: &&Lookup| !lookup.ignores_case;
    let exact = links(&db, lookups.iter().filter(is_exact), EXACT).await?;
    let in_any_case = links(&db, lookups.iter().filter(|lookup| lookup.ignores_case), &in_any_case(&db)).await?;
    let mut by_key: HashMap<(&str, Cow<'_, str>, bool), Vec<&StoredLink>> = HashMap::new();
    for link in &exact {
        by_key.entry((&link.host, link.slug.as_str().into(), false)).or_default().push(link);
    }
    for link in &in_any_case {
        by_key.entry((&link.host, link.slug.to_ascii_lowercase().into(), true)).or_default().push(link);
    }
    let of = |lookup: &Lookup| {
        let links = by_key.get(&(&*lookup.host, lookup.slug.as_str().into(), lookup.ignores_case))?;
        let is_of = |link: &StoredLink, account: AccountId| link.account_id == account.0;
        let served = links.iter().filter(|link| {
            lookup.account.is_none_or(|(account, former)| {
                is_of(link, account) || former.is_some_and(|former| is_of(link, former))
            })
        });
        let is_former = |link: &StoredLink| lookup.account.is_some_and(|(account, _)| !is_of(link, account));
        // Nodes of a version without hosts that ignore case may have created several: the oldest is used.
        served.min_by_key(|link| (is_former(link), link.id)).map(|link| Target::from(*link))
    };
    Ok(lookups.iter().map(of).collect())
}

/// The condition under which a link has the slug of a lookup.
const EXACT: &str = "links.slug = wanted.column2";

/// The same where case is ignored, written as in the index.
fn in_any_case(db: &Db) -> String {
    format!("links.host <> '' AND {} = wanted.column2", lower_slug(db.backend()))
}

/// A link's slug in lower case, written as in the index. Only letters of ASCII have a case, whatever the database's own collation is.
pub(crate) const fn lower_slug(backend: DatabaseBackend) -> &'static str {
    match backend {
        DatabaseBackend::Postgres => r#"lower(links.slug COLLATE "C")"#,
        _ => "lower(links.slug)",
    }
}

/// Excludes links of deleted accounts, for statements that do not ask for the links of one account: such links are gone for everybody,
/// though a job has yet to delete their rows. Deleted accounts are few, and have an index of their own.
pub(crate) const NOT_DELETED: &str =
    "NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = links.account_id AND accounts.deleted_at IS NOT NULL)";

/// The active links with these hosts and slugs. On a host other than the service's own, each account may have one.
async fn links(db: &Db, lookups: impl Iterator<Item = &Lookup>, has_slug: &str) -> Result<Vec<StoredLink>, DbErr> {
    let rows: Vec<_> = lookups.map(|lookup| [(&*lookup.host).into(), (&*lookup.slug).into()]).collect();
    let statements = on_rows(db.backend(), ["text", "text"], filled_up(rows), |wanted| {
        format!(
            "SELECT links.id, links.account_id, links.host, links.slug, links.destination_url, links.starts_at, \
             links.expires_at, links.expired_url, links.forwards_query, links.password_hash, links.asks_first, links.notice, links.card, links.app, \
             link_limits.max_clicks, link_limits.used_clicks, link_rules.rules, link_rules.split, link_rules.split_stops_at \
             FROM {wanted} AS wanted JOIN links ON links.host = wanted.column1 AND {has_slug} \
             LEFT JOIN link_limits ON link_limits.link_id = links.id \
             LEFT JOIN link_rules ON link_rules.link_id = links.id WHERE links.is_active AND {NOT_DELETED}"
        )
    });
    let mut found = Vec::new();
    for statement in statements {
        found.extend(StoredLink::find_by_statement(statement).all(db.read()).await?);
    }
    Ok(found)
}
