//! From the click log to the database.

pub(crate) mod damage;
pub(crate) mod late_clicks;
pub(crate) mod months;
