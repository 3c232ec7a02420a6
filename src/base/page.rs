//! Which page of a list is asked for.

use crate::base::error::{ApiError, Violations};

/// Items a page has when nothing is asked.
pub(crate) const DEFAULT_PAGE_SIZE: i32 = 20;
/// Items a page has at most.
pub(crate) const MAX_PAGE_SIZE: i32 = 100;

/// Checks how many items a list may have. `name` is the argument's name for messages.
pub(crate) fn list_length(length: i32, name: &str) -> Result<usize, ApiError> {
    match usize::try_from(length) {
        Ok(items) if (1..=MAX_PAGE_SIZE).contains(&length) => Ok(items),
        _ => {
            let mut violations = Violations::default();
            violations.add(name, format!("must be between 1 and {MAX_PAGE_SIZE}"));
            violations.finish().map(|()| 1)
        }
    }
}

/// The parts of a page that a query selects: other parts are not loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Selected {
    pub(crate) items: bool,
    /// The number of items of the whole list.
    pub(crate) total: bool,
}

/// A page number and size within their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PageArgs {
    page: i32,
    size: i32,
}

impl PageArgs {
    /// Checks both. `size_name` is the name of the size's argument for messages.
    pub(crate) fn new(page: i32, size: i32, size_name: &str) -> Result<Self, ApiError> {
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

    /// The first page, of so many items.
    pub(crate) const fn first(size: i32) -> Self {
        PageArgs { page: 1, size }
    }

    /// Number of the page, from 1.
    pub(crate) fn number(self) -> i32 {
        self.page
    }

    /// Items a page has at most.
    pub(crate) fn size(self) -> i32 {
        self.size
    }

    /// Number of pages that this many items fill.
    pub(crate) fn pages(self, total: i64) -> i64 {
        (total + i64::from(self.size) - 1) / i64::from(self.size)
    }

    /// Items to skip.
    pub(crate) fn offset(self) -> u64 {
        (i64::from(self.page) - 1).unsigned_abs() * u64::from(self.size.unsigned_abs())
    }

    /// Items to take.
    pub(crate) fn limit(self) -> u64 {
        u64::from(self.size.unsigned_abs())
    }
}
