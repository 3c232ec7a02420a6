//! What others are told of clicks.

use entity::{click, link};

use crate::{
    analytics::types::LinkClickPayload, app::App, error::ApiError, events::EventKind, links::types::Link, outbox::Event,
};

/// The event of a click on the link.
pub fn clicked(click: &click::Model, link: &link::Model, app: &App) -> Result<Event, ApiError> {
    let payload = LinkClickPayload { click: click.clone().into(), link: Link::new(link.clone(), app) };
    Event::new(EventKind::LinkClicked, link.id, &payload)
}
