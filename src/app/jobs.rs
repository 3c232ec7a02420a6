//! Jobs that the application does: who does them, and the lanes that several features use.

use std::{collections::HashMap, sync::Arc};

use futures_util::{FutureExt, future::BoxFuture};
use uuid::Uuid;

use crate::{
    app::App,
    base::error::ApiError,
    platform::work::{
        jobs::{Done, Job, Lane, parsed},
        worker::Queue,
    },
};

/// Mails: they wait for a mail server.
pub(crate) const MAIL: Lane = Lane::new("mail", 4);
/// Purges of what deleted resources left behind: they all write.
pub(crate) const PURGE: Lane = Lane::new("purge", 1);

/// How a job is done. It may be done twice, and by an earlier or later version.
pub(crate) trait Run: Job {
    /// The lane whose worker does it.
    const LANE: Lane;

    /// Does the job, whose id is the same each time.
    fn run(self, app: &Arc<App>, id: Uuid) -> impl Future<Output = Result<Done, ApiError>> + Send;
}

type Perform = fn(Arc<App>, Uuid, &str) -> BoxFuture<'static, Result<Done, ApiError>>;

/// The kinds of jobs that this service does.
#[derive(Default)]
pub(crate) struct Jobs {
    lanes: Vec<(Lane, Vec<&'static str>)>,
    kinds: HashMap<&'static str, Perform>,
}

impl Jobs {
    /// These jobs, and those of a kind.
    pub(crate) fn with<J: Run>(mut self) -> Self {
        match self.lanes.iter_mut().find(|(lane, _)| *lane == J::LANE) {
            Some((_, kinds)) => kinds.push(J::NAME),
            None => self.lanes.push((J::LANE, vec![J::NAME])),
        }
        self.kinds.insert(J::NAME, |app, id, payload| {
            let job = parsed::<J>(payload).map_err(ApiError::internal);
            async move { job?.run(&app, id).await }.boxed()
        });
        self
    }

    /// The queue of each lane, for a worker of its own.
    pub(crate) fn queues(self, app: &Arc<App>) -> Vec<Queue> {
        let kinds = Arc::new(self.kinds);
        let queue = |(lane, of_lane)| {
            let (app, kinds) = (Arc::clone(app), Arc::clone(&kinds));
            let (db, clock, due) = (app.db.clone(), app.clock.clone(), Arc::clone(&app.jobs_due));
            let perform = move |id, kind: &str, payload: &str| match kinds.get(kind) {
                Some(perform) => perform(Arc::clone(&app), id, payload),
                None => async { Err(ApiError::internal("nothing does this kind of job")) }.boxed(),
            };
            Queue { db, clock, lane, kinds: of_lane, due, perform: Arc::new(perform) }
        };
        self.lanes.into_iter().map(queue).collect()
    }
}
