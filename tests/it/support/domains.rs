//! Custom domains and other hosts of an account.

use serde_json::{Value as Json, json};

use super::{
    Http, TestDatabase, TestServer,
    dns::{
        RecordType::{CNAME, TXT},
        TestDns,
    },
    receiver::id,
};

pub(crate) const NAME: &str = "go.example.com";

pub(crate) async fn start(database: &TestDatabase, dns: &TestDns) -> TestServer {
    database.start_with(&[("LINKGRAPH_DNS_SERVER", &dns.setting()), ("LINKGRAPH_DEFAULT_PLAN", "business")]).await
}

pub(crate) async fn add(http: &Http, token: &str, name: &str) -> Json {
    http.post("/domains", token, json!({ "domain": name })).await.expect(201).json()
}

pub(crate) async fn get(http: &Http, token: &str, domain: &Json) -> Json {
    http.get(&format!("/domains/{}", id(domain)), token).await.expect(200).json()
}

pub(crate) async fn verify(http: &Http, token: &str, domain: &Json) -> Json {
    http.post(&format!("/domains/{}/verify", id(domain)), token, Json::Null).await.expect(200).json()
}

/// Sets what proves the name for these domains, and leads here.
pub(crate) fn prove(dns: &TestDns, name: &str, domains: &[&Json]) {
    let tokens: Vec<&str> = domains.iter().map(|domain| text(domain)).collect();
    dns.set(TXT, &format!("_linkgraph.{name}"), &tokens);
    dns.set(CNAME, name, &["sho.rt"]);
}

pub(crate) async fn link(http: &Http, token: &str, name: &str, slug: &str) {
    let body = json!({ "destinationUrl": format!("https://example.org/{slug}"), "slug": slug, "domain": name });
    http.post("/links", token, body).await.expect(201);
}

pub(crate) fn text(domain: &Json) -> &str {
    domain["verificationToken"].as_str().unwrap()
}

/// The own host, a custom domain and a subdomain.
pub(crate) async fn hosts(server: &TestServer, token: &str, dns: &TestDns) -> [String; 3] {
    let domain = add(server, token, "go.example.com").await;
    prove(dns, "go.example.com", &[&domain]);
    assert_eq!(verify(server, token, &domain).await["status"], "ACTIVE");
    server.post("/subdomain", token, json!({ "subdomain": "ada" })).await.expect(201);
    server.post("/subdomain/activate", token, Json::Null).await.expect(200);
    ["sho.rt", "go.example.com", "ada.sho.rt"].map(str::to_owned)
}

pub(crate) async fn start_with_subdomains(database: &TestDatabase, dns: &TestDns) -> TestServer {
    let settings = [
        ("LINKGRAPH_SUBDOMAIN_HOST", "sho.rt"),
        ("LINKGRAPH_DNS_SERVER", &*dns.setting()),
        ("LINKGRAPH_DEFAULT_PLAN", "unlimited"),
    ];
    database.start_with(&settings).await
}

/// Changes the settings of a host, a domain or else the subdomain, over REST or GraphQL.
pub(crate) async fn set(server: &Http, token: &str, host: &str, through_graphql: bool, input: Json) -> Json {
    let domains = server.get("/domains?fields=id,domain", token).await.expect(200).json();
    let domain = domains["data"].as_array().unwrap().iter().find(|domain| domain["domain"] == host).cloned();
    if !through_graphql {
        let path = domain.map_or("/subdomain".to_owned(), |domain| format!("/domains/{}", id(&domain)));
        return server.call("PATCH", &path, token, input).await.expect(200).json()["settings"].clone();
    }
    let fields = "settings { rootUrl notFoundUrl expiredUrl faviconUrl robotsText securityContact ignoresCase defaultTags forwardsQuery }";
    let (query, variables) = match domain {
        Some(domain) => (
            format!(
                "mutation($id: ID!, $input: UpdateHostInput!) {{ it: updateDomain(id: $id, input: $input) {{ {fields} }} }}"
            ),
            json!({ "id": domain["id"], "input": input }),
        ),
        None => (
            format!("mutation($input: UpdateHostInput!) {{ it: updateSubdomain(input: $input) {{ {fields} }} }}"),
            json!({ "input": input }),
        ),
    };
    let answer = server.graphql(token, &query, variables).await;
    assert!(answer["errors"].is_null(), "{answer}");
    answer["data"]["it"]["settings"].clone()
}
