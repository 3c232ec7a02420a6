//! What requests cost, taken from the quota of who causes it: a document by its text, and a read by the time that it took.

use std::sync::Arc;

use crate::{
    api::graphql::cost::Units,
    app::App,
    base::{error::ApiError, metering::Meter},
    platform::{
        auth::caller::Call,
        http::rate_limit::{Policy, Subject},
    },
};

/// Takes a part of what a request costs from its caller's quota. Fails, and takes nothing, if less is left.
pub(crate) async fn charge(app: &App, call: &Call, units: Units) -> Result<(), ApiError> {
    reserve(app, call, units).await?;
    app.metrics.api_cost_units.inc_by(units.count().into());
    Ok(())
}

/// Takes about as much from the caller's quota as a read will cost, until [`settle_at_its_end`]. Fails, and takes nothing, if less is left.
pub(crate) async fn reserve(app: &App, call: &Call, units: Units) -> Result<(), ApiError> {
    match (Subject::payer(call), units.count()) {
        (None, _) | (_, 0) => Ok(()),
        (Some(payer), count) => app.limits.take(Policy::Cost, payer, count).await,
    }
}

/// When the running read ends, also if its caller goes away, takes from the caller's quota what it has cost more than was charged and
/// reserved for it, or gives the rest back: what is asked for says little of what has to be read.
pub(crate) fn settle_at_its_end(app: &Arc<App>, call: &Call, charged: Units, reserved: Units) {
    let Some(meter) = Meter::of_running_work() else { return };
    let (app, payer) = (Arc::clone(app), Subject::payer(call));
    meter.tell(move |time| {
        let cost = Units::of_time(time).count();
        app.metrics.api_cost_units.inc_by(cost.saturating_sub(charged.count()).into());
        if let Some(payer) = payer {
            let taken = i64::from(charged.count()) + i64::from(reserved.count());
            app.limits.settle(Policy::Cost, payer, i64::from(cost) - taken);
        }
    });
}
