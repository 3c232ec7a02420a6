//! Pages of clicks of many links: one query for each page number and size that a request asks for.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use ::dataloader::BatchFn;
use async_graphql::Context;

use crate::{
    app::App,
    base::{
        error::ApiError,
        ids::{AccountId, LinkId},
        page::{PageArgs, Selected},
    },
    click_store::{ShownClick, stored_repo},
    features::analytics::types::ClickEvent,
    graphql::{
        load::{Loaded, answer, load, load_keys},
        page::Page,
    },
    records::links,
};

/// One page of one link's clicks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ClickPageKey {
    pub(crate) link: LinkId,
    pub(crate) args: PageArgs,
    /// The parts of the page to load.
    pub(crate) selected: Selected,
}

/// Clicks of a page, and the number on all pages.
pub(crate) type Clicks = (Arc<Vec<ShownClick>>, i64);

impl ClickPageKey {
    /// Loads the page as a nested field.
    pub(crate) async fn load(self, ctx: &Context<'_>) -> Result<Page<ClickEvent>, ApiError> {
        let (clicks, total) = load(ctx, self).await?;
        Ok(Page::new(self.args, clicks.iter().cloned().map(ClickEvent::from).collect(), total))
    }
}

/// Loads pages of clicks of one account's links.
pub(crate) struct ClickPageBatch {
    /// The application's shared state.
    pub(crate) app: Arc<App>,
    /// The account whose links' clicks are loaded.
    pub(crate) account: AccountId,
}

impl ClickPageBatch {
    async fn pages(&self, keys: &[ClickPageKey]) -> Result<HashMap<ClickPageKey, Clicks>, ApiError> {
        let db = self.app.db.read();
        let ids: Vec<LinkId> = keys.iter().map(|key| key.link).collect::<HashSet<_>>().into_iter().collect();
        let links = links::repo::links(db, self.account, &ids).await?;
        let totals: HashMap<LinkId, i64> =
            links.into_iter().map(|link| (LinkId(link.id), link.click_count - link.expired_clicks)).collect();
        let mut by_page: BTreeMap<(u64, u64), Vec<&ClickPageKey>> = BTreeMap::new();
        for key in keys {
            by_page.entry((key.args.offset(), key.args.limit())).or_default().push(key);
        }
        let mut loaded = HashMap::new();
        for group in by_page.into_values() {
            let wanting: HashMap<LinkId, i64> = group
                .iter()
                .filter(|key| key.selected.items)
                .filter_map(|key| Some((key.link, *totals.get(&key.link)?)))
                .collect();
            let clicks = match group.first() {
                Some(first) if !wanting.is_empty() => stored_repo::pages(db, &wanting, first.args).await?,
                _ => HashMap::new(),
            };
            let mut clicks: HashMap<_, _> = clicks.into_iter().map(|(link, page)| (link, Arc::new(page))).collect();
            for key in group {
                let page = if key.selected.items { clicks.remove(&key.link.0) } else { None };
                loaded.insert(*key, (page.unwrap_or_default(), totals.get(&key.link).copied().unwrap_or_default()));
            }
        }
        Ok(loaded)
    }
}

load_keys! {
    ClickPageBatch:
    ClickPageKey => Clicks
}

impl BatchFn<ClickPageKey, Loaded<Clicks>> for ClickPageBatch {
    async fn load(&mut self, keys: &[ClickPageKey]) -> HashMap<ClickPageKey, Loaded<Clicks>> {
        answer(keys, self.pages(keys).await, &Clicks::default())
    }
}
