//! The choice of events of its account that a webhook gets.

use std::collections::HashSet;

use entity::webhook;
use uuid::Uuid;

use crate::platform::work::event_kind::EventKind;

/// The events that a webhook asks for.
#[derive(Debug)]
pub(crate) struct Interest {
    kinds: Vec<EventKind>,
    /// Links whose events it gets; None: of all links. Other events are not narrowed.
    links: Option<HashSet<Uuid>>,
    excludes_bots: bool,
}

impl Interest {
    /// As it is stored.
    pub(crate) fn of(webhook: &webhook::Model) -> Self {
        let links = webhook.link_ids.as_deref();
        Interest {
            kinds: webhook.events.split(' ').filter_map(EventKind::parse).collect(),
            links: links.map(|ids| ids.split(' ').filter_map(|id| id.parse().ok()).collect()),
            excludes_bots: webhook.exclude_bots,
        }
    }

    /// Whether it asks for the event about this resource. Whether a bot made the event is looked at only if that matters.
    pub(crate) fn includes(&self, kind: EventKind, subject: Uuid, is_of_bot: impl FnOnce() -> bool) -> bool {
        self.kinds.contains(&kind)
            && !self.links.as_ref().is_some_and(|links| kind.is_about_link() && !links.contains(&subject))
            && !(self.excludes_bots && kind == EventKind::LinkClicked && is_of_bot())
    }
}
