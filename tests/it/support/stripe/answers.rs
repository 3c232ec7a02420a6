//! How the fake answers: what it checks of each request, what it does, and how that goes wrong.

use std::{io, sync::Arc, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Frame, Incoming},
    http::request::Parts,
};
use rand::Rng;
use serde_json::{Value as Json, json};
use tokio::time::sleep;

use super::{
    Asked, Fault, KEY, LIVE_KEY, Reply, State,
    truth::{PRICES, customer_json, invoice_json, subscription_json},
};

const VERSION: &str = "2025-03-31.basil";

pub(super) async fn serve(state: Arc<State>, request: Request<Incoming>) -> Result<Reply, io::Error> {
    let (head, body) = request.into_parts();
    let Ok(body) = body.collect().await else { return Err(io::ErrorKind::UnexpectedEof.into()) };
    let body = body.to_bytes();
    // A request is executed to its end, even if the client closes the connection.
    tokio::spawn(async move {
        let fault = next_fault(&state, &format!("{} {}", head.method, head.uri.path()));
        if let Some(Fault::Status(status, after)) = fault {
            note(&state, &head, &body);
            let mut reply = whole(status, &[], failure("api_error", "out of order").to_string());
            if let Some(after) = after {
                reply.headers_mut().insert("retry-after", after.parse().unwrap());
            }
            return Ok(reply);
        }
        {
            let mut at_once = state.at_once.lock().unwrap();
            at_once.0 += 1;
            at_once.1 = at_once.1.max(at_once.0);
        }
        let (status, headers, answer) = keyed(&state, &head, &body, &fault).await;
        state.at_once.lock().unwrap().0 -= 1;
        match fault {
            Some(Fault::Hang) => std::future::pending().await,
            Some(Fault::Reset) => Err(io::ErrorKind::ConnectionReset.into()),
            Some(Fault::Garbage) => Ok(whole(status, headers, "<html>It works!</html>".to_owned())),
            Some(Fault::Drip) => Ok(endless(b" ", Duration::from_millis(100))),
            Some(Fault::Endless) => Ok(endless(&[b' '; 65_536], Duration::ZERO)),
            _ => Ok(whole(status, headers, answer.to_string())),
        }
    })
    .await
    .unwrap()
}

fn whole(status: u16, headers: &[(&'static str, &'static str)], body: String) -> Reply {
    let mut reply =
        Response::builder().status(StatusCode::from_u16(status).unwrap()).header("content-type", "application/json");
    for (name, value) in headers {
        reply = reply.header(*name, *value);
    }
    reply.body(Full::new(Bytes::from(body)).boxed()).unwrap()
}

fn endless(chunk: &'static [u8], pause: Duration) -> Reply {
    let chunks = futures_util::stream::unfold((), move |()| async move {
        sleep(pause).await;
        Some((Ok(Frame::data(Bytes::from_static(chunk))), ()))
    });
    Response::new(BodyExt::boxed(StreamBody::new(Box::pin(chunks))))
}

fn next_fault(state: &State, request: &str) -> Option<Fault> {
    let mut faults = state.faults.lock().unwrap();
    let found = faults.iter_mut().find(|(of, _, left)| *left > 0 && request.starts_with(of.as_str()))?;
    found.2 -= 1;
    Some(found.1.clone())
}

fn failure(kind: &str, message: &str) -> Json {
    json!({ "error": { "type": kind, "message": message } })
}

fn note(state: &State, head: &Parts, body: &[u8]) -> Asked {
    let key = head.headers.get("idempotency-key").map_or("", |key| key.to_str().unwrap()).to_owned();
    let fields = if head.method == Method::POST { body } else { head.uri.query().unwrap_or_default().as_bytes() };
    let fields = form_urlencoded::parse(fields).into_owned().collect();
    let asked = Asked { method: head.method.clone(), path: head.uri.path().to_owned(), key, fields };
    state.asked.lock().unwrap().push(asked.clone());
    asked
}

