//! Texts of a block's links, in which words are found without unpacking them.
//!
//! Texts are cut into pieces, most of which occur in many links. A dictionary has each piece once, and a sequence of numbers tells which pieces
//! a text has. A word is looked for in the dictionary, and then, if a piece has it, the pieces that have it in the sequence.

use std::collections::HashMap;

use memchr::{memchr, memchr_iter, memmem::Finder};

use super::{indexed::Indexed, places::Places};

/// Texts of a link.
const FIELDS: usize = 3;
/// Pieces of a word up to which it is looked for: one bit of a number each.
const MAX_PIECES: usize = 64;
/// Stands before and after each piece in the dictionary. No text has it.
const BETWEEN: u8 = 0;
/// Bytes of the part's head: number of pieces, length of the dictionary.
const HEAD: usize = 8;

/// Where a text is cut: before a character that often follows what many texts have. Whether a place is one depends on the two characters
/// around it alone, so that a word is cut where the texts that have it are.
fn is_cut(before: u8, after: u8) -> bool {
    matches!(after, b'/' | b'?' | b'&' | b' ' | b'\n') && !matches!(before, b':' | b'/')
}

/// The pieces of a text; of an empty one, one that is empty.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let cuts = (1..bytes.len()).filter(|at| is_cut(bytes[at - 1], bytes[*at]));
    let mut from = 0;
    cuts.chain([bytes.len()]).filter_map(move |to| text.get(std::mem::replace(&mut from, to)..to))
}

/// The part of a block that has its texts: the dictionary, and the numbers of two bytes each, or of four if there are many. The highest bit of
/// the last number of a text is set.
pub(crate) fn written(links: &[Indexed]) -> Vec<u8> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let (mut dictionary, mut sequence) = (vec![BETWEEN], Vec::new());
    for text in links.iter().flat_map(|link| &link.texts) {
        for piece in pieces(text) {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            let number = *numbers.entry(piece).or_insert_with(|| {
                dictionary.extend_from_slice(piece.as_bytes());
                dictionary.push(BETWEEN);
                next
            });
            sequence.push((number, false));
        }
        if let Some((_, is_last)) = sequence.last_mut() {
            *is_last = true;
        }
    }
    let length = |length: usize| u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    let mut part = [length(numbers.len()), length(dictionary.len())].concat();
    part.extend(dictionary);
    let is_wide = is_wide(numbers.len());
    for (number, is_last) in sequence {
        if is_wide {
            part.extend((number | u32::from(is_last) << 31).to_le_bytes());
        } else {
            part.extend((u16::try_from(number).unwrap_or_default() | u16::from(is_last) << 15).to_le_bytes());
        }
    }
    part
}

fn is_wide(pieces: usize) -> bool {
    pieces > 1 << 15
}

/// A word of a search, prepared to be looked for in many blocks.
pub(crate) struct Pattern(Vec<Finder<'static>>);

impl Pattern {
    /// `None`: it has too many pieces.
    pub(crate) fn new(word: &str) -> Option<Self> {
        let pieces: Vec<&str> = pieces(word).collect();
        let last = pieces.len() - 1;
        let finders = pieces.iter().enumerate().map(|(index, piece)| {
            let mut bytes = piece.as_bytes().to_vec();
            // A word may begin and end within a piece, and has those between as a whole.
            if index > 0 {
                bytes.insert(0, BETWEEN);
            }
            if index < last {
                bytes.push(BETWEEN);
            }
            Finder::new(&bytes).into_owned()
        });
        (pieces.len() <= MAX_PIECES).then(|| Pattern(finders.collect()))
    }
}

/// Texts of a block.
pub(crate) struct Texts<'a> {
    pieces: usize,
    dictionary: &'a [u8],
    sequence: &'a [u8],
}

impl<'a> Texts<'a> {
    /// `None`: the part is damaged.
    pub(crate) fn read(part: &'a [u8]) -> Option<Self> {
        let (head, rest) = part.split_at_checked(HEAD)?;
        let number = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
        let (dictionary, sequence) = rest.split_at_checked(number(&head[4..])?)?;
        // Each piece takes a byte at least.
        let pieces = number(&head[..4])?;
        (pieces <= dictionary.len()).then_some(Texts { pieces, dictionary, sequence })
    }

