//! Secrets in each text of each resource: whoever is shown one has read the resource.

use serde_json::{Value as Json, json};

use super::{
    Http,
    catalogue::{Ids, image},
    receiver::{Receiver, id},
};

/// A part of each text that is planted, and of none that a request writes.
pub(crate) const SECRET: &str = "s3cret";

/// The text that is planted in what an account has of a kind, such as `links`.
pub(crate) fn secret(name: &str, kind: &str) -> String {
    format!("{SECRET}-{name}-{kind}")
}

/// Makes one of each resource, with a delivery that has succeeded, and answers their ids.
pub(crate) async fn plant(server: &Http, token: &str, name: &str, receiver: &Receiver) -> Ids {
    let secret = |kind: &str| secret(name, kind);
    let url = |kind: &str, what: &str| {
        let secret = secret(kind);
        format!("https://{secret}.example.com/{what}?utm_medium={secret}&utm_term={secret}")
    };
    let post = async |path: &str, body: Json| {
        let answer = server.post(path, token, body).await;
        assert!(answer.status.is_success(), "{path}: {answer:?}");
        id(&answer.json()).to_owned()
    };
    let of_links = secret("links");
    let link = json!({
        "destinationUrl": url("links", "a"), "slug": of_links, "expiredUrl": url("links", "b"), "title": of_links,
        "notes": of_links, "externalId": of_links, "tags": [of_links],
    });
    let template = json!({ "name": of_links, "source": of_links, "campaign": of_links });
    let annotation = json!({ "occurredAt": "2026-11-24T07:00:00Z", "text": secret("analytics") });
    let report = json!({ "name": secret("analytics"), "filter": [{ "dimension": "TAG", "values": [of_links] }] });
    let of_webhooks = secret("webhooks");
    let hook =
        json!({ "name": of_webhooks, "url": receiver.url(&format!("/{of_webhooks}")), "events": ["link.created"] });
    let link = post("/links", link).await;
    let webhook = post("/webhooks", hook).await;
    let test = server.post(&format!("/webhooks/{webhook}/test"), token, Json::Null).await.expect(200).json();
    let domain = post("/domains", json!({ "domain": format!("{}.example", secret("domains")) })).await;
    post("/subdomain", json!({ "subdomain": secret("subdomain") })).await;
    for (path, kind) in [(format!("/domains/{domain}"), "domains"), ("/subdomain".to_owned(), "subdomain")] {
        let settings = json!({
            "rootUrl": url(kind, "r"), "notFoundUrl": url(kind, "n"), "expiredUrl": url(kind, "e"),
            "defaultTags": [secret(kind)],
        });
        server.call("PATCH", &path, token, settings).await.expect(200);
    }
    let key = json!({ "name": secret("domains"), "hosts": ["localhost"] });
    let host = format!("{}.example", secret("domains"));
    let app = json!({ "appId": format!("ABCDE12345.{}", secret("domains")) });
    let apps = server.call("PUT", &format!("/apps/hosts/{host}"), token, json!({ "iosApps": [app] })).await;
    apps.expect(200);
    let text = json!({ "page": "NOT_FOUND", "language": "en", "title": secret("domains") });
    let pages = server.call("PUT", &format!("/domains/hosts/{host}/pages"), token, json!({ "texts": [text] })).await;
    pages.expect(200);
    let ids = Ids::from([
        ("host", host),
        ("publishableKeyId", post("/apps/keys", key).await),
        ("linkId", link),
        ("tagId", post("/tags", json!({ "name": format!("{of_links} 1") })).await),
        ("otherTagId", post("/tags", json!({ "name": format!("{of_links} 2") })).await),
        ("utmTemplateId", post("/utm-templates", template).await),
        ("reportId", post("/reports", report).await),
        ("annotationId", post("/analytics/annotations", annotation).await),
        ("imageId", post("/images", json!({ "content": image(&[]) })).await),
        ("webhookId", webhook.clone()),
        ("deliveryId", id(&test).to_owned()),
        ("domainId", domain),
        ("importId", post("/imports", json!({})).await),
    ]);
    server.delivery_that(token, &json!({ "id": webhook }), "it has succeeded", |it| it["status"] == "SUCCEEDED").await;
    ids
}