type Headers = &'static [(&'static str, &'static str)];

/// Checks what Stripe checks of every request, and does each POST once for its key.
async fn keyed(state: &State, head: &Parts, body: &[u8], fault: &Option<Fault>) -> (u16, Headers, Json) {
    let asked = note(state, head, body);
    let header = |name: &str| head.headers.get(name).map_or("", |value| value.to_str().unwrap());
    let refused = |status, message: &str| (status, &[][..], failure("invalid_request_error", message));
    let key = if state.truth.lock().unwrap().livemode { LIVE_KEY } else { KEY };
    if header("authorization") != format!("Bearer {key}") {
        return refused(401, "Invalid API Key provided");
    }
    if header("stripe-version") != VERSION {
        return refused(400, "no such version");
    }
    let wait = state.slow.lock().unwrap().map_or(0, |(from, to)| rand::rng().random_range(from..=to));
    let wait = Duration::from_millis(wait);
    if head.method != Method::POST {
        let (status, answer) = act(state, &asked);
        sleep(wait).await;
        return (status, &[], answer);
    }
    if header("content-type") != "application/x-www-form-urlencoded" {
        return refused(400, "Invalid request: a form is expected");
    }
    if asked.key.is_empty() || asked.key.len() > 255 {
        return refused(400, "this fake takes no POST without an idempotency key");
    }
    {
        let mut keys = state.keys.lock().unwrap();
        match keys.get(&asked.key) {
            Some((path, fields, _)) if *path != asked.path || *fields != asked.fields => {
                return (400, &[], failure("idempotency_error", "Keys can only be used with the same parameters"));
            }
            Some((.., Some((status, answer)))) => return (*status, &[("idempotent-replayed", "true")], answer.clone()),
            Some((.., None)) => return (409, &[], failure("idempotency_error", "in progress")),
            None => keys.insert(asked.key.clone(), (asked.path.clone(), asked.fields.clone(), None)),
        };
    }
    let (status, answer) = match fault {
        Some(Fault::Kept(status)) => (*status, failure("api_error", "it failed in the midst of it")),
        _ => act(state, &asked),
    };
    sleep(wait).await;
    let mut keys = state.keys.lock().unwrap();
    if status == 400 || status == 404 {
        // Requests that were not begun are not kept.
        keys.remove(&asked.key);
    } else if let Some(kept) = keys.get_mut(&asked.key) {
        kept.2 = Some((status, answer.clone()));
    }
    (status, &[], answer)
}

fn missing(status: u16, param: &str, id: &str) -> (u16, Json) {
    let message = format!("No such {param}: '{id}'");
    (
        status,
        json!({ "error": { "type": "invalid_request_error", "code": "resource_missing", "param": param, "message": message } }),
    )
}

