//! Rules of annotations.

use entity::annotation;

use crate::{
    app::{App, change::Pending},
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, LinkId},
        page::{PageArgs, Selected},
        validate::{check_length, check_line},
        version::{self, Expected},
    },
    features::{accounts::change, links},
    platform::work::audit::{Act, Fact},
    records::{
        annotations::{
            AnnotationId,
            repo::{self, AnnotationFilter},
        },
        links::repo as links_repo,
    },
};

/// Annotations that an account may have.
const MAX_ANNOTATIONS: i64 = 1_000;
/// Characters of a text.
pub(crate) const MAX_TEXT: i32 = 200;

/// One page of annotations, the latest first, and their number on all pages; each only if selected. Fails when the account has no such link.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    filter: AnnotationFilter,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<annotation::Model>, i64), ApiError> {
    if let Some(link) = filter.link {
        links::lookup::link(app, account, link).await?;
    }
    let db = app.db.read();
    let annotations = if selected.items { repo::page(db, account, filter, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account, filter).await? } else { 0 };
    Ok((annotations, total))
}

pub(crate) async fn annotation(app: &App, account: AccountId, id: AnnotationId) -> Result<annotation::Model, ApiError> {
    repo::annotation(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

/// Writes an annotation down. Fails when the account has no such link, and when it has as many annotations as it may have.
pub(crate) async fn create<'a>(
    app: &'a App,
    act: &Act,
    link: Option<LinkId>,
    occurred_at: UnixMillis,
    text: String,
) -> Result<Pending<'a, annotation::Model>, ApiError> {
    check(&text)?;
    let account = act.account;
    let tx = change::begin(app, act).await?;
    if let Some(link) = link {
        links_repo::link(&tx, account, link).await?.ok_or(Code::NotFound)?;
    }
    let count = repo::count(&tx, account, AnnotationFilter::default()).await?;
    if count >= MAX_ANNOTATIONS {
        return Err(ApiError::plan_limit(MAX_ANNOTATIONS, count, "annotations"));
    }
    let now = app.clock.now();
    let annotation = annotation::Model {
        id: AnnotationId::new().0,
        account_id: account.0,
        link_id: link.map(|link| link.0),
        occurred_at,
        text,
        created_at: now,
        updated_at: now,
    };
    repo::insert(&tx, annotation.clone()).await?;
    let fact = Fact::created(&annotation);
    Ok(tx.with(annotation, [fact]))
}

/// Changes time or text of an annotation.
pub(crate) async fn update(
    app: &App,
    act: &Act,
    id: AnnotationId,
    occurred_at: Option<UnixMillis>,
    text: Option<String>,
    expected: &Expected,
) -> Result<annotation::Model, ApiError> {
    text.as_deref().map_or(Ok(()), check)?;
    let tx = change::begin(app, act).await?;
    let Some(before) = repo::annotation(&tx, act.account, id).await? else { return Err(Code::NotFound.into()) };
    expected.check(before.updated_at)?;
    let annotation = annotation::Model {
        occurred_at: occurred_at.unwrap_or(before.occurred_at),
        text: text.unwrap_or_else(|| before.text.clone()),
        updated_at: version::next(before.updated_at, app.clock.now()),
        ..before
    };
    repo::update(&tx, annotation.clone()).await?;
    tx.commit([Fact::changed(&before, &annotation)]).await?;
    Ok(annotation)
}

pub(crate) async fn delete(app: &App, act: &Act, id: AnnotationId) -> Result<(), ApiError> {
    let tx = change::begin(app, act).await?;
    let Some(annotation) = repo::annotation(&tx, act.account, id).await? else { return Err(Code::NotFound.into()) };
    repo::delete(&tx, act.account, id).await?;
    Ok(tx.commit([Fact::deleted(&annotation)]).await?)
}

fn check(text: &str) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    violations.take("text", check_length(text, 1, MAX_TEXT).and_then(|()| Ok(check_line(text)?)));
    violations.finish()
}
