//! A queue for a limited number of places that many owners want, such as accounts or clients: each has a share, and they take turns.

use std::{hash::Hash, sync::Arc};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::turns::Turns;
use crate::base::error::ApiError;

/// The bounds of a [`FairQueue`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct QueueSize {
    pub(crate) places: usize,
    /// Places that one owner may have.
    pub(crate) share: usize,
    /// Callers of one owner that may wait.
    pub(crate) waiting_of_one: usize,
    /// Callers that may wait in all.
    pub(crate) waiting_in_all: usize,
}

/// Places that owners share fairly. An owner never has more than its share, and nobody waits while there is a place that it may have.
/// Owners whose callers wait get the places in turns, and the callers of one owner in the order in which they came.
#[derive(Debug)]
pub(crate) struct FairQueue<K: Eq + Hash + Clone> {
    state: Mutex<State<K>>,
    size: QueueSize,
}

#[derive(Debug)]
struct State<K: Eq + Hash + Clone> {
    /// Places that nobody has. If there are some, no owner has a turn.
    free: usize,
    turns: Turns<K, oneshot::Sender<FairPermit<K>>>,
}

/// Too many callers wait: of this owner, or in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl From<Full> for ApiError {
    fn from(_: Full) -> Self {
        ApiError::unavailable()
    }
}

impl<K: Eq + Hash + Clone> FairQueue<K> {
    /// Creates a queue in which all places are free.
    pub(crate) fn new(size: QueueSize) -> Arc<Self> {
        let state = State { free: size.places, turns: Turns::new(size.share) };
        Arc::new(FairQueue { state: Mutex::new(state), size })
    }

    /// A place for the owner, given back when dropped. Fails at once if the owner's callers, or all, are as many as may wait. A caller may
    /// stop waiting at any time by dropping the future.
    pub(crate) async fn acquire(self: &Arc<Self>, owner: K) -> Result<FairPermit<K>, Full> {
        let mut waiting = match self.enter(owner)? {
            Entered::Granted(permit) => return Ok(permit),
            Entered::Waiting(waiting) => waiting,
        };
        (&mut waiting.granted).await.map_err(|_| Full)
    }

    /// Places that owners have.
    #[cfg(test)]
    pub(crate) fn taken(&self) -> usize {
        self.size.places - self.state.lock().free
    }

    /// Callers that wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        self.state.lock().turns.waiting()
    }

    fn enter(self: &Arc<Self>, owner: K) -> Result<Entered<'_, K>, Full> {
        let mut state = self.state.lock();
        if let Some(permit) = self.take(&mut state, owner.clone()) {
            return Ok(Entered::Granted(permit));
        }
        let (of_one, in_all) = (state.turns.waiting_of(&owner), state.turns.waiting());
        if of_one >= self.size.waiting_of_one || in_all >= self.size.waiting_in_all {
            return Err(Full);
        }
        let (sender, granted) = oneshot::channel();
        let ticket = state.turns.push(owner.clone(), sender);
        Ok(Entered::Waiting(Waiting { queue: self, owner, ticket, granted }))
    }

    fn take(self: &Arc<Self>, state: &mut State<K>, owner: K) -> Option<FairPermit<K>> {
        if state.free == 0 || !state.turns.begin_at_once(owner.clone()) {
            return None;
        }
        state.free -= 1;
        Some(FairPermit { queue: Arc::clone(self), owner })
    }

    fn give_back(self: &Arc<Self>, owner: K) {
        let mut state = self.state.lock();
        state.free += 1;
        state.turns.end(owner);
        // One at most: a place has become free, or one more of this owner's share.
        let Some((owner, sender)) = state.turns.begin_next() else { return };
        state.free -= 1;
        drop(state);
        // If the caller has just gone away, the permit is dropped here, and the next caller has its turn.
        drop(sender.send(FairPermit { queue: Arc::clone(self), owner }));
    }
}

enum Entered<'a, K: Eq + Hash + Clone> {
    Granted(FairPermit<K>),
    Waiting(Waiting<'a, K>),
}

/// A caller that waits. It leaves the queue when dropped; a permit that it was sent and has not seen is dropped with it.
struct Waiting<'a, K: Eq + Hash + Clone> {
    queue: &'a Arc<FairQueue<K>>,
    owner: K,
    ticket: u64,
    granted: oneshot::Receiver<FairPermit<K>>,
}

