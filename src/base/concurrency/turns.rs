//! Owners that take turns, so that whoever has much work waits for itself and no other.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    hash::Hash,
};

/// Items that wait, by their owners, and the number of items that each owner has at work. Owners take turns: an owner that has had one
/// begins again behind all others. Each call takes logarithmic time, and an owner without items takes no memory.
#[derive(Debug)]
pub(crate) struct Turns<K, T> {
    /// Items that one owner may have at work at a time.
    share: usize,
    owners: HashMap<K, Owner<T>>,
    /// Owners that have waiting items and less than their share at work, by the number of their turn.
    order: BTreeMap<u64, K>,
    /// Items that wait.
    waiting: usize,
    /// The last number that an item or a turn was given.
    last: u64,
}

/// The items of one owner.
#[derive(Debug)]
struct Owner<T> {
    at_work: usize,
    /// By their tickets.
    waiting: BTreeMap<u64, T>,
    /// Its entry in the order. `None`: it has none.
    turn: Option<u64>,
}

impl<K: Eq + Hash + Clone, T> Turns<K, T> {
    /// `share`: items that one owner may have at work at a time.
    pub(crate) fn new(share: usize) -> Self {
        Turns { share, owners: HashMap::new(), order: BTreeMap::new(), waiting: 0, last: 0 }
    }

    /// Items that wait.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Items of the owner that wait.
    pub(crate) fn waiting_of(&self, owner: &K) -> usize {
        self.owners.get(owner).map_or(0, |owner| owner.waiting.len())
    }

    /// Adds an item that waits behind the owner's others. Returns the ticket by which it can be removed.
    pub(crate) fn push(&mut self, owner: K, item: T) -> u64 {
        self.last += 1;
        let ticket = self.last;
        self.waiting += 1;
        self.entry(owner.clone()).waiting.insert(ticket, item);
        self.settle(owner);
        ticket
    }

    /// Removes an item that its owner has given up. `None`: it does not wait any more.
    pub(crate) fn remove(&mut self, owner: K, ticket: u64) -> Option<T> {
        let removed = self.owners.get_mut(&owner)?.waiting.remove(&ticket)?;
        self.waiting -= 1;
        self.settle(owner);
        Some(removed)
    }

    /// The next item, which is at work from now on, and its owner. `None`: no owner has a waiting item that its share allows.
    pub(crate) fn begin_next(&mut self) -> Option<(K, T)> {
        let (_, owner) = self.order.pop_first()?;
        let found = self.owners.get_mut(&owner)?;
        found.turn = None;
        let (_, item) = found.waiting.pop_first()?;
        found.at_work += 1;
        self.waiting -= 1;
        self.settle(owner.clone());
        Some((owner, item))
    }

    /// Begins work of the owner that never waited. Returns whether its share allows it.
    pub(crate) fn begin_at_once(&mut self, owner: K) -> bool {
        let is_allowed = self.owners.get(&owner).map_or(0, |owner| owner.at_work) < self.share;
        if is_allowed {
            self.entry(owner.clone()).at_work += 1;
            self.settle(owner);
        }
        is_allowed
    }

    /// Ends work of the owner that was begun.
    pub(crate) fn end(&mut self, owner: K) {
        if let Some(found) = self.owners.get_mut(&owner) {
            found.at_work = found.at_work.saturating_sub(1);
        }
        self.settle(owner);
    }

    fn entry(&mut self, owner: K) -> &mut Owner<T> {
        self.owners.entry(owner).or_insert_with(|| Owner { at_work: 0, waiting: BTreeMap::new(), turn: None })
    }

    /// Gives the owner a turn if it may have one, takes it away if it may not, and forgets an owner without items.
    fn settle(&mut self, owner: K) {
        let Entry::Occupied(mut entry) = self.owners.entry(owner) else { return };
        let key = entry.key().clone();
        let found = entry.get_mut();
        let may_begin = !found.waiting.is_empty() && found.at_work < self.share;
        match found.turn {
            None if may_begin => {
                self.last += 1;
                found.turn = Some(self.last);
                self.order.insert(self.last, key);
            }
            Some(turn) if !may_begin => {
                found.turn = None;
                self.order.remove(&turn);
            }
            _ => {}
        }
        if found.at_work == 0 && found.waiting.is_empty() {
            entry.remove();
        }
    }

    /// Whether nothing waits or is at work.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.owners.is_empty() && self.order.is_empty() && self.waiting == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The owners of the next items, which are ended at once.
    fn order(turns: &mut Turns<char, u32>) -> String {
        std::iter::from_fn(|| {
            let (owner, _) = turns.begin_next()?;
            turns.end(owner);
            Some(owner)
        })
        .collect()
    }

    #[test]
    fn owners_take_turns_and_a_newcomer_waits_for_one_item_of_each() {
        let mut turns = Turns::new(1);
        for number in 0..4 {
            turns.push('a', number);
        }
        turns.push('b', 0);
        assert_eq!(turns.begin_next(), Some(('a', 0)));
        turns.push('c', 0);
        turns.end('a');
        assert_eq!(order(&mut turns), "bcaaa");
        assert!(turns.is_empty());
    }

    #[test]
    fn an_owner_has_at_most_its_share_at_work() {
        let mut turns = Turns::new(2);
        assert!(turns.begin_at_once('a') && turns.begin_at_once('a') && !turns.begin_at_once('a'));
        turns.push('a', 1);
        turns.push('a', 2);
        turns.push('b', 3);
        assert_eq!((turns.begin_next(), turns.begin_next()), (Some(('b', 3)), None));
        turns.end('a');
        assert_eq!((turns.begin_next(), turns.begin_next()), (Some(('a', 1)), None));
        assert_eq!((turns.waiting(), turns.waiting_of(&'a'), turns.waiting_of(&'b')), (1, 1, 0));
    }

    #[test]
    fn what_is_given_up_leaves_no_trace() {
        let mut turns = Turns::new(1);
        let (first, second) = (turns.push('a', 1), turns.push('a', 2));
        turns.push('b', 3);
        assert_eq!((turns.remove('a', first), turns.remove('a', first)), (Some(1), None));
        assert_eq!(turns.remove('a', second), Some(2));
        assert_eq!((order(&mut turns), turns.is_empty()), ("b".to_owned(), true));
        turns.end('a');
        assert!(turns.is_empty());
    }
}