    /// The links of which a text has the word.
    pub(crate) fn having(&self, word: &Pattern) -> Places {
        // Bit n of a piece's number: the nth piece of the word is, or is in, this piece.
        let mut parts = vec![0_u64; self.pieces];
        for (index, finder) in word.0.iter().enumerate() {
            if !self.mark(finder, 1 << index, &mut parts) {
                return Places::default();
            }
        }
        let whole = 1 << (word.0.len() - 1);
        if is_wide(self.pieces) {
            let numbers =
                self.sequence.chunks_exact(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
            having(numbers.map(|number| ((number & !(1 << 31)) as usize, number >> 31 == 1)), &parts, whole)
        } else {
            let numbers = self.sequence.chunks_exact(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
            having(numbers.map(|number| (usize::from(number & !(1 << 15)), number >> 15 == 1)), &parts, whole)
        }
    }

    /// Marks the pieces of the dictionary in which the bytes are found. Returns whether there are any.
    fn mark(&self, bytes: &Finder<'_>, mark: u64, parts: &mut [u64]) -> bool {
        let dictionary = self.dictionary;
        // `begun`: pieces that have begun before `from`.
        let (mut from, mut begun, mut is_any) = (0, 0, false);
        while let Some(at) = dictionary.get(from..).and_then(|rest| bytes.find(rest)).map(|at| from + at) {
            begun += memchr_iter(BETWEEN, &dictionary[from..=at]).count();
            let end = memchr(BETWEEN, &dictionary[at + 1..]).map_or(dictionary.len(), |end| at + 1 + end);
            if let Some(part) = parts.get_mut(begun.wrapping_sub(1)) {
                *part |= mark;
                is_any = true;
            }
            from = end;
        }
        is_any
    }
}

/// The links one of whose texts has pieces, one after another, with the marks of a word's pieces; `whole` is the mark of its last one.
fn having(sequence: impl Iterator<Item = (usize, bool)>, parts: &[u64], whole: u64) -> Places {
    let mut found = Places::none(0);
    // Bit n of `begun`: the word's pieces up to the nth one end here.
    let (mut begun, mut field, mut link, mut is_found) = (0_u64, 0, 0, false);
    for (piece, is_last) in sequence {
        begun = (begun << 1 | 1) & parts.get(piece).copied().unwrap_or(0);
        is_found |= begun & whole != 0;
        if is_last {
            (begun, field) = (0, field + 1);
            if field == FIELDS {
                if is_found {
                    found.insert(link);
                }
                (field, link, is_found) = (0, link + 1, false);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::{collection::vec, prelude::*};

    use super::*;

    fn found(texts: &[[String; 3]], word: &str) -> Vec<usize> {
        let links: Vec<Indexed> =
            texts.iter().map(|texts| Indexed { texts: texts.clone(), ..Indexed::default() }).collect();
        let part = written(&links);
        Texts::read(&part).unwrap().having(&Pattern::new(word).unwrap()).iter().collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn a_word_is_found_where_a_text_contains_it(
            texts in vec(["[ab/]{0,7}", "[ab/:?& ü🦀]{0,12}", "[a \n/ß]{0,9}"], 0..12),
            word in "[ab/:?& \nüß🦀]{1,5}",
        ) {
            let expected: Vec<usize> = (0..texts.len()).filter(|link| texts[*link].iter().any(|text| text.contains(&word))).collect();
            prop_assert_eq!(found(&texts, &word), expected);
        }
    }

    #[test]
    fn a_damaged_head_is_not_believed() {
        let part = written(&[Indexed { texts: ["a".into(), "b".into(), "c".into()], ..Indexed::default() }]);
        for at in [0, 4] {
            let mut damaged = part.clone();
            damaged[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
            assert!(Texts::read(&damaged).is_none());
        }
    }

    #[test]
    fn many_pieces_have_longer_numbers() {
        let texts: Vec<[String; 3]> =
            (0..20_000).map(|n| [format!("s{n}"), format!("d/{n}x"), format!("t {n}y")]).collect();
        assert_eq!(found(&texts, "19999"), [19_999]);
        assert_eq!(found(&texts, "d/12345x"), [12_345]);
        assert_eq!(found(&texts, "t 777y"), [777]);
        assert_eq!(found(&texts, "d").len(), 20_000);
        assert_eq!(found(&texts, "/ "), [0; 0]);
        assert!(Pattern::new(&"&".repeat(65)).is_none());
    }
}
