//! Rules of UTM templates.

use entity::utm_template;
use sea_orm::{DbErr, SqlErr};

use crate::{
    app::{App, change::Pending},
    base::{
        error::{ApiError, Code, Violations},
        ids::AccountId,
        page::{PageArgs, Selected},
        validate::check_name,
        version::{self, Expected},
    },
    features::accounts::change,
    platform::work::audit::{Act, Fact},
    records::{
        links::utm::UtmValues,
        utm_templates::{UtmTemplateId, repo},
    },
};

/// Templates that an account may have.
const MAX_TEMPLATES: i64 = 1_000;

/// One page of templates by name, and their number on all pages; each only if selected.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<utm_template::Model>, i64), ApiError> {
    let db = app.db.read();
    let templates = if selected.items { repo::page(db, account, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account).await? } else { 0 };
    Ok((templates, total))
}

pub(crate) async fn template(
    app: &App,
    account: AccountId,
    id: UtmTemplateId,
) -> Result<utm_template::Model, ApiError> {
    repo::template(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

pub(crate) async fn create<'a>(
    app: &'a App,
    act: &Act,
    name: &str,
    values: UtmValues,
) -> Result<Pending<'a, utm_template::Model>, ApiError> {
    let account = act.account;
    let now = app.clock.now();
    let nothing = utm_template::Model {
        id: UtmTemplateId::new().0,
        account_id: account.0,
        name: String::new(),
        key: String::new(),
        source: None,
        medium: None,
        campaign: None,
        term: None,
        content: None,
        created_at: now,
        updated_at: now,
    };
    check(Some(name), &values)?;
    let template = after(nothing, Some(name), values)?;
    let tx = change::begin(app, act).await?;
    let count = repo::count(&tx, account).await?;
    if count >= MAX_TEMPLATES {
        return Err(ApiError::plan_limit(MAX_TEMPLATES, count, "utmTemplates"));
    }
    repo::insert(&tx, template.clone()).await.map_err(taken)?;
    let fact = Fact::created(&template);
    Ok(tx.with(template, [fact]))
}

/// Changes a template; links that were written with it stay as they are.
pub(crate) async fn update(
    app: &App,
    act: &Act,
    id: UtmTemplateId,
    name: Option<String>,
    values: UtmValues,
    expected: &Expected,
) -> Result<utm_template::Model, ApiError> {
    let account = act.account;
    check(name.as_deref(), &values)?;
    let tx = change::begin(app, act).await?;
    let Some(before) = repo::template(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    expected.check(before.updated_at)?;
    let updated_at = version::next(before.updated_at, app.clock.now());
    let template = utm_template::Model { updated_at, ..after(before.clone(), name.as_deref(), values)? };
    repo::update(&tx, template.clone()).await.map_err(taken)?;
    tx.commit([Fact::changed(&before, &template)]).await?;
    Ok(template)
}

pub(crate) async fn delete(app: &App, act: &Act, id: UtmTemplateId) -> Result<(), ApiError> {
    let account = act.account;
    let tx = change::begin(app, act).await?;
    let Some(template) = repo::template(&tx, account, id).await? else { return Err(Code::NotFound.into()) };
    repo::delete(&tx, account, id).await?;
    Ok(tx.commit([Fact::deleted(&template)]).await?)
}

fn check(name: Option<&str>, values: &UtmValues) -> Result<(), ApiError> {
    let mut violations = Violations::default();
    if let Some(name) = name {
        violations.take("name", check_name(name));
    }
    values.check("", &mut violations);
    violations.finish()
}

/// The template as it is after the change. Fails when no parameter is left.
fn after(
    before: utm_template::Model,
    name: Option<&str>,
    UtmValues { source, medium, campaign, term, content }: UtmValues,
) -> Result<utm_template::Model, ApiError> {
    let value = |new: Option<String>, before: Option<String>| new.or(before).filter(|value| !value.is_empty());
    let name = name.map_or_else(|| before.name.clone(), str::to_owned);
    let template = utm_template::Model {
        key: name.to_lowercase(),
        name,
        source: value(source, before.source),
        medium: value(medium, before.medium),
        campaign: value(campaign, before.campaign),
        term: value(term, before.term),
        content: value(content, before.content),
        ..before
    };
    let values = [&template.source, &template.medium, &template.campaign, &template.term, &template.content];
    if values.into_iter().all(Option::is_none) {
        return Err(ApiError::invalid_field("source", "or another parameter must be there"));
    }
    Ok(template)
}

fn taken(error: DbErr) -> ApiError {
    match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => {
            ApiError::conflict("name", "Another UTM template of the account has this name.")
        }
        _ => error.into(),
    }
}
