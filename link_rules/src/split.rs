//! Splits: which part a visitor belongs to, without remembering any.
//!
//! Weighted rendezvous hashing (Schindelhauer and Schomaker, "Weighted Distributed Hash Tables", SPAA 2005: the logarithmic method;
//! also draft-ietf-bess-weighted-hrw): each part draws a number `h` between 0 and 1 for the visitor, and the lowest `-ln h / w`
//! wins. These are exponential variables with the rates `w`, so that a part wins in proportion to its weight, and since no draw
//! depends on another part, a change of one weight moves visitors only to that part or away from it.
//!
//! Draws are SipHash-1-3 with the link's id as key, so that links are split independently of each other. Nodes agree on each visitor,
//! whatever their processors and systems: the logarithm is `libm`'s, which is made of operations whose rounding IEEE 754 prescribes,
//! and not the system's, whose last bit differs from one to another.
//!
//! A visitor is what statistics count as one: an address of IPv4 or a /64 of IPv6, and a user agent. Larger networks, a /24 or /48,
//! would keep more people who change their address, but deal all who share one and a browser's build by one draw: several visitors of
//! the statistics would move together, and the check of ratios, which takes them for independent, would raise false alarms.

use std::hash::Hasher;

use siphasher::sip::SipHasher13;

use crate::{Damaged, visit::Visitor};

/// The place of the part that the visitor belongs to, of all by their place, number and weight. `None`: none has a weight.
pub(crate) fn choose(
    link: &[u8; 16],
    visitor: Visitor<'_>,
    parts: impl Iterator<Item = Result<(u8, u16, u8), Damaged>>,
) -> Result<Option<u8>, Damaged> {
    let hash = |parts: [&[u8]; 2]| {
        let mut hasher = SipHasher13::new_with_key(link);
        parts.into_iter().for_each(|part| hasher.write(part));
        hasher.finish()
    };
    let visitor = hash([&visitor.network, visitor.user_agent]).to_le_bytes();
    let mut best: Option<(f64, u16, u8)> = None;
    for part in parts {
        let (place, number, weight) = part?;
        if weight == 0 {
            continue;
        }
        let draw = fraction(hash([&visitor, &number.to_le_bytes()]));
        let cost = -libm::log(draw) / f64::from(weight);
        // The number decides between equal costs, so that the order of parts never does.
        if best.is_none_or(|(lowest, first, _)| (cost, number) < (lowest, first)) {
            best = Some((cost, number, place));
        }
    }
    Ok(best.map(|(.., place)| place))
}

/// A number above 0 and below 1: 52 bits of the hash, and a half, which is exact in 53.
fn fraction(hash: u64) -> f64 {
    ((hash >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}
