//! Accounts of links, and the UTM parameters of their destinations.

use std::collections::HashMap;

use entity::click;
use foldhash::fast::RandomState;
use uuid::Uuid;

use crate::clicks::texts::kept_utm;

/// Accounts by link.
pub(super) type Owners = HashMap<Uuid, Uuid, RandomState>;

/// UTM parameters of the destinations that have some, by link.
#[derive(Debug, Default)]
pub(super) struct Tagged(HashMap<Uuid, [Option<String>; 5], RandomState>);

impl Tagged {
    /// Notes the destination of a link.
    pub(super) fn note(&mut self, link: Uuid, destination: &str) {
        let url = destination.split_once('#').map_or(destination, |(url, _)| url);
        let Some((_, query)) = url.split_once('?') else { return };
        let values = kept_utm(query).map(|value| (!value.is_empty()).then(|| value.into_owned()));
        if values.iter().any(Option::is_some) {
            self.0.insert(link, values);
        }
    }

    /// Gives clicks that came without UTM parameters those of the destination.
    pub(super) fn complete(&self, clicks: &mut [click::Model]) {
        if self.0.is_empty() {
            return;
        }
        for click in clicks {
            let Some(values) = self.0.get(&click.link_id) else { continue };
            let own = [
                &mut click.utm_source,
                &mut click.utm_medium,
                &mut click.utm_campaign,
                &mut click.utm_term,
                &mut click.utm_content,
            ];
            if own.iter().all(|own| own.is_none()) {
                own.into_iter().zip(values).for_each(|(own, value)| own.clone_from(value));
            }
        }
    }
}
