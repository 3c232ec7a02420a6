//! The sandbox's pages over HTTP. As with Stripe's, the address of a page can't be guessed, and is all that a request needs.

use std::{convert::Infallible, sync::Arc};

use axum::{
    Router,
    body::Body,
    extract::{FromRequestParts, Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
    routing::get,
};
use tracing::Instrument;

use crate::{
    app::App,
    base::error::ApiError,
    payments::sandbox::{
        Sandbox,
        books::{Action, Notice},
        ops::{self, Seen, Visit},
        pages as html,
    },
    platform::http::{edge, pages},
};

#[derive(Clone)]
struct Desk {
    app: Arc<App>,
    sandbox: Arc<Sandbox>,
}

/// The id in a page's address. Empty if it has characters that no id has; no object has that id.
struct Id(String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let found =
            Path::<String>::from_request_parts(parts, state).await.map_or_else(|_| String::new(), |path| path.0);
        let is_id = found.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        Ok(Id(if is_id { found } else { String::new() }))
    }
}

/// The routes of the pages: none unless the sandbox is the payment provider.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let Some(sandbox) = app.billing.sandbox() else { return Router::new() };
    Router::new()
        .route("/billing/sandbox/checkout/{session}", get(show_checkout).post(use_checkout))
        .route("/billing/sandbox/portal/{session}", get(show_portal).post(use_portal))
        .route("/billing/sandbox/invoice/{invoice}", get(show_invoice).post(use_invoice))
        .with_state(Desk { app: Arc::clone(app), sandbox: Arc::clone(sandbox) })
}

async fn show_checkout(State(desk): State<Desk>, Id(session): Id) -> Response {
    answer(async {
        Ok(match ops::checkout(&desk.sandbox, &session).await? {
            Seen::Open(_, offer) => page(StatusCode::OK, html::checkout(offer, false)),
            Seen::Over(_) => page(StatusCode::GONE, html::over()),
            Seen::Unknown => unknown(),
        })
    })
    .await
}

async fn use_checkout(State(desk): State<Desk>, Id(session): Id, headers: HeaderMap, body: Body) -> Response {
    answer(async {
        let outcome = field(&headers, body, "outcome").await?;
        match outcome.as_deref() {
            Some("pay") => {
                let paid = desk.finish(|sandbox| async move { ops::pay(&sandbox, &session).await }).await?;
                Ok(match paid {
                    Seen::Open(session, _) => see_other(&session.success_url),
                    // A second click gets the answer of the first.
                    Seen::Over(session) if session.status == "complete" => see_other(&session.success_url),
                    Seen::Over(_) => page(StatusCode::GONE, html::over()),
                    Seen::Unknown => unknown(),
                })
            }
            Some(word @ ("decline" | "cancel")) => match ops::checkout(&desk.sandbox, &session).await? {
                Seen::Open(session, _) if word == "cancel" => Ok(see_other(&session.cancel_url)),
                Seen::Open(session, offer) => {
                    let notice = ops::declined(&desk.sandbox, &session, offer)?;
                    desk.finish(|_| async move { Ok(((), vec![notice])) }).await?;
                    Ok(page(StatusCode::PAYMENT_REQUIRED, html::checkout(offer, true)))
                }
                Seen::Over(_) => Ok(page(StatusCode::GONE, html::over())),
                Seen::Unknown => Ok(unknown()),
            },
            _ => Ok(page(StatusCode::BAD_REQUEST, html::not_understood())),
        }
    })
    .await
}

async fn show_portal(State(desk): State<Desk>, Id(session): Id) -> Response {
    answer(desk.portal(&session, None)).await
}

async fn use_portal(State(desk): State<Desk>, Id(session): Id, headers: HeaderMap, body: Body) -> Response {
    answer(async {
        match field(&headers, body, "action").await?.as_deref().and_then(Action::parse) {
            Some(action) => desk.portal(&session, Some(action)).await,
            None => Ok(page(StatusCode::BAD_REQUEST, html::not_understood())),
        }
    })
    .await
}

