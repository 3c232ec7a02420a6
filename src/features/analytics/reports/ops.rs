//! Rules of reports.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use entity::report;

use super::{
    definition::Definition,
    inputs::{CreateReportInput, ReportFields, UpdateReportInput},
};
use crate::{
    app::{App, change::Pending},
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, LinkId},
        page::{PageArgs, Selected},
        patch::Patch,
        random,
        validate::check_name,
        version::{self, Expected},
    },
    features::{accounts::change, links},
    platform::{
        auth::scope::Scope,
        work::audit::{Act, Fact},
    },
    records::{
        links::repo as links_repo,
        reports::{ReportId, repo},
    },
};

/// Reports that an account may have.
const MAX_REPORTS: i64 = 200;
/// Random bytes of a token: nobody finds a page by trying.
const TOKEN_BYTES: usize = 24;

/// Whether a text may be a token.
pub(super) fn looks_like_token(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == TOKEN_BYTES)
}

/// One page of reports, the newest first, and their number on all pages; each only if selected. Fails when the account has no such link.
pub(crate) async fn list(
    app: &App,
    account: AccountId,
    link: Option<LinkId>,
    page: PageArgs,
    selected: Selected,
) -> Result<(Vec<report::Model>, i64), ApiError> {
    if let Some(link) = link {
        links::lookup::link(app, account, link).await?;
    }
    let db = app.db.read();
    let reports = if selected.items { repo::page(db, account, link, page).await? } else { Vec::new() };
    let total = if selected.total { repo::count(db, account, link).await? } else { 0 };
    Ok((reports, total))
}

pub(crate) async fn report(app: &App, account: AccountId, id: ReportId) -> Result<report::Model, ApiError> {
    repo::report(app.db.read(), account, id).await?.ok_or_else(|| Code::NotFound.into())
}

/// Creates a report, with a page unless the input says otherwise. Fails when the account has no such link, and when it has as many reports as
/// it may have.
pub(crate) async fn create<'a>(
    app: &'a App,
    act: &Act,
    link: Option<LinkId>,
    CreateReportInput { name, fields, .. }: CreateReportInput,
) -> Result<Pending<'a, report::Model>, ApiError> {
    let (account, now) = (act.account, app.clock.now());
    let nothing = report::Model {
        id: ReportId::new().0,
        account_id: account.0,
        link_id: link.map(|link| link.0),
        name: String::new(),
        token: None,
        expires_at: None,
        definition: String::new(),
        created_at: now,
        updated_at: now,
        password_hash: None,
    };
    let password_hash = hashed(app, act, fields.password()).await?;
    let fields = ReportFields { is_shared: Some(fields.is_shared.unwrap_or(true)), ..fields };
    let report = after((nothing, Definition::default()), act, Some(name), &fields, now)?;
    let report = report::Model { password_hash: password_hash.flatten(), ..report };
    let tx = change::begin(app, act).await?;
    if let Some(link) = link {
        links_repo::link(&tx, account, link).await?.ok_or(Code::NotFound)?;
    }
    let count = repo::count(&tx, account, None).await?;
    if count >= MAX_REPORTS {
        return Err(ApiError::plan_limit(MAX_REPORTS, count, "reports"));
    }
    repo::insert(&tx, report.clone()).await?;
    let fact = Fact::created(&report);
    Ok(tx.with(report, [fact]))
}

/// Changes a report. Its page is as it is now from the next request on. A page that goes on is changed by those alone who may read all that it may
/// show: whoever knows its URL would get that.
pub(crate) async fn update(
    app: &App,
    act: &Act,
    id: ReportId,
    UpdateReportInput { name, fields, .. }: UpdateReportInput,
    expected: &Expected,
) -> Result<report::Model, ApiError> {
    let password_hash = hashed(app, act, fields.password()).await?;
    let tx = change::begin(app, act).await?;
    let Some(before) = repo::report(&tx, act.account, id).await? else { return Err(Code::NotFound.into()) };
    expected.check(before.updated_at)?;
    if before.token.is_some() && fields.is_shared != Some(false) {
        for scope in [Scope::AnalyticsRead, Scope::LinksRead] {
            act.call.caller.check_scope(scope)?;
        }
    }
    let now = app.clock.now();
    let definition = Definition::read(&before.definition).map_err(ApiError::internal)?;
    let report = report::Model {
        updated_at: version::next(before.updated_at, now),
        password_hash: password_hash.unwrap_or_else(|| before.password_hash.clone()),
        ..after((before.clone(), definition), act, name, &fields, now)?
    };
    repo::update(&tx, report.clone()).await?;
    tx.commit([Fact::changed(&before, &report)]).await?;
    Ok(report)
}

pub(crate) async fn delete(app: &App, act: &Act, id: ReportId) -> Result<(), ApiError> {
    let tx = change::begin(app, act).await?;
    let Some(report) = repo::report(&tx, act.account, id).await? else { return Err(Code::NotFound.into()) };
    repo::delete(&tx, act.account, id).await?;
    Ok(tx.commit([Fact::deleted(&report)]).await?)
}

/// The hash of a password that is sent, before anything is locked.
async fn hashed(app: &App, act: &Act, password: Patch<String>) -> Result<Patch<String>, ApiError> {
    let Some(Some(password)) = password else { return Ok(password) };
    Ok(Some(Some(links::passwords::checked_hash(app, &act.call, &password).await?)))
}

/// The report as it is after the change, but for its password.
fn after(
    (before, mut definition): (report::Model, Definition),
    act: &Act,
    name: Option<String>,
    fields: &ReportFields,
    now: UnixMillis,
) -> Result<report::Model, ApiError> {
    let mut violations = Violations::default();
    if let Some(name) = &name {
        violations.take("name", check_name(name));
    }
    fields.write_into(&mut definition, &act.call, &mut violations)?;
    let expires_at = Option::<Option<_>>::from(fields.expires_at).map(|end| end.map(|time| time.0));
    if let Some(Some(end)) = expires_at
        && end <= now
    {
        violations.add("expiresAt", "must be in the future");
    }
    violations.finish()?;
    let token = match fields.is_shared {
        Some(true) if before.token.is_none() => {
            let random: [u8; TOKEN_BYTES] = random::bytes().map_err(ApiError::internal)?;
            Some(URL_SAFE_NO_PAD.encode(random))
        }
        Some(false) => None,
        _ => before.token,
    };
    Ok(report::Model {
        name: name.unwrap_or(before.name),
        token,
        expires_at: expires_at.unwrap_or(before.expires_at),
        definition: definition.stored().map_err(ApiError::internal)?,
        ..before
    })
}
