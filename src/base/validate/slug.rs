//! The rule of slugs, and how the path of a request names one.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

use super::{length::within, name::without_invisible};

/// Longest slug, in Unicode scalar values, as it is sent and as it is stored.
pub(crate) const MAX_SLUG: i32 = 64;
/// Bytes of the longest slug, in UTF-8.
const MAX_BYTES: usize = 4 * MAX_SLUG.unsigned_abs() as usize;
/// Most segments of a slug on a host of an account. On the service's own host it has one: there, other paths are the API's.
pub(crate) const MAX_SEGMENTS: usize = 5;
/// All slugs, and no character of ASCII that none has. Letters and emoji have no notation that all readers of JSON Schema know.
pub(crate) const SLUG_PATTERN: &str =
    r"^[^\u0000-\u0029\u002b\u002c\u002e\u003a-\u0040\u005b-\u005e\u0060\u007b-\u009f]+$";

/// The end of a pattern: its link leads all paths below further, each with the rest of the path behind its destination.
const REST: &str = "/*";
/// Longest emoji without [`EMOJI_PRESENTATION`], in scalar values: two people who kiss, each with a tone of skin.
const MAX_EMOJI: usize = 9;
/// The character after which an emoji is shown in colour. It shows nothing itself, and is in no slug.
const EMOJI_PRESENTATION: char = '\u{fe0f}';
/// The character that joins emoji to one.
const JOINER: char = '\u{200d}';

/// Checks a slug, and returns it as it is stored. On a host of an account it may have several segments, and be a pattern.
pub(crate) fn check_slug(text: &str) -> Result<Cow<'_, str>, &'static str> {
    if !text.contains('/') {
        return check_segment(text);
    }
    let mut slug = without_rest(text).split('/').map(check_segment).collect::<Result<Vec<_>, _>>()?.join("/");
    if is_pattern(text) {
        slug.push_str(REST);
    }
    let fits = has_shape(&slug, MAX_SEGMENTS);
    if fits { Ok(slug.into()) } else { Err("must have at most 5 segments and 64 characters") }
}

/// Checks a slug of one segment, and returns it as it is stored: in NFC (UAX 15), and emoji without [`EMOJI_PRESENTATION`]. Letters, marks and digits
/// are those that UTS 39 §3.1 allows in identifiers, of one script or of those that one language is written in (§5.1). A slug
/// whose characters all look like ones of ASCII (§4) must be written with these.
pub(crate) fn check_segment(text: &str) -> Result<Cow<'_, str>, &'static str> {
    if text.is_ascii() {
        let fits = is_ascii_slug(text, 1);
        return if fits { Ok(text.into()) } else { Err("must have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -") };
    }
    let slug: String = text.chars().filter(|character| *character != EMOJI_PRESENTATION).nfc().collect();
    let is_allowed = |character: char| is_letter(character) && (character.is_ascii() || character.identifier_allowed());
    if !has_shape(&slug, 1) || !after_slug(&slug, is_allowed).is_empty() {
        return Err("must have 1 to 64 letters, digits, emoji, _ and -");
    }
    if !slug.is_single_script() {
        return Err("must not mix letters of several scripts, such as Latin and Cyrillic: they look alike");
    }
    if !slug.is_ascii() && slug.chars().all(|character| character.is_ascii() || looks_like_ascii(character)) {
        return Err("must not look like a slug of A-Z, a-z and 0-9 that has other letters");
    }
    Ok(slug.into())
}

/// The slug that a request's path names, as it is stored, if it names one of at most so many segments. Short URLs are pasted with what surrounds them in a text:
/// slashes in front, and at the end punctuation, spaces and whatever else is no letter, digit or emoji, are no part of the slug; nor are
/// invisible characters anywhere. Percent-encoded characters are the characters (RFC 3986 §6.2.2.2; mail gateways encode letters too).
/// Looks of characters are not judged: Unicode may come to judge those of an existing slug otherwise.
pub(crate) fn slug_of_path(path: &str, max_segments: usize) -> Option<Cow<'_, str>> {
    let slug = path.strip_prefix('/')?;
    // Most paths are as they should be.
    if is_ascii_slug(slug, max_segments) {
        return Some(slug.into());
    }
    let text: String = visible(&percent_decode_str(slug).decode_utf8_lossy()).nfc().collect();
    let text = text.trim_start_matches(['/', ' ']);
    let after = after_slug(text, |character| is_letter(character) || (character == '/' && max_segments > 1));
    let slug = text.strip_suffix(after)?.trim_end_matches('/');
    (has_shape(slug, max_segments) && !after.contains(is_letter)).then(|| slug.to_owned().into())
}

/// Whether the slug is a pattern.
pub(crate) fn is_pattern(slug: &str) -> bool {
    slug.ends_with(REST)
}

