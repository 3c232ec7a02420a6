//! Links that are being created, those of one account together.

use std::sync::Arc;

use crate::{
    base::{error::ApiError, ids::AccountId, validate::MAX_URL},
    platform::{db::batch::Batches, work::audit::Act},
    records::links::{if_exists::IfExists, repo::ShownLink, values::LinkValues},
    redirect::{app_link::AppLink, card::Card},
};

/// Groups of accounts whose links are created independently.
const CREATION_GROUPS: usize = 64;
/// Links created in one transaction, as in a bulk.
const MAX_TOGETHER: usize = 100;
/// Bytes of the longest text that a valid field can have: four for each character of the longest destination.
const MAX_TEXT: usize = 4 * MAX_URL.unsigned_abs() as usize;

/// A link to create.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewLink {
    /// Destination URL, as written.
    pub(crate) destination_url: Option<String>,
    /// Chosen slug; `None` for a random one.
    pub(crate) slug: Option<String>,
    /// Host; `None` for the service's own.
    pub(crate) domain: Option<String>,
    /// Names of its tags.
    pub(crate) tags: Vec<String>,
    /// The request's choice for the case that there is such a link.
    pub(crate) if_exists: IfExists,
    /// Whether the caller may read links: a link that exists is returned to nobody else.
    pub(crate) may_read: bool,
    /// All other values.
    pub(crate) values: LinkValues,
}

impl NewLink {
    /// Its id in another system.
    pub(crate) fn external_id(&self) -> Option<&str> {
        self.values.texts.external_id.as_ref()?.as_deref()
    }

    /// Its URLs, as written.
    pub(crate) fn urls(&self) -> impl Iterator<Item = &str> {
        let expired_url = self.values.life.expired_url.iter().flatten();
        self.destination_url.iter().chain(expired_url).map(String::as_str)
    }

    /// Whether one of its texts is longer than any valid one.
    pub(crate) fn is_large(&self) -> bool {
        let LinkValues { life, texts, gate, card, app, .. } = &self.values;
        let values = [&life.expired_url, &texts.title, &texts.notes, &texts.external_id, &gate.notice];
        let own = [&self.destination_url, &self.slug, &self.domain].into_iter().chain(values.into_iter().flatten());
        let card = card.iter().flatten().flat_map(|Card { title, description, image_url }| {
            [Some(title), description.as_ref(), image_url.as_ref()].into_iter().flatten()
        });
        let app = app.iter().flatten().flat_map(|app| {
            let AppLink { ios_uri, ios_store_url, android_uri, android_package, data } = app;
            [ios_uri, ios_store_url, android_uri, android_package, data].into_iter().flatten()
        });
        own.flatten().chain(card).chain(app).any(|text| text.len() > MAX_TEXT)
    }
}

/// Links that wait to be created, in groups by account: links that an account creates at the same time share a transaction, and so
/// its commit and the lock of the account's row.
pub(crate) struct Creations(Vec<Arc<Batches<Creation, Result<Answered, ApiError>>>>);

pub(crate) type Creation = (Act, NewLink);

/// The result of creating one link: the stored link, or the error.
pub(crate) type Created = Result<ShownLink, ApiError>;

/// The link that a request to create one gets.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    pub(crate) shown: ShownLink,
    /// Whether the request made it.
    pub(crate) is_new: bool,
}

impl Default for Creations {
    fn default() -> Self {
        Creations((0..CREATION_GROUPS).map(|_| Batches::new(MAX_TOGETHER)).collect())
    }
}

impl Creations {
    /// The group of the account.
    pub(crate) fn of(&self, account: AccountId) -> Option<&Arc<Batches<Creation, Result<Answered, ApiError>>>> {
        // The last bytes of a UUIDv7 are random.
        self.0.get(usize::from(account.0.as_bytes()[15]) % self.0.len())
    }
}
