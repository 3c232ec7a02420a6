//! What a request may say of a link, be it a new one, one of several, or one that exists.

use entity::link;

use crate::{
    base::{config::AppSchemes, error::Violations, patch::Patch},
    records::links::{app, card, gate::GateValues, life::Life, texts::Texts, utm::UtmValues},
    redirect::{app_link::AppLink, card::Card},
};

/// Values for a link. The default says nothing: a new link has the usual values then, and another one keeps its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkValues {
    /// Whether it redirects.
    pub(crate) is_active: Option<bool>,
    /// When it begins and ends.
    pub(crate) life: Life,
    /// Its title, notes and external id.
    pub(crate) texts: Texts,
    /// Whether it forwards the query of a visit. Without a value, it follows its host.
    pub(crate) forwards_query: Patch<bool>,
    /// Questions to visitors before they are redirected.
    pub(crate) gate: GateValues,
    /// Its card for messengers and social networks.
    pub(crate) card: Patch<Card>,
    /// Apps that it opens, and the data for them.
    pub(crate) app: Patch<AppLink>,
    /// UTM parameters to write into the destination.
    pub(crate) utm: UtmValues,
}

impl LinkValues {
    /// Notes values that break a rule, but for those that need to know more than the request.
    pub(crate) fn check(&self, schemes: &AppSchemes, violations: &mut Violations) {
        self.utm.check("utm.", violations);
        self.life.check_limit(violations);
        self.texts.check(violations);
        self.gate.check(violations);
        if let Some(Some(card)) = &self.card {
            card::check(card, violations);
        }
        if let Some(Some(app)) = &self.app {
            app::check(app, schemes, violations);
        }
    }

    /// Writes the values into a link's row. `expired_url` is the one of [`Life`], checked and serialised. What is stored elsewhere, the limit of
    /// clicks, and what becomes a part of the destination are not written.
    pub(crate) fn write_into(&self, link: &mut link::Model, expired_url: Patch<String>) {
        if let Some(is_active) = self.is_active {
            link.is_active = is_active;
        }
        if let Some(forwards_query) = self.forwards_query {
            link.forwards_query = forwards_query;
        }
        if let Some(expired_url) = expired_url {
            link.expired_url = expired_url;
        }
        self.life.write_into(link);
        self.texts.write_into(link);
        self.gate.write_into(link);
        if let Some(card) = self.card.clone() {
            link.card = card.and_then(card::stored);
        }
        if let Some(app) = self.app.clone() {
            link.app = app.and_then(app::stored);
        }
    }
}
