//! Runs of addresses in memory: where each begins, and whose it is.

use crate::{Country, Network};

/// No country, in the place of one.
pub(crate) const UNKNOWN: Country = [0; 2];

/// Runs of one kind of addresses. The first begins at 0, unless there is none.
#[derive(Debug, Default)]
pub(crate) struct Runs<A> {
    starts: Vec<A>,
    countries: Vec<Country>,
}

impl<A: Copy + Ord + Into<u64>> Runs<A> {
    pub(crate) fn with_room(runs: usize) -> Self {
        Runs { starts: Vec::with_capacity(runs), countries: Vec::with_capacity(runs) }
    }

    /// Adds the run that ends where the next one begins.
    pub(crate) fn push(&mut self, start: A, country: Country) {
        self.starts.push(start);
        self.countries.push(country);
    }

    pub(crate) fn country(&self, address: A) -> Option<Country> {
        let after = self.starts.partition_point(|start| *start <= address);
        let country = *self.countries.get(after.checked_sub(1)?)?;
        (country != UNKNOWN).then_some(country)
    }

    /// `last` is the last address of all.
    pub(crate) fn networks(&self, last: u64) -> Vec<Network> {
        let ends = self.starts.iter().skip(1).map(|start| (*start).into() - 1).chain([last]);
        let mut networks: Vec<Network> = Vec::new();
        for ((start, country), last) in self.starts.iter().zip(&self.countries).zip(ends) {
            let first = (*start).into();
            match networks.last_mut() {
                Some(before) if before.country == *country && before.last.checked_add(1) == Some(first) => {
                    before.last = last
                }
                _ if *country == UNKNOWN => {}
                _ => networks.push(Network { first, last, country: *country }),
            }
        }
        networks
    }
}
