//! The places of a lane on this node: which jobs may be claimed, so that accounts take turns.

use std::collections::{HashMap, VecDeque};

use uuid::Uuid;

use super::jobs::Lane;

/// Accounts that are remembered as served: with more, the one that was served first is forgotten.
const REMEMBERED: usize = 32;

/// The jobs that a node has at work in a lane, by their accounts.
#[derive(Clone, Debug)]
pub(super) struct Places {
    lane: Lane,
    at_work: usize,
    of_accounts: HashMap<Uuid, usize>,
    /// Accounts whose jobs were begun last, the latest last: others come before them.
    served: VecDeque<Uuid>,
}

impl Places {
    pub(super) fn new(lane: Lane) -> Self {
        Places { lane, at_work: 0, of_accounts: HashMap::new(), served: VecDeque::new() }
    }

    /// Jobs that may be begun.
    pub(super) fn free(&self) -> usize {
        self.lane.width - self.at_work
    }

    /// Accounts whose jobs are passed over: first also those that were served lately, then only those that have their share.
    pub(super) fn passed_over(&self) -> Vec<Vec<Uuid>> {
        let has_share = |account: &Uuid| self.of_account(account) >= self.lane.share();
        let full: Vec<Uuid> = self.of_accounts.keys().filter(|account| has_share(account)).copied().collect();
        if self.served.iter().all(has_share) {
            return vec![full];
        }
        let served = self.served.iter().filter(|account| !has_share(account)).copied();
        vec![full.iter().copied().chain(served).collect(), full]
    }

    /// Whether another job of this account may be begun. `None`: the job is for no account.
    pub(super) fn may_begin(&self, account: Option<Uuid>) -> bool {
        self.free() > 0 && account.is_none_or(|account| self.of_account(&account) < self.lane.share())
    }

    pub(super) fn begin(&mut self, account: Option<Uuid>) {
        self.at_work += 1;
        let Some(account) = account else { return };
        *self.of_accounts.entry(account).or_default() += 1;
        self.served.retain(|served| *served != account);
        self.served.push_back(account);
        if self.served.len() > REMEMBERED {
            self.served.pop_front();
        }
    }

    pub(super) fn end(&mut self, account: Option<Uuid>) {
        self.at_work -= 1;
        let Some(account) = account else { return };
        if let Some(number) = self.of_accounts.get_mut(&account) {
            *number -= 1;
            if *number == 0 {
                self.of_accounts.remove(&account);
            }
        }
    }

    /// Forgets who was served, since nobody waits.
    pub(super) fn rest(&mut self) {
        self.served.clear();
    }

    fn of_account(&self, account: &Uuid) -> usize {
        self.of_accounts.get(account).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_take_turns_and_have_half_of_the_places() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut places = Places::new(Lane::new("mail", 4));
        assert_eq!(places.passed_over(), [Vec::<Uuid>::new()]);
        places.begin(Some(one));
        assert_eq!((places.passed_over(), places.may_begin(Some(one))), (vec![vec![one], vec![]], true));
        places.begin(Some(one));
        assert_eq!((places.passed_over(), places.may_begin(Some(one))), (vec![vec![one]], false));
        assert!(places.may_begin(Some(other)) && places.may_begin(None));
        places.begin(None);
        places.begin(Some(other));
        assert!(places.free() == 0 && !places.may_begin(None));
        places.end(Some(one));
        assert_eq!((places.passed_over(), places.free()), (vec![vec![one, other], vec![]], 1));
        places.rest();
        assert_eq!(places.passed_over(), [Vec::<Uuid>::new()]);
        for account in [Some(one), None, Some(other)] {
            places.end(account);
        }
        assert!(places.of_accounts.is_empty() && places.free() == 4);
    }

    #[test]
    fn a_lane_of_one_place_serves_others_first() {
        let mut places = Places::new(Lane::new("purge", 1));
        let [first, second] = [1, 2].map(Uuid::from_u128);
        for account in [first, second] {
            places.begin(Some(account));
            places.end(Some(account));
        }
        assert_eq!(places.passed_over(), [vec![first, second], vec![]]);
        (0..100).map(Uuid::from_u128).for_each(|account| {
            places.begin(Some(account));
            places.end(Some(account));
        });
        assert_eq!(places.passed_over()[0].len(), REMEMBERED);
    }
}
