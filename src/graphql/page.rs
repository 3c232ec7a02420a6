//! Numbered pages: the arguments that lists take and the keys that they answer.

use async_graphql::{Context, OutputType, SimpleObject};

use crate::{
    analytics::types::ClickEvent,
    api_keys::types::ApiKey,
    error::{ApiError, Violations},
    graphql::{directives::example, scalars::count},
    links::types::Link,
};

/// Items a page has when nothing is asked.
pub const DEFAULT_PAGE_SIZE: i32 = 20;
/// Items a page has at most.
pub const MAX_PAGE_SIZE: i32 = 100;

/// One page of a list.
#[derive(SimpleObject, Debug)]
#[graphql(concrete(name = "LinkPageResult", params(Link)))]
#[graphql(concrete(name = "ClickPageResult", params(ClickEvent)))]
#[graphql(concrete(name = "ApiKeyPageResult", params(ApiKey)))]
pub struct Page<T: OutputType> {
    /// The items of this page; empty past the end.
    pub data: Vec<T>,
    /// Number of items on all pages.
    #[graphql(directive = example::apply("1".into()))]
    pub total: i32,
    /// Number of this page, from 1.
    #[graphql(directive = example::apply("1".into()))]
    pub page: i32,
    /// Items a page has at most, as requested.
    #[graphql(directive = example::apply("20".into()))]
    pub page_size: i32,
    /// `total / pageSize`, rounded up.
    #[graphql(directive = example::apply("1".into()))]
    pub total_pages: i32,
}

/// A page number and size within their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageArgs {
    page: i32,
    size: i32,
}

impl PageArgs {
    /// Checks both; `size_name` is what the caller knows the size as.
    pub fn new(page: i32, size: i32, size_name: &str) -> Result<Self, ApiError> {
        let mut violations = Violations::default();
        if page < 1 {
            violations.add("page", "must be at least 1");
        }
        if !(1..=MAX_PAGE_SIZE).contains(&size) {
            violations.add(size_name, format!("must be between 1 and {MAX_PAGE_SIZE}"));
        }
        violations.finish()?;
        Ok(PageArgs { page, size })
    }

    /// Items to skip.
    pub fn offset(self) -> u64 {
        (i64::from(self.page) - 1).unsigned_abs() * u64::from(self.size.unsigned_abs())
    }

    /// Items to take.
    pub fn limit(self) -> u64 {
        u64::from(self.size.unsigned_abs())
    }

    /// Puts a page together.
    pub fn wrap<T: OutputType>(self, data: Vec<T>, total: i64) -> Page<T> {
        let size = i64::from(self.size);
        Page {
            data,
            total: count(total),
            page: self.page,
            page_size: self.size,
            total_pages: count((total + size - 1) / size),
        }
    }
}

/// Whether the query asks for a page's items, and for its totals: what is not shown is not loaded.
pub fn wanted(ctx: &Context<'_>) -> (bool, bool) {
    let ahead = ctx.look_ahead();
    (ahead.field("data").exists(), ahead.field("total").exists() || ahead.field("totalPages").exists())
}