/// The slug without what makes it a pattern.
pub(crate) fn without_rest(slug: &str) -> &str {
    slug.strip_suffix(REST).unwrap_or(slug)
}

/// The patterns that a request's path may match, the longest first, each with the rest of the path, as it came. The URL of a pattern
/// itself has none.
pub(crate) fn patterns_of_path(path: &str) -> impl Iterator<Item = (String, &str)> {
    let slashes = path.match_indices('/').skip(1).map(|(at, _)| at);
    let ends: Vec<usize> = slashes.chain([path.len()]).take(MAX_SEGMENTS - 1).collect();
    ends.into_iter().rev().filter_map(|end| {
        let (start, rest) = path.split_at(end);
        // Signs that are cut off behind a slug must not take a segment along, which would be missing from the rest.
        let is_start = |slug: &Cow<'_, str>| start.matches('/').count() == slug.split('/').count();
        let slug = slug_of_path(start, MAX_SEGMENTS - 1).filter(is_start)?;
        Some((format!("{slug}{REST}"), rest.strip_prefix('/').filter(|rest| *rest != "*").unwrap_or_default()))
    })
}

/// The slug that is meant where none has these emoji at its end. `None`: it ends with a letter, or has none.
pub(crate) fn without_emoji_behind(slug: &str) -> Option<&str> {
    let shorter = slug.trim_end_matches(|character| !is_letter(character) && character != '/');
    (!shorter.is_empty() && shorter != slug && !shorter.ends_with('/')).then_some(shorter)
}

fn is_ascii_slug(text: &str, max_segments: usize) -> bool {
    let shaped = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-/".contains(&byte));
    shaped && has_shape(text, max_segments)
}

/// Whether a slug has an allowed length and number of segments, none of them empty, and a letter to which each mark belongs.
fn has_shape(slug: &str, max_segments: usize) -> bool {
    let is_whole = |segment: &str| !segment.is_empty() && !segment.starts_with(is_combining_mark);
    within(slug, 1, MAX_SLUG) && slug.split('/').all(is_whole) && slug.split('/').count() <= max_segments
}

/// Whether the character may be in a slug by itself, whatever it looks like.
fn is_letter(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '-' | '_') || is_combining_mark(character)
}

/// The text behind the letters and emoji that it begins with, or behind more of them than any slug has.
fn after_slug(text: &str, is_letter: impl Fn(char) -> bool) -> &str {
    let mut rest = text;
    loop {
        let (_, after) = rest.split_at(rest.find(|character| !is_letter(character)).unwrap_or(rest.len()));
        let (_, after) = after.split_at(emoji(after));
        let (read, _) = text.split_at(text.len() - after.len());
        // More bytes than 64 characters have are no slug, and a path may be a thousand times as long.
        if after.len() == rest.len() || read.trim_end_matches('/').len() > MAX_BYTES {
            return after;
        }
        rest = after;
    }
}

/// The length in bytes of the emoji that the text begins with: the longest of Unicode's list (UTS 51, RGI) but keycaps, whose digits are
/// letters. 0: it begins with none.
fn emoji(text: &str) -> usize {
    let ends = text.char_indices().map(|(at, character)| at + character.len_utf8());
    let is_emoji = |end: &usize| text.get(..*end).is_some_and(|text| emojis::get(text).is_some());
    if text.starts_with(|first: char| first.is_ascii()) {
        0
    } else {
        ends.take(MAX_EMOJI).filter(is_emoji).last().unwrap_or(0)
    }
}

/// The text without characters that show nothing, but for those that may join emoji.
fn visible(text: &str) -> String {
    let mut parts = text.split(JOINER).map(without_invisible);
    let mut visible = parts.next().unwrap_or_default().into_owned();
    for part in parts {
        if part.starts_with(|first: char| !first.is_ascii() && !is_letter(first)) {
            visible.push(JOINER);
        }
        visible.push_str(&part);
    }
    visible
}

/// Whether the character is drawn as one of ASCII that slugs have.
fn looks_like_ascii(character: char) -> bool {
    let mut text = [0; 4];
    let mut shapes = skeleton(character.encode_utf8(&mut text));
    shapes.next().is_some_and(|shape| shape.is_ascii() && is_letter(shape)) && shapes.next().is_none()
}

/// The path with its percent-encoded unreserved characters written as themselves (RFC 3986 §6.2.2.2). `None`: it has none.
pub(crate) fn without_needless_encoding(path: &str) -> Option<String> {
    let mut written = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let (before, encoded) = rest.split_at(at);
        written.push_str(before);
        let byte = encoded.get(1..3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (character, length) = match byte.filter(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(byte)) {
            Some(byte) => (byte.into(), 3),
            None => ('%', 1),
        };
        written.push(character);
        rest = encoded.get(length..).unwrap_or_default();
    }
    written.push_str(rest);
    (written != path).then_some(written)
}

#[cfg(test)]
mod tests;