async fn show_invoice(State(desk): State<Desk>, Id(invoice): Id) -> Response {
    answer(async {
        let found = ops::invoice(&desk.sandbox, &invoice).await?;
        Ok(found.map_or_else(unknown, |(invoice, _)| page(StatusCode::OK, html::invoice(&invoice))))
    })
    .await
}

async fn use_invoice(State(desk): State<Desk>, Id(invoice): Id, headers: HeaderMap, body: Body) -> Response {
    answer(async {
        if field(&headers, body, "action").await?.as_deref() != Some("pay") {
            return Ok(page(StatusCode::BAD_REQUEST, html::not_understood()));
        }
        let Some((found, customer)) = ops::invoice(&desk.sandbox, &invoice).await? else { return Ok(unknown()) };
        if found.status == "open" {
            desk.books(customer, Some(Action::Pay)).await?;
        }
        Ok(see_other(&format!("/billing/sandbox/invoice/{}", found.id)))
    })
    .await
}

impl Desk {
    async fn portal(&self, session: &str, action: Option<Action>) -> Result<Response, ApiError> {
        let customer = match ops::visit(&self.sandbox, session).await? {
            Visit::Of(customer) => customer,
            Visit::Over => return Ok(page(StatusCode::GONE, html::over())),
            Visit::Unknown => return Ok(unknown()),
        };
        let Some(shown) = self.books(customer, action).await? else {
            return Ok(page(StatusCode::GONE, html::over()));
        };
        Ok(match action {
            // So that a reload does not act again.
            Some(_) => see_other(&format!("/billing/sandbox/portal/{session}")),
            None => page(StatusCode::OK, shown),
        })
    }

    /// The portal's page, after an action and once its events are sent. `None`: the customer is unknown or deleted.
    async fn books(&self, customer: String, action: Option<Action>) -> Result<Option<String>, ApiError> {
        self.finish(|sandbox| async move {
            let Some(mut books) = ops::books(&sandbox, &customer, action).await? else {
                return Ok((None, Vec::new()));
            };
            let notices = std::mem::take(&mut books.notices);
            Ok((Some(html::portal(&books)), notices))
        })
        .await
    }

    /// Runs work and sends its events to the service, even if the browser disconnects meanwhile.
    async fn finish<T, W>(&self, work: impl FnOnce(Arc<Sandbox>) -> W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: Future<Output = Result<(T, Vec<Notice>), ApiError>> + Send + 'static,
    {
        let (work, sandbox) = (work(Arc::clone(&self.sandbox)), Arc::clone(&self.sandbox));
        let whole = async move {
            let (outcome, notices) = work.await?;
            sandbox.sender.send(notices).await;
            Ok(outcome)
        };
        self.app.background.spawn(whole.in_current_span()).await.map_err(ApiError::internal)?
    }
}

/// Renders errors as pages.
async fn answer(work: impl Future<Output = Result<Response, ApiError>>) -> Response {
    work.await.unwrap_or_else(|error| {
        let mut response = page(error.code.status(), html::failed(&error));
        if let Some(seconds) = error.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    })
}

/// A field of a form.
async fn field(headers: &HeaderMap, body: Body, name: &str) -> Result<Option<String>, ApiError> {
    let body = edge::read_body(headers, body, edge::MAX_BODY).await?;
    Ok(form_urlencoded::parse(&body).find(|(known, _)| known == name).map(|(_, value)| value.into_owned()))
}

fn page(status: StatusCode, html: String) -> Response {
    pages::strict(status, html)
}

fn unknown() -> Response {
    page(StatusCode::NOT_FOUND, html::unknown())
}

fn see_other(url: &str) -> Response {
    let Ok(location) = HeaderValue::try_from(url) else { return unknown() };
    (StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response()
}
