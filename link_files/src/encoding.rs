//! The encodings of files: which one a file is in, and its text. Rules and names are those of the Encoding Standard
//! (<https://encoding.spec.whatwg.org>), so that a browser decodes a file to the same text.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::{FileError, HEAD};

/// Of the bytes at even or odd places, the share that is zero in UTF-16 without a byte order mark: letters of ASCII are the most
/// of any file of links.
const UTF_16_ZEROS: usize = 3;

/// The standard's name of an encoding, of any of its names. `None`: it has none of this name.
pub fn encoding_name(label: &str) -> Option<&'static str> {
    Encoding::for_label(label.as_bytes()).map(Encoding::name)
}

/// The text of a whole file without its byte order mark, and the name of its encoding. `label`: the encoding, if it is known. Otherwise
/// it is told by a byte order mark, by zeros between letters (UTF-16), and is UTF-8 if all bytes are, else Windows-1252. Fails if the
/// label is unknown, or the text is UTF-8 but for some bytes.
pub fn decode<'a>(file: &'a [u8], label: Option<&str>) -> Result<(Cow<'a, str>, &'static str), FileError> {
    let encoding = match (label, Encoding::for_bom(file)) {
        (Some(label), _) => Encoding::for_label(label.as_bytes()).ok_or(FileError::Encoding("an unknown encoding"))?,
        (None, Some((encoding, _))) => encoding,
        (None, None) => guess(file)?,
    };
    let (text, _) = encoding.decode_with_bom_removal(file);
    Ok((text, encoding.name()))
}

fn guess(file: &[u8]) -> Result<&'static Encoding, FileError> {
    let head = &file[..file.len().min(HEAD)];
    let zeros = |first: usize| head.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, half) = (zeros(0), zeros(1), head.len() / 2);
    if odd * UTF_16_ZEROS > half && even * 2 < odd {
        return Ok(UTF_16LE);
    }
    if even * UTF_16_ZEROS > half && odd * 2 < even {
        return Ok(UTF_16BE);
    }
    let (mut letters, mut others) = (0_usize, 0_usize);
    for chunk in file.utf8_chunks() {
        letters += chunk.valid().chars().filter(|character| !character.is_ascii()).count();
        others += chunk.invalid().len();
    }
    match others {
        0 => Ok(UTF_8),
        // Two bytes of Windows-1252 are seldom one letter of UTF-8 by chance.
        others if letters > others => Err(FileError::Encoding("UTF-8 but for some bytes that are damaged")),
        _ => Ok(WINDOWS_1252),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to_bytes).collect()
    }

    #[test]
    fn files_are_decoded_by_what_they_are() {
        const TEXT: &str = "url;titel\nhttps://acme.example/;Größe – 5 €\n";
        let bom = format!("\u{feff}{TEXT}");
        let (windows, _, _) = WINDOWS_1252.encode(TEXT);
        for (file, name) in [
            (TEXT.as_bytes().to_vec(), "UTF-8"),
            (bom.as_bytes().to_vec(), "UTF-8"),
            (utf_16(TEXT, u16::to_le_bytes), "UTF-16LE"),
            (utf_16(&bom, u16::to_le_bytes), "UTF-16LE"),
            (utf_16(TEXT, u16::to_be_bytes), "UTF-16BE"),
            (utf_16(&bom, u16::to_be_bytes), "UTF-16BE"),
            (windows.to_vec(), "windows-1252"),
        ] {
            let (text, found) = decode(&file, None).unwrap();
            assert_eq!((text.as_ref(), found), (TEXT, name));
        }
        assert_eq!(decode(b"za\xBF\xF3\xB3\xE6", Some("windows-1250")).unwrap().0, "zażółć");
        assert!(decode(b"a", Some("nonsense")).is_err());
        assert!(decode("Größe, Maße, Füße \u{e9}\n".as_bytes(), None).is_ok());
        let damaged = [TEXT.as_bytes(), b"\xF6"].concat();
        assert!(matches!(decode(&damaged, None), Err(FileError::Encoding(_))));
        assert_eq!(decode(b"", None).unwrap(), ("".into(), "UTF-8"));
        assert_eq!((encoding_name("latin1"), encoding_name("x")), (Some("windows-1252"), None));
    }
}
