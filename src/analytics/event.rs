//! Events about clicks, for webhooks.

use entity::click;

use crate::{
    analytics::types::LinkClickPayload,
    app::App,
    error::ApiError,
    links::{link::Link, repo::ShownLink},
    work::{event_kind::EventKind, outbox::Event},
};

pub(crate) fn clicked(click: &click::Model, shown: &ShownLink, app: &App) -> Result<Event, ApiError> {
    let payload = LinkClickPayload { click: Box::new(click.clone().into()), link: Link::new(shown.clone(), app) };
    Event::new(EventKind::LinkClicked, shown.link.id, &payload)
}
