//! Events about clicks, for webhooks.

use entity::click;

use crate::{
    app::App,
    base::error::ApiError,
    features::{analytics::types::LinkClickPayload, links::link::Link},
    platform::work::{event_kind::EventKind, outbox::Event},
    records::links::repo::ShownLink,
};

pub(crate) fn clicked(click: &click::Model, shown: &ShownLink, app: &App) -> Result<Event, ApiError> {
    let payload = LinkClickPayload { click: Box::new(click.clone().into()), link: Link::new(shown.clone(), app) };
    Event::new(EventKind::LinkClicked, shown.link.id, &payload)
}
