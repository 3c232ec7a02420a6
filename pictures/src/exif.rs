//! The one fact of EXIF that a picture needs once it is written without EXIF: how the camera was held.

/// The start of EXIF within a JPEG; some programs write it elsewhere, too.
const JPEG_PREFIX: &[u8] = b"Exif\0\0";
/// The tag of the orientation, a SHORT in the first directory (CIPA DC-008 §4.6.4).
const ORIENTATION: u16 = 0x0112;
/// The type SHORT: an unsigned number of 16 bits.
const SHORT: u16 = 3;
/// Bytes of an entry of a directory (TIFF 6.0 §2).
const ENTRY: usize = 12;

/// The orientation that EXIF tells, 1 to 8. `None`: it tells none.
pub(crate) fn orientation(exif: &[u8]) -> Option<u16> {
    let exif = exif.strip_prefix(JPEG_PREFIX).unwrap_or(exif);
    let is_little_endian = match exif.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = exif.get(at..)?.first_chunk::<2>()?;
        Some(if is_little_endian { u16::from_le_bytes(*bytes) } else { u16::from_be_bytes(*bytes) })
    };
    let start = exif.get(4..)?.first_chunk::<4>()?;
    let start = if is_little_endian { u32::from_le_bytes(*start) } else { u32::from_be_bytes(*start) };
    let start = usize::try_from(start).ok().filter(|start| *start < exif.len())?;
    let mut entries = (0..usize::from(short(start)?)).map(|number| start + 2 + number * ENTRY);
    let entry = entries.find(|at| short(*at) == Some(ORIENTATION) && short(at + 2) == Some(SHORT))?;
    short(entry + 8).filter(|orientation| (1..=8).contains(orientation))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_orders_of_bytes_are_read() {
        let little = b"II*\0\x08\0\0\0\x02\0\x0f\x01\x02\0\x01\0\0\0\0\0\0\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0";
        let big = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x08\0\0";
        assert_eq!((orientation(little), orientation(big)), (Some(6), Some(8)));
        assert_eq!(orientation(b"II*\0\xff\xff\xff\xff"), None);
    }

    proptest! {
        #[test]
        fn nothing_else_is_an_orientation(rest in proptest::collection::vec(any::<u8>(), 0..64), is_little: bool) {
            let exif = [if is_little { &b"II*\0"[..] } else { b"MM\0*" }, &rest].concat();
            prop_assert!(orientation(&exif).is_none_or(|orientation| (1..=8).contains(&orientation)));
        }
    }
}
