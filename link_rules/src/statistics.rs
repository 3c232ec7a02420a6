//! Statistics of splits.

use libm::{exp, lgamma, log, sqrt};

/// The 97.5 % quantile of the normal distribution: intervals hold 95 %.
const Z: f64 = 1.959_963_984_540_054;
/// Visitors that the prior of the ratio test is worth. A thousand: for two equal parts it expects shares to be off by 1.6 points
/// (its standard deviation, sqrt(0.25 / 1,001)). Ten thousand, the default of the authors' package, finds shifts of 2 points later.
const CONCENTRATION: f64 = 1_000.0;
/// A p-value from here down is an alarm, which 5 % of sound splits raise at most, ever.
const ALARM: f64 = 0.05;

/// A share, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share, from 0 to 1.
    pub share: f64,
    /// The lower end of the interval that holds the true share in 95 % of cases.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Share {
    /// The share of `count` in `of`, with the score interval (Wilson, "Probable Inference, the Law of Succession, and Statistical
    /// Inference", 1927; recommended by Brown, Cai and DasGupta, 2001). `None`: of nothing.
    pub fn of(count: u64, of: u64) -> Option<Self> {
        if of == 0 {
            return None;
        }
        let (n, share) = (of as f64, count.min(of) as f64 / of as f64);
        let scale = 1.0 + Z * Z / n;
        let middle = (share + Z * Z / (2.0 * n)) / scale;
        let half = Z / scale * sqrt(share * (1.0 - share) / n + Z * Z / (4.0 * n * n));
        // Rounding must not put the share outside: at 0 and 1 it is an end.
        Some(Share { share, low: (middle - half).clamp(0.0, share), high: (middle + half).clamp(share, 1.0) })
    }
}

/// Whether a split divides visitors as its weights say: a test that may be looked at after each day, for ever.
///
/// The test is the sequential one of a multinomial hypothesis by Lindon and Malek, "Anytime-Valid Inference for Multinomial Count Data"
/// (NeurIPS 2022, <https://arxiv.org/abs/2011.03567>): the Bayes factor of a Dirichlet prior around the shares that are expected is, as
/// long as these are true, a martingale that begins with 1, so that by Ville's inequality it ever reaches 20 with a probability of 5 %
/// at most. The p-value is the lowest inverse so far. When weights change, another factor begins, by which the last is multiplied: a
/// martingale again.
///
/// What is counted must be dealt independently, as visitors of a day are; clicks are not, since those of a visitor all go to one part.
/// A visitor who comes back on another day is counted again and goes to the same part: in simulations, sound splits raised alarms in
/// 3 % of cases where a tenth of each day's visitors were those of the day before, in 12 % with three tenths, in 27 % with a half.
#[derive(Clone, Debug, Default)]
pub struct RatioTest {
    weights: Vec<u8>,
    /// Visitors of each part since the weights changed.
    visitors: Vec<u64>,
    /// Logarithm of the factor when the weights changed.
    before: f64,
    /// The highest logarithm of the factor at a look; at first that of 1.
    highest: f64,
}

impl RatioTest {
    /// Adds the visitors of a day, or of the time since weights changed, in the order of the weights. Parts without weight are
    /// left out: they may have visitors from before a change.
    pub fn observe(&mut self, weights: &[u8], visitors: &[u64]) {
        if self.weights != weights {
            self.before = self.factor();
            self.weights = weights.to_vec();
            self.visitors = vec![0; weights.len()];
        }
        for (sum, visitors) in self.visitors.iter_mut().zip(visitors) {
            *sum = sum.saturating_add(*visitors);
        }
        self.highest = self.highest.max(self.factor());
    }

    /// The probability, at most, that a split which divides as it should has looked as uneven as this one, at any look so far.
    pub fn p_value(&self) -> f64 {
        exp(-self.highest)
    }

    /// Whether visitors are not divided as the weights say. Of sound splits, 5 % at most are ever said to be.
    pub fn is_uneven(&self) -> bool {
        self.p_value() <= ALARM
    }

    /// Logarithm of the Bayes factor: the likelihood of the visitors under the prior, divided by that under the weights.
    fn factor(&self) -> f64 {
        let whole: f64 = self.weights.iter().copied().map(f64::from).sum();
        let (mut factor, mut all) = (self.before, 0.0);
        for (weight, visitors) in self.weights.iter().zip(&self.visitors).filter(|(weight, _)| **weight > 0) {
            let (share, visitors) = (f64::from(*weight) / whole, *visitors as f64);
            let prior = CONCENTRATION * share;
            factor += lgamma(prior + visitors) - lgamma(prior) - visitors * log(share);
            all += visitors;
        }
        factor + lgamma(CONCENTRATION) - lgamma(CONCENTRATION + all)
    }
}
