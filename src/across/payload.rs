//! Payloads that are sent to webhooks: one type for each kind of event.

use async_graphql::{SimpleObject, Union};
use serde::{Deserialize, Serialize};

use crate::{
    features::{
        analytics::types::LinkClickPayload,
        api_keys::types::ApiKey,
        billing::subscription::{Invoice, Subscription},
        domains::types::CustomDomain,
        imports::types::Import,
        links::link::Link,
        subdomains::types::SubdomainClaim,
        webhooks::webhook::Webhook,
    },
    graphql::{
        directives::{event, example},
        page::Paged,
        scalars::Timestamp,
    },
    platform::{
        auth::{
            access::{
                Permission::{Scope, UserToken},
                access,
            },
            scope::Scope::{AnalyticsRead, ApiKeysManage, DomainsRead, LinksRead, SubdomainRead, WebhooksRead},
        },
        work::event_kind::{EventKind, for_each_event},
    },
};

macro_rules! payloads {
    ($($(#[$doc:meta])* $kind:ident $name:literal [$($permission:expr),+] $payload:ident($data:ty))*) => {
        $(
            $(#[$doc])*
            #[derive(SimpleObject, Clone, Debug, Serialize, Deserialize)]
            #[graphql(directive = event::apply($name.into()))]
            pub struct $payload {
                /// Name of the event.
                #[graphql(name = "type", directive = example::apply($name.into()))]
                #[serde(rename = "type")]
                kind: String,
                /// When it happened.
                timestamp: Timestamp,
                /// What it is about, as it was then.
                #[graphql($(directive = access::apply($permission.credential(), None, $permission.scope(), None)),+)]
                pub data: $data,
            }
        )*

        /// What is sent to a webhook, as the body of a POST: one type for each event.
        #[derive(Union, Clone, Debug)]
        pub enum EventPayload {$(
            $(#[$doc])*
            $kind($payload),
        )*}

        impl EventPayload {
            /// The payload of a recorded event.
            pub fn read(kind: EventKind, body: &str) -> serde_json::Result<Self> {
                Ok(match kind { $(EventKind::$kind => EventPayload::$kind(serde_json::from_str(body)?),)* })
            }
        }
    };
}

for_each_event!(payloads);

impl Paged for EventPayload {
    const PAGE: &str = "EventPayloadPageResult";
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Bodies as they were stored before hosts had `updatedAt`.
    #[test]
    fn bodies_of_earlier_versions_are_read() {
        let domain = json!({ "id": "1", "domain": "go.example.com", "status": "ACTIVE", "verificationToken": "t", "dnsRecords": [],
            "createdAt": "2026-11-20T14:33:38.125Z", "activatedAt": null, "failingSince": null, "checkedAt": null });
        let subdomain = json!({ "id": "1", "subdomain": "ada", "host": "ada.localhost", "status": "ACTIVE",
            "claimedAt": "2026-11-20T14:33:38.125Z", "activatedAt": null });
        for (kind, name, data) in [
            (EventKind::DomainActivated, "domain.activated", domain),
            (EventKind::SubdomainUpdated, "subdomain.updated", subdomain),
        ] {
            let body = json!({ "type": name, "timestamp": "2026-11-20T14:33:38.125Z", "data": data }).to_string();
            let read = EventPayload::read(kind, &body);
            assert!(read.is_ok(), "{name}: {read:?}");
        }
    }
}
