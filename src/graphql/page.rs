//! Numbered pages: the keys that lists answer.

use std::borrow::Cow;

use async_graphql::{Context, OutputType, SimpleObject, TypeName};

use crate::{
    graphql::{directives::example, scalars::count},
    page::PageArgs,
};

/// An item of a list that is read by pages.
pub trait Paged: OutputType {
    /// The name of the type of a page.
    const PAGE: &'static str;
}

/// One page of a list.
#[derive(SimpleObject, Debug)]
#[graphql(name_type)]
pub struct Page<T: Paged> {
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

impl<T: Paged> TypeName for Page<T> {
    fn type_name() -> Cow<'static, str> {
        T::PAGE.into()
    }
}

impl<T: Paged> Page<T> {
    /// Puts a page together.
    pub fn new(args: PageArgs, data: Vec<T>, total: i64) -> Self {
        let total_pages = count(args.pages(total));
        Page { data, total: count(total), page: args.number(), page_size: args.size(), total_pages }
    }
}

/// Whether the query asks for a page's items, and for its totals: what is not shown is not loaded.
pub fn wanted(ctx: &Context<'_>) -> (bool, bool) {
    wanted_of(ctx, "data")
}

/// The same of a page that has its items under another name.
pub fn wanted_of(ctx: &Context<'_>, items: &str) -> (bool, bool) {
    let ahead = ctx.look_ahead();
    (ahead.field(items).exists(), ahead.field("total").exists() || ahead.field("totalPages").exists())
}
