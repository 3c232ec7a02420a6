//! The language of a visitor: look-up by RFC 4647, 3.4, among the languages that the rules of a link name.

use crate::{Damaged, bytes::Reader};

/// Ranges of a header that are read: browsers send fewer than ten.
const MAX_RANGES: usize = 32;
/// Thousandths of the highest weight (RFC 9110, 12.4.2).
const HIGHEST: u16 = 1_000;

/// The range of `Accept-Language` with the highest weight, the first of several, that is one of the languages or begins with one:
/// `fr-CH` if `fr` is there. `*` stands for no language, and what has the weight 0 is not accepted. `None`: there is no such range.
pub(crate) fn preferred<'h>(header: &'h str, languages: &[u8]) -> Result<Option<&'h str>, Damaged> {
    let (mut best, mut highest) = (None, 0);
    for (range, weight) in ranges(header) {
        if weight > highest && Reader(languages).any(Reader::text, |tag| begins_with(range, tag))? {
            (best, highest) = (Some(range), weight);
        }
    }
    Ok(best)
}

/// The first of these languages that the header gives the highest weight, as [`preferred`] looks them up. `None`: it accepts none of them.
pub fn most_preferred<'t>(header: &str, tags: &[&'t str]) -> Option<&'t str> {
    let (mut best, mut highest) = (None, 0);
    for (range, weight) in ranges(header) {
        if weight > highest
            && let Some(tag) = tags.iter().find(|tag| begins_with(range, tag.as_bytes()))
        {
            (best, highest) = (Some(*tag), weight);
        }
    }
    best
}

/// The ranges of a header with their weights.
fn ranges(header: &str) -> impl Iterator<Item = (&str, u16)> {
    header.split(',').take(MAX_RANGES).map(|item| {
        let (range, parameters) = item.split_once(';').unwrap_or((item, ""));
        (range.trim(), weight(parameters.trim()).unwrap_or(0))
    })
}

/// Whether the range is the tag, or is it once it is truncated as the look-up does.
pub(crate) fn begins_with(range: &str, tag: &[u8]) -> bool {
    let (head, rest) = range.as_bytes().split_at_checked(tag.len()).unwrap_or_default();
    !tag.is_empty() && head.eq_ignore_ascii_case(tag) && matches!(rest, [] | [b'-', ..])
}

/// Thousandths of `q=0.8`; all of nothing. `None`: it is no weight.
fn weight(parameters: &str) -> Option<u16> {
    if parameters.is_empty() {
        return Some(HIGHEST);
    }
    let value = parameters.strip_prefix(['q', 'Q'])?.trim_start().strip_prefix('=')?.trim_start();
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    if !matches!(whole, "0" | "1") || decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = decimals.bytes().chain(*b"000").take(3);
    let thousandths = digits.fold(0, |number, digit| number * 10 + u16::from(digit - b'0'));
    Some(if whole == "1" { HIGHEST } else { thousandths })
}
