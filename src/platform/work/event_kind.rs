//! The events that webhooks can ask for: one table of names, each with the permissions to read its data and the type of its
//! payload. What is recorded, sent, and shown in the schema is this.

use crate::platform::auth::{
    access::Permission::{self, Scope, UserToken},
    scope::Scope::{AnalyticsRead, ApiKeysManage, DomainsRead, LinksRead, SubdomainRead, WebhooksRead},
};

/// Longest data of an event, in bytes. Standard Webhooks recommends 20 kB at most for a payload ("Payload size"): only a click of
/// a link, or a domain, whose texts and URLs are all as long as they may be has more.
pub const MAX_DATA: usize = 24_500;

/// Hands the table to a macro: of each event its description, kind, name, permissions, and the type of its payload with that of
/// the payload's data. [`EventKind`] is one use of it, the payloads are the other.
macro_rules! for_each_event {
    ($expand:ident) => {
        $expand! {
            /// A link was created.
            LinkCreated "link.created" [Scope(LinksRead)] LinkCreatedEventPayload(Link)
            /// A link was changed.
            LinkUpdated "link.updated" [Scope(LinksRead)] LinkUpdatedEventPayload(Link)
            /// A link expired: `expiresAt` has passed. Sent within two minutes; not for a link that was made or changed after that time.
            LinkExpired "link.expired" [Scope(LinksRead)] LinkExpiredEventPayload(Link)
            /// A link was followed for the last time that `maxClicks` allows.
            LinkUsedUp "link.used_up" [Scope(LinksRead)] LinkUsedUpEventPayload(Link)
            /// A link was deleted.
            LinkDeleted "link.deleted" [Scope(LinksRead)] LinkDeletedEventPayload(Link)
            /// A link was followed. Sent within seconds, for each click; those of bots included, unless `excludeBots` leaves them out.
            LinkClicked "link.clicked" [Scope(LinksRead), Scope(AnalyticsRead)] LinkClickedEventPayload(LinkClickPayload)
            /// An import of links ended: its `state` says how.
            ImportFinished "import.finished" [Scope(LinksRead)] ImportFinishedEventPayload(Import)
            /// A custom domain was added.
            DomainCreated "domain.created" [Scope(DomainsRead)] DomainCreatedEventPayload(CustomDomain)
            /// DNS proved a custom domain: its links are served from now on.
            DomainActivated "domain.activated" [Scope(DomainsRead)] DomainActivatedEventPayload(CustomDomain)
            /// A custom domain fails its checks; its `status` says whether links are still served.
            DomainFailing "domain.failing" [Scope(DomainsRead)] DomainFailingEventPayload(CustomDomain)
            /// The settings of a custom domain were changed.
            DomainUpdated "domain.updated" [Scope(DomainsRead)] DomainUpdatedEventPayload(CustomDomain)
            /// A custom domain was deleted.
            DomainDeleted "domain.deleted" [Scope(DomainsRead)] DomainDeletedEventPayload(CustomDomain)
            /// A subdomain was claimed.
            SubdomainClaimed "subdomain.claimed" [Scope(SubdomainRead)] SubdomainClaimedEventPayload(SubdomainClaim)
            /// A subdomain was activated: its links are served from now on.
            SubdomainActivated "subdomain.activated" [Scope(SubdomainRead)] SubdomainActivatedEventPayload(SubdomainClaim)
            /// The settings of a subdomain were changed.
            SubdomainUpdated "subdomain.updated" [Scope(SubdomainRead)] SubdomainUpdatedEventPayload(SubdomainClaim)
            /// A subdomain was released.
            SubdomainReleased "subdomain.released" [Scope(SubdomainRead)] SubdomainReleasedEventPayload(SubdomainClaim)
            /// An API key was created.
            ApiKeyCreated "api_key.created" [Scope(ApiKeysManage)] ApiKeyCreatedEventPayload(ApiKey)
            /// An API key was revoked.
            ApiKeyRevoked "api_key.revoked" [Scope(ApiKeysManage)] ApiKeyRevokedEventPayload(ApiKey)
            /// The account's subscription began, changed or ended.
            SubscriptionUpdated "subscription.updated" [UserToken] SubscriptionUpdatedEventPayload(Subscription)
            /// An invoice was paid.
            InvoicePaid "invoice.paid" [UserToken] InvoicePaidEventPayload(Invoice)
            /// The service disabled a webhook: its receiver is gone, or has failed for days.
            WebhookDisabled "webhook.disabled" [Scope(WebhooksRead)] WebhookDisabledEventPayload(Webhook)
            /// A test of the webhook itself was asked for. It is sent to that webhook alone, whatever events it asks for.
            WebhookTest "webhook.test" [Scope(WebhooksRead)] WebhookTestEventPayload(Webhook)
        }
    };
}
pub(crate) use for_each_event;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal [$($permission:expr),+] $payload:ident($data:ty))*) => {
        /// All events.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum EventKind {$(
            $(#[$doc])*
            $kind,
        )*}

        impl EventKind {
            /// All of them, in the order of the documentation.
            pub const ALL: &'static [EventKind] = &[$(EventKind::$kind,)*];

            /// The event's name.
            pub const fn as_str(self) -> &'static str {
                match self { $(EventKind::$kind => $name,)* }
            }

            /// The permissions to read its data: a webhook that gets it is for callers who have them.
            pub(crate) const fn permissions(self) -> &'static [Permission] {
                match self { $(EventKind::$kind => &[$($permission),+],)* }
            }

            /// Whether it is about a link.
            pub(crate) const fn is_about_link(self) -> bool {
                matches!(
                    self,
                    EventKind::LinkCreated
                        | EventKind::LinkUpdated
                        | EventKind::LinkExpired
                        | EventKind::LinkUsedUp
                        | EventKind::LinkDeleted
                        | EventKind::LinkClicked
                )
            }

            /// The event with this name.
            pub fn parse(text: &str) -> Option<EventKind> {
                EventKind::ALL.iter().copied().find(|kind| kind.as_str() == text)
            }
        }
    };
}

for_each_event!(kinds);