fn act(state: &State, asked: &Asked) -> (u16, Json) {
    let mut truth = state.truth.lock().unwrap();
    let field = |name: &str| asked.fields.get(name).map_or("", String::as_str);
    let allowed: &[&str] = match (asked.method.as_str(), asked.path.as_str()) {
        ("POST", "/v1/customers") => &["email", "name", "metadata[account]"],
        ("POST", "/v1/checkout/sessions") => &[
            "mode",
            "customer",
            "client_reference_id",
            "line_items[0][price]",
            "line_items[0][quantity]",
            "subscription_data[metadata][account]",
            "success_url",
            "cancel_url",
        ],
        ("POST", "/v1/billing_portal/sessions") => &["customer", "return_url"],
        ("GET", "/v1/subscriptions") => &["customer", "status", "limit"],
        ("GET", "/v1/invoices") => &["customer", "limit"],
        _ => &[],
    };
    if let Some(unknown) = asked.fields.keys().find(|name| !allowed.contains(&name.as_str())) {
        let error = json!({ "type": "invalid_request_error", "code": "parameter_unknown", "param": unknown });
        return (400, json!({ "error": error }));
    }
    let livemode = truth.livemode;
    let list = |data: Vec<Json>| json!({ "object": "list", "data": data, "has_more": false, "url": asked.path });
    let limit = field("limit").parse().unwrap_or(10);
    match (asked.method.as_str(), asked.path.as_str()) {
        ("POST", "/v1/customers") => {
            let id = truth.create(field("email"), field("metadata[account]"));
            (200, customer_json(&id, &truth.customers[&id], livemode))
        }
        ("GET", "/v1/subscriptions" | "/v1/invoices") if field("customer").is_empty() => (200, list(Vec::new())),
        ("GET", path) if path.starts_with("/v1/prices/") => {
            let id = &path["/v1/prices/".len()..];
            match PRICES.iter().find(|(known, ..)| *known == id) {
                Some((_, _, interval, amount)) => (
                    200,
                    json!({
                        "id": id, "object": "price", "active": true, "currency": "eur", "unit_amount": amount,
                        "type": "recurring", "recurring": { "interval": interval, "interval_count": 1 },
                    }),
                ),
                None => missing(404, "price", id),
            }
        }
        ("GET", path) if path.starts_with("/v1/customers/") => {
            let id = &path["/v1/customers/".len()..];
            truth
                .customers
                .get(id)
                .map_or_else(|| missing(404, "customer", id), |it| (200, customer_json(id, it, livemode)))
        }
        ("DELETE", path) if path.starts_with("/v1/customers/") => {
            let id = &path["/v1/customers/".len()..];
            if truth.customers.get(id).is_none_or(|it| it.deleted) {
                return missing(404, "customer", id);
            }
            truth.delete(id, 0);
            (200, customer_json(id, &truth.customers[id], livemode))
        }
        (_, path) => {
            let id = field("customer");
            let Some(customer) = truth.customers.get(id).filter(|it| !it.deleted || asked.method == Method::GET) else {
                return missing(400, "customer", id);
            };
            let (customer, id) = (customer.clone(), id.to_owned());
            match (asked.method.as_str(), path) {
                ("GET", "/v1/subscriptions") => {
                    let all =
                        customer.subscriptions.iter().rev().filter(|it| field("status") == "all" || !it.is_over());
                    (200, list(all.take(limit).map(|it| subscription_json(&id, it, livemode)).collect()))
                }
                ("GET", "/v1/invoices") => (
                    200,
                    list(
                        customer.invoices.iter().rev().take(limit).map(|it| invoice_json(&id, it, livemode)).collect(),
                    ),
                ),
                ("POST", "/v1/checkout/sessions") => {
                    let price = field("line_items[0][price]");
                    let is_url = |name: &str| field(name).starts_with("http");
                    if !PRICES.iter().any(|(known, ..)| *known == price) {
                        return missing(400, "line_items[0][price]", price);
                    }
                    if field("mode") != "subscription"
                        || field("line_items[0][quantity]") != "1"
                        || !is_url("success_url")
                        || !is_url("cancel_url")
                    {
                        return (400, failure("invalid_request_error", "not a valid checkout"));
                    }
                    let session = truth.id("cs_test");
                    state.sessions.lock().unwrap().insert(session.clone(), (id.clone(), price.to_owned()));
                    let url = format!("https://checkout.example.com/c/pay/{session}");
                    (
                        200,
                        json!({ "id": session, "object": "checkout.session", "url": url, "customer": id, "mode": "subscription" }),
                    )
                }
                ("POST", "/v1/billing_portal/sessions") => {
                    let session = truth.id("bps");
                    let url = format!("https://billing.example.com/p/session/{session}");
                    (
                        200,
                        json!({ "id": session, "object": "billing_portal.session", "url": url, "return_url": field("return_url") }),
                    )
                }
                _ => (404, failure("invalid_request_error", "Unrecognized request URL")),
            }
        }
    }
}
