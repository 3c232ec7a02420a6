//! Numbered pages: the keys that lists answer.

use std::borrow::Cow;

use async_graphql::{Context, OutputType, SimpleObject, TypeName};

use crate::{
    base::page::{PageArgs, Selected},
    graphql::{directives::example, scalars::count},
};

/// An item of a list that is read by pages.
pub(crate) trait Paged: OutputType {
    /// The name of the type of a page.
    const PAGE: &'static str;
}

/// One page of a list.
#[derive(SimpleObject, Debug)]
#[graphql(name_type)]
pub(crate) struct Page<T: Paged> {
    /// The items of this page; empty past the end.
    pub(crate) data: Vec<T>,
    /// Number of items on all pages.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) total: i32,
    /// Number of this page, from 1.
    pub(crate) page: i32,
    /// Items a page has at most, as requested.
    pub(crate) page_size: i32,
    /// `total / pageSize`, rounded up.
    #[graphql(directive = example::apply("1".into()))]
    pub(crate) total_pages: i32,
}

impl<T: Paged> TypeName for Page<T> {
    fn type_name() -> Cow<'static, str> {
        T::PAGE.into()
    }
}

impl<T: Paged> Page<T> {
    /// Puts a page together.
    pub(crate) fn new(args: PageArgs, data: Vec<T>, total: i64) -> Self {
        let total_pages = count(args.pages(total));
        Page { data, total: count(total), page: args.number(), page_size: args.size(), total_pages }
    }
}

/// The parts that the query selects of a page that has its items under the name `data`.
pub(crate) fn selected(ctx: &Context<'_>) -> Selected {
    selected_of(ctx, "data")
}

/// The parts that the query selects of a page that has its items under this name.
pub(crate) fn selected_of(ctx: &Context<'_>, items: &str) -> Selected {
    let ahead = ctx.look_ahead();
    Selected {
        items: ahead.field(items).exists(),
        total: ahead.field("total").exists() || ahead.field("totalPages").exists(),
    }
}
