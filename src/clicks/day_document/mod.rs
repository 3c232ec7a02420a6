//! Roll-ups of a day's clicks on a link, or on all links of an account. Pure.

mod counters;
mod counts;
mod document;
mod encoding;
mod slots;

pub(crate) use self::{
    counters::{KINDS, SOME_TIME, ValueCount, Values},
    counts::{
        COLUMNS, Counts, DEVICE, DIMENSIONS, LinkBytes, MAX_CHARS, OWN, SHORT_URL, SLOT, Unreadable, counted, cut,
        days_of_month, month, slot, values,
    },
    document::{Document, Encoded},
    encoding::Reader,
    slots::Slots,
};
