//! Questions that are cheaper to answer together: those asked while a batch is running wait for the next one. So there is no wait
//! under low load, and batches grow with the load.

use std::{collections::VecDeque, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::{
    base::error::ApiError,
    platform::db::{
        count_statements,
        deadline::{batch, purpose},
        purpose::Purpose,
        wait_for,
    },
};

/// Questions that wait at most: each is a request's, and there are no more connections than these.
const MAX_WAITING: usize = 10_000;

/// Questions that are answered together, one batch after the other.
pub(crate) struct Batches<Q, A> {
    state: Mutex<State<Q, A>>,
    max: usize,
}

/// Takes an answer, and the number of statements that the batch executed.
type Asker<A> = oneshot::Sender<(Result<A, ApiError>, u64)>;

struct State<Q, A> {
    waiting: VecDeque<(Q, Asker<A>)>,
    is_running: bool,
}

impl<Q, A> State<Q, A> {
    /// Removes queued questions whose callers have gone away.
    fn drop_closed(&mut self) {
        self.waiting.retain(|(_, asker)| !asker.is_closed());
    }
}

impl<Q: Send + 'static, A: Send + 'static> Batches<Q, A> {
    /// Creates batches of at most `max` questions.
    pub(crate) fn new(max: usize) -> Arc<Self> {
        Arc::new(Batches { state: Mutex::new(State { waiting: VecDeque::new(), is_running: false }), max })
    }

    /// Queues a question and waits for its answer. `answer` is called with a whole batch, in a task of its own, so that a cancelled caller
    /// does not cancel the answers of others. It returns one answer for each question, in their order, or an error for all of them. Fails
    /// with `UNAVAILABLE` when too many questions are queued, or the caller's deadline for the database passes.
    pub(crate) async fn ask<F>(
        self: &Arc<Self>,
        question: Q,
        answer: impl Fn(Vec<Q>) -> F + Send + 'static,
    ) -> Result<A, ApiError>
    where
        F: Future<Output = Result<Vec<A>, ApiError>> + Send + 'static,
    {
        let (sender, receiver) = oneshot::channel();
        let is_first = {
            let mut state = self.state.lock();
            if state.waiting.len() >= MAX_WAITING {
                // Callers may have gone away while a batch was stuck.
                state.drop_closed();
                if state.waiting.len() >= MAX_WAITING {
                    return Err(ApiError::unavailable());
                }
            }
            state.waiting.push_back((question, sender));
            !std::mem::replace(&mut state.is_running, true)
        };
        if is_first {
            tokio::spawn(Arc::clone(self).run(purpose(), answer));
        }
        let answered = wait_for(receiver).await.ok_or_else(ApiError::unavailable)?;
        let (answer, statements) = answered.map_err(|_| ApiError::internal("a batch was left without answers"))?;
        // The statements of a batch count for each of its callers.
        count_statements(statements);
        answer
    }

    async fn run<F>(self: Arc<Self>, purpose: Purpose, answer: impl Fn(Vec<Q>) -> F)
    where
        F: Future<Output = Result<Vec<A>, ApiError>>,
    {
        let running = Running(self);
        while let Some((questions, senders)) = running.0.next() {
            let (answers, statements) = batch(purpose, answer(questions)).await;
            // The receiver may have been dropped: its caller has gone away.
            let send = |sender: Asker<A>, answer| _ = sender.send((answer, statements));
            match answers {
                Ok(answers) => senders.into_iter().zip(answers).for_each(|(sender, answer)| send(sender, Ok(answer))),
                Err(error) => senders.into_iter().for_each(|sender| send(sender, Err(error.clone()))),
            }
        }
    }

    fn next(&self) -> Option<(Vec<Q>, Vec<Asker<A>>)> {
        let mut state = self.state.lock();
        state.drop_closed();
        let count = state.waiting.len().min(self.max);
        state.is_running = count > 0;
        (count > 0).then(|| state.waiting.drain(..count).unzip())
    }
}

/// Clears the queue when a batch panics: the callers get errors, and the next question starts a new task.
struct Running<Q: Send + 'static, A: Send + 'static>(Arc<Batches<Q, A>>);

impl<Q: Send + 'static, A: Send + 'static> Drop for Running<Q, A> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let mut state = self.0.state.lock();
            state.waiting.clear();
            state.is_running = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::Semaphore;

    use super::*;
    use crate::{
        base::error::Code,
        platform::db::{Limit, within},
    };

    #[tokio::test]
    async fn questions_asked_during_a_batch_are_answered_together() {
        let (batches, gate, sizes) = (Batches::new(3), Arc::new(Semaphore::new(0)), Arc::new(Mutex::new(Vec::new())));
        let asking: Vec<_> = (0..8)
            .map(|number| {
                let (batches, gate, sizes) = (Arc::clone(&batches), Arc::clone(&gate), Arc::clone(&sizes));
                tokio::spawn(async move {
                    let answer = move |questions: Vec<i32>| {
                        let (gate, sizes) = (Arc::clone(&gate), Arc::clone(&sizes));
                        async move {
                            gate.acquire().await.unwrap().forget();
                            sizes.lock().push(questions.len());
                            Ok(questions.into_iter().map(|question| question * 10).collect())
                        }
                    };
                    batches.ask(number, answer).await.unwrap()
                })
            })
            .collect();
        // Some are taken, the others wait.
        while asking.iter().any(|asked| asked.is_finished()) || !(5..8).contains(&batches.state.lock().waiting.len()) {
            tokio::task::yield_now().await;
        }
        gate.add_permits(8);
        for (number, asked) in (0..8).zip(asking) {
            assert_eq!(asked.await.unwrap(), number * 10);
        }
        let sizes = sizes.lock().clone();
        assert_eq!(sizes.iter().sum::<usize>(), 8);
        assert!(sizes.contains(&3) && sizes.len() <= 4, "{sizes:?}");
    }

    #[tokio::test]
    async fn abandoned_questions_are_not_begun_and_no_caller_waits_beyond_its_deadline() {
        let (batches, gate, asked) =
            (Batches::new(3), Arc::new(Semaphore::new(0)), Arc::new(Mutex::new(Vec::<i32>::new())));
        let answer = {
            let (gate, asked) = (Arc::clone(&gate), Arc::clone(&asked));
            move |questions: Vec<i32>| {
                let (gate, asked) = (Arc::clone(&gate), Arc::clone(&asked));
                async move {
                    asked.lock().extend(&questions);
                    gate.acquire().await.unwrap().forget();
                    Ok(questions)
                }
            }
        };
        let soon = Limit::InAll(Duration::from_millis(50));
        for question in [1, 2] {
            let late = within(soon, batches.ask(question, answer.clone())).await;
            assert_eq!(late.unwrap_err().code, Code::Unavailable);
        }
        let third = tokio::spawn({
            let (batches, answer) = (Arc::clone(&batches), answer.clone());
            async move { batches.ask(3, answer).await }
        });
        while batches.state.lock().waiting.len() < 2 {
            tokio::task::yield_now().await;
        }
        gate.add_permits(2);
        assert_eq!(third.await.unwrap().unwrap(), 3);
        assert_eq!(*asked.lock(), [1, 3]);
    }

    #[tokio::test]
    async fn a_failed_batch_fails_for_all_who_asked_and_the_next_goes_on() {
        let batches = Batches::new(3);
        let answer = |questions: Vec<i32>| async move {
            assert!(questions[0] > 0, "on purpose");
            if questions[0] == 1 { Err(ApiError::unavailable()) } else { Ok(questions) }
        };
        assert_eq!(batches.ask(0, answer).await.unwrap_err().code, Code::InternalError);
        let (one, two) = tokio::join!(batches.ask(1, answer), batches.ask(2, answer));
        assert_eq!([one, two].map(|failed| failed.unwrap_err().code), [Code::Unavailable; 2]);
        assert_eq!(batches.ask(2, answer).await.unwrap(), 2);
    }
}
