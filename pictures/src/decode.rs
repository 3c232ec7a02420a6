//! Files of pictures → pixels. The size is taken from the header and judged before anything is decoded: a small file can claim any.

use std::io::Cursor;

use image_webp::WebPDecoder;
use png::{ColorType, Limits, Transformations};
use zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions};
use zune_jpeg::JpegDecoder;

use crate::{
    exif,
    pixels::{PIXEL, Picture},
};

/// Most pixels at a side of a picture that is decoded: 64 MiB of pixels, and as much again for the largest step of a decoder.
pub const MAX_SIDE: u32 = 4_096;
/// Bytes that a decoder may take beside the pixels, where it can be told.
const MAX_MEMORY: usize = 64 << 20;
/// Scans of a progressive JPEG. Encoders make some ten; each costs a pass over all pixels, and few bytes.
const MAX_SCANS: usize = 64;

/// The kind of a file, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Png,
    Jpeg,
    WebP,
}

impl Kind {
    /// `None`: the file is of no kind that is decoded.
    pub(crate) fn of(file: &[u8]) -> Option<Self> {
        match file {
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Kind::Png),
            [0xff, 0xd8, 0xff, ..] => Some(Kind::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Kind::WebP),
            _ => None,
        }
    }
}

/// Why a file gives no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The file is neither PNG nor JPEG nor WebP.
    #[error("is not a PNG, JPEG or WebP image")]
    Unknown,
    /// A side is longer than [`MAX_SIDE`].
    #[error("is an image with more than {MAX_SIDE} pixels at a side")]
    TooLarge,
    /// The file ends too early, or is damaged.
    #[error("is an image that is damaged or incomplete")]
    Broken,
    /// The picture has too many bytes, also once it is written again.
    #[error("is an image of more than 1 MiB once it is written again")]
    TooLong,
}

/// The picture in a file of at most [`MAX_SIDE`] pixels at a side, upright as its EXIF says, and scaled down to at most `side` pixels. Of an
/// animation it is the first frame. Whatever else the file has is left out, a colour profile too.
pub fn decode(file: &[u8], side: u32) -> Result<Picture, Refused> {
    let (picture, exif) = match Kind::of(file).ok_or(Refused::Unknown)? {
        Kind::Png => png(file)?,
        Kind::Jpeg => jpeg(file)?,
        Kind::WebP => webp(file)?,
    };
    let orientation = exif.and_then(|exif| exif::orientation(&exif)).unwrap_or(1);
    Ok(picture.within(side).oriented(orientation))
}

/// A picture, and the EXIF of its file, if it has one.
type Found = Result<(Picture, Option<Vec<u8>>), Refused>;

fn check(width: u32, height: u32) -> Result<(), Refused> {
    if width.max(height) <= MAX_SIDE { Ok(()) } else { Err(Refused::TooLarge) }
}

fn broken<E>(_: E) -> Refused {
    Refused::Broken
}

fn png(file: &[u8]) -> Found {
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), Limits { bytes: MAX_MEMORY });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::ALPHA | Transformations::STRIP_16);
    let (width, height) = decoder.read_header_info().map_err(broken)?.size();
    check(width, height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or(Refused::TooLarge)?];
    let frame = reader.next_frame(&mut pixels).map_err(broken)?;
    let exif = reader.info().exif_metadata.as_deref().map(<[u8]>::to_vec);
    let rgba = match frame.color_type {
        ColorType::Rgba => pixels,
        ColorType::GrayscaleAlpha => {
            pixels.as_chunks::<2>().0.iter().flat_map(|[gray, opacity]| [*gray, *gray, *gray, *opacity]).collect()
        }
        _ => return Err(Refused::Broken),
    };
    Ok((Picture::new(width, height, rgba).ok_or(Refused::Broken)?, exif))
}

fn jpeg(file: &[u8]) -> Found {
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .jpeg_set_max_scans(MAX_SCANS)
        // Judged below.
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
        // Cameras and editors leave small faults that no viewer minds.
        .set_strict_mode(false);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(broken)?;
    let info = decoder.info().ok_or(Refused::Broken)?;
    let (width, height) = (info.width.into(), info.height.into());
    check(width, height)?;
    let rgba = decoder.decode().map_err(broken)?;
    let exif = decoder.exif().cloned();
    Ok((Picture::new(width, height, rgba).ok_or(Refused::Broken)?, exif))
}

fn webp(file: &[u8]) -> Found {
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(broken)?;
    decoder.set_memory_limit(MAX_MEMORY);
    let (width, height) = decoder.dimensions();
    check(width, height)?;
    if !frames_fit(file.get(12..).unwrap_or_default(), (width, height)) {
        return Err(Refused::Broken);
    }
    let mut pixels = vec![0; decoder.output_buffer_size().ok_or(Refused::TooLarge)?];
    decoder.read_image(&mut pixels).map_err(broken)?;
    let exif = decoder.exif_metadata().ok().flatten();
    let rgba = match decoder.has_alpha() {
        true => pixels,
        false => {
            let mut rgba = Vec::with_capacity(pixels.len() / 3 * PIXEL);
            pixels.as_chunks::<3>().0.iter().for_each(|[red, green, blue]| rgba.extend([*red, *green, *blue, u8::MAX]));
            rgba
        }
    };
    Ok((Picture::new(width, height, rgba).ok_or(Refused::Broken)?, exif))
}

/// Whether each lossy frame among the chunks of a WebP (RFC 9649) has the size that the picture, or the animation's frame, says: the
/// decoder believes either, and makes room for it.
fn frames_fit(mut chunks: &[u8], (width, height): (u32, u32)) -> bool {
    while let Some((header, rest)) = chunks.split_first_chunk::<8>() {
        let [name @ .., a, b, c, d] = header;
        let length = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        let content = rest.get(..length).unwrap_or(rest);
        let fits = match name {
            b"VP8 " => matches!(content, [_, _, _, _, _, _, a, b, c, d, ..]
                if u32::from(u16::from_le_bytes([*a, *b]) & 0x3fff) == width
                    && u32::from(u16::from_le_bytes([*c, *d]) & 0x3fff) == height),
            b"ANMF" => matches!(content, [_, _, _, _, _, _, a, b, c, d, e, f, _, _, _, _, inner @ ..]
                if frames_fit(inner, (u32::from_le_bytes([*a, *b, *c, 0]) + 1, u32::from_le_bytes([*d, *e, *f, 0]) + 1))),
            _ => true,
        };
        if !fits {
            return false;
        }
        chunks = rest.get(length.saturating_add(length % 2)..).unwrap_or_default();
    }
    true
}
