//! Fields of links that lead to the host and the tags that links name.

use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase,
        dns::TestDns,
        domains::{hosts, start_with_subdomains},
    },
};

const QUERY: &str = "{ links(sort: OLDEST) { data { slug host { name domain { domain status settings { rootUrl } } subdomain { host status } }
    tagList { name linkCount } } } }";

#[on_each_database]
async fn a_link_leads_to_its_host_and_its_tags(database: TestDatabase) {
    let dns = TestDns::start().await;
    let server = start_with_subdomains(&database, &dns).await;
    let token = server.register("ada").await;
    let [own, domain, subdomain] = hosts(&server, &token, &dns).await;
    for (host, tags) in [(&own, json!([])), (&domain, json!(["sale", "Autumn"])), (&subdomain, json!(["SALE"]))] {
        server.link_with(&token, "spring", json!({ "domain": host, "tags": tags })).await;
    }
    let answer = server.graphql(&token, QUERY, json!({})).await;
    let of = |host: &str, domain: Json, subdomain: Json, tags: Json| json!({ "slug": "spring", "host": { "name": host, "domain": domain, "subdomain": subdomain }, "tagList": tags });
    let custom = json!({ "domain": domain, "status": "ACTIVE", "settings": { "rootUrl": null } });
    let expected = json!([
        of(&own, Json::Null, Json::Null, json!([])),
        of(
            &domain,
            custom,
            Json::Null,
            json!([{ "name": "Autumn", "linkCount": 1 }, { "name": "sale", "linkCount": 2 }])
        ),
        of(
            &subdomain,
            Json::Null,
            json!({ "host": subdomain, "status": "ACTIVE" }),
            json!([{ "name": "sale", "linkCount": 2 }])
        ),
    ]);
    assert_eq!(answer["data"]["links"]["data"], expected, "{answer}");
    // Links of a host that is the account's no more keep its name.
    server.call("DELETE", "/subdomain", &token, Json::Null).await.expect(204);
    let answer = server.graphql(&token, QUERY, json!({})).await;
    assert_eq!(
        answer["data"]["links"]["data"][2]["host"],
        json!({ "name": subdomain, "domain": null, "subdomain": null })
    );
    // A key reads of another resource what it may.
    let key = server.api_key(&token, &["links:read"]).await;
    let allowed = server.graphql(&key, "{ links { total data { host { name } tagList { name } } } }", json!({})).await;
    assert_eq!(allowed["data"]["links"]["total"], 3, "{allowed}");
    for field in ["domain { domain }", "subdomain { host }"] {
        let query = format!("{{ links {{ data {{ host {{ {field} }} }} }} }}");
        let refused = server.graphql(&key, &query, json!({})).await;
        assert_eq!(refused["errors"][0]["extensions"]["code"], "FORBIDDEN", "{refused}");
    }
}