impl<K: Eq + Hash + Clone> Drop for Waiting<'_, K> {
    fn drop(&mut self) {
        let removed = self.queue.state.lock().turns.remove(self.owner.clone(), self.ticket);
        drop(removed);
    }
}

/// A place of a [`FairQueue`], given back when dropped.
#[derive(Debug)]
pub(crate) struct FairPermit<K: Eq + Hash + Clone> {
    queue: Arc<FairQueue<K>>,
    owner: K,
}

impl<K: Eq + Hash + Clone> Drop for FairPermit<K> {
    fn drop(&mut self) {
        self.queue.give_back(self.owner.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::{BTreeMap, BTreeSet, VecDeque},
        pin::Pin,
    };

    use futures_util::FutureExt;
    use proptest::prelude::*;

    use super::*;
    use crate::base::error::Code;

    type Acquiring = Pin<Box<dyn Future<Output = Result<FairPermit<u8>, Full>>>>;

    fn size(places: usize, share: usize, waiting_of_one: usize, waiting_in_all: usize) -> QueueSize {
        QueueSize { places, share, waiting_of_one, waiting_in_all }
    }

    fn acquire(queue: &Arc<FairQueue<u8>>, owner: u8) -> Acquiring {
        let queue = Arc::clone(queue);
        Box::pin(async move { queue.acquire(owner).await })
    }

    fn take(queue: &Arc<FairQueue<u8>>, owner: u8) -> FairPermit<u8> {
        acquire(queue, owner).now_or_never().unwrap().unwrap()
    }

    fn is_unused(queue: &FairQueue<u8>) -> bool {
        let state = queue.state.lock();
        state.free == queue.size.places && state.turns.is_empty()
    }

    #[test]
    fn who_floods_waits_for_itself_and_is_refused_alone() {
        let queue = FairQueue::new(size(3, 2, 2, 10));
        let flood: Vec<_> = (0..6).map(|_| acquire(&queue, 1).now_or_never()).collect();
        assert_eq!(flood.iter().filter(|taken| matches!(taken, Some(Ok(_)))).count(), 2);
        // Futures that are dropped wait no more, so that these were not refused.
        assert!(flood[2..].iter().all(Option::is_none));
        let mut waiting: Vec<_> = (0..2).map(|_| acquire(&queue, 1)).collect();
        assert!(waiting.iter_mut().all(|one| one.now_or_never().is_none()));
        assert_eq!(acquire(&queue, 1).now_or_never().unwrap().unwrap_err(), Full);
        assert_eq!(ApiError::from(Full).code, Code::Unavailable);
        let other = take(&queue, 2);
        assert_eq!((queue.taken(), queue.waiting()), (3, 2));
        let mut newcomer = acquire(&queue, 3);
        assert!(newcomer.as_mut().now_or_never().is_none());
        drop(flood);
        assert!(matches!(newcomer.now_or_never(), Some(Ok(_))), "its turn came after one of the flood");
        drop((other, waiting));
        assert!(is_unused(&queue));
    }

    #[test]
    fn a_permit_that_its_caller_never_saw_goes_to_the_next() {
        let queue = FairQueue::new(size(1, 1, 5, 5));
        let first = take(&queue, 1);
        let (mut second, mut third) = (acquire(&queue, 2), acquire(&queue, 3));
        assert!(second.as_mut().now_or_never().is_none() && third.as_mut().now_or_never().is_none());
        drop(first);
        drop(second);
        assert!(matches!(third.now_or_never(), Some(Ok(_))));
        assert!(is_unused(&queue));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn nothing_is_lost_between_threads() {
        let queue = FairQueue::new(size(3, 2, 100, 500));
        let callers = (0_u8..200).map(|number| {
            let queue = Arc::clone(&queue);
            tokio::spawn(async move {
                for turn in 0..50 {
                    let mut acquiring = Box::pin(queue.acquire(number % 7));
                    if (u16::from(number) + turn) % 3 == 0 {
                        drop(acquiring.as_mut().now_or_never());
                        continue;
                    }
                    let permit = acquiring.await.unwrap();
                    assert!(queue.taken() <= 3);
                    tokio::task::yield_now().await;
                    drop(permit);
                }
            })
        });
        for caller in callers.collect::<Vec<_>>() {
            caller.await.unwrap();
        }
        assert!(is_unused(&queue));
    }

    /// A queue, and what its callers know of it.
    struct Model {
        queue: Arc<FairQueue<u8>>,
        held: BTreeMap<u8, Vec<FairPermit<u8>>>,
        waiting: BTreeMap<u8, VecDeque<Acquiring>>,
        /// For each owner that has a turn: the owners that were served since.
        passed: BTreeMap<u8, BTreeSet<u8>>,
    }

    impl Model {
        fn held_of(&self, owner: u8) -> usize {
            self.held.get(&owner).map_or(0, Vec::len)
        }

        fn waiting_of(&self, owner: u8) -> usize {
            self.waiting.get(&owner).map_or(0, VecDeque::len)
        }

        fn owners_with_a_turn(&self) -> BTreeSet<u8> {
            let share = self.queue.size.share;
            (0..5).filter(|owner| self.waiting_of(*owner) > 0 && self.held_of(*owner) < share).collect()
        }

        fn ask(&mut self, owner: u8) {
            let QueueSize { places, share, waiting_of_one, waiting_in_all } = self.queue.size;
            let taken: usize = self.held.values().map(Vec::len).sum();
            let waiting: usize = self.waiting.values().map(VecDeque::len).sum();
            let mut acquiring = acquire(&self.queue, owner);
            match acquiring.as_mut().now_or_never() {
                Some(Ok(permit)) => {
                    assert!(taken < places && self.held_of(owner) < share);
                    self.held.entry(owner).or_default().push(permit);
                }
                Some(Err(Full)) => {
                    assert!(self.waiting_of(owner) == waiting_of_one || waiting == waiting_in_all);
                }
                None => {
                    assert!(taken == places || self.held_of(owner) == share);
                    assert!(self.waiting_of(owner) < waiting_of_one && waiting < waiting_in_all);
                    self.waiting.entry(owner).or_default().push_back(acquiring);
                }
            }
        }

        fn give_back(&mut self, owner: u8) {
            let Some(permit) = self.held.get_mut(&owner).and_then(Vec::pop) else { return };
            self.note_turns();
            drop(permit);
            let mut served = Vec::new();
            for (owner, waiting) in &mut self.waiting {
                let arrived: Vec<_> = waiting.iter_mut().map(|one| one.now_or_never()).collect();
                // The first that came is the first to be served.
                assert!(arrived.iter().skip(1).all(Option::is_none));
                if let Some(Some(permit)) = arrived.into_iter().next() {
                    waiting.pop_front();
                    served.push((*owner, permit.unwrap()));
                }
            }
            assert!(served.len() <= 1);
            for (served, permit) in served {
                self.held.entry(served).or_default().push(permit);
                self.passed.remove(&served);
                for (owner, passed) in &mut self.passed {
                    assert!(passed.insert(served), "{served} was served twice while {owner} had a turn");
                }
            }
        }

        /// Forgets who was served while an owner had no turn.
        fn note_turns(&mut self) {
            let with_a_turn = self.owners_with_a_turn();
            self.passed.retain(|owner, _| with_a_turn.contains(owner));
            for owner in with_a_turn {
                self.passed.entry(owner).or_default();
            }
        }

        fn check(&mut self) {
            self.note_turns();
            let QueueSize { places, share, .. } = self.queue.size;
            let taken: usize = self.held.values().map(Vec::len).sum();
            assert!(taken <= places && self.held.values().all(|held| held.len() <= share));
            assert!(taken == places || self.passed.is_empty(), "somebody waits beside a free place");
            assert_eq!(self.queue.taken(), taken);
            assert_eq!(self.queue.waiting(), self.waiting.values().map(VecDeque::len).sum::<usize>());
        }
    }

    proptest! {
        #[test]
        fn places_are_shared_fairly_whatever_happens(
            (places, share, waiting_of_one, waiting_in_all) in (1_usize..6, 1_usize..4, 0_usize..5, 0_usize..12),
            steps in proptest::collection::vec((0_u8..5, 0_u8..8, any::<proptest::sample::Index>()), 0..200),
        ) {
            let queue = FairQueue::new(size(places, share, waiting_of_one, waiting_in_all));
            let mut model =
                Model { queue, held: BTreeMap::new(), waiting: BTreeMap::new(), passed: BTreeMap::new() };
            for (owner, step, index) in steps {
                match step {
                    0..4 => model.ask(owner),
                    4..7 => model.give_back(owner),
                    _ => {
                        let waiting = model.waiting.entry(owner).or_default();
                        if !waiting.is_empty() {
                            drop(waiting.remove(index.index(waiting.len())));
                        }
                    }
                }
                model.check();
            }
            model.waiting.clear();
            model.held.clear();
            prop_assert!(is_unused(&model.queue));
        }
    }
}
