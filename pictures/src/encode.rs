//! Pixels → files.

use jpeg_encoder::{ColorType as JpegColor, Encoder as JpegEncoder};
use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, Filter};

use crate::{
    Refused,
    decode::{Kind, decode},
    pixels::{PIXEL, Picture},
};

/// Qualities of JPEG, of which the first is taken that makes the file short enough: at 85 nobody sees the difference.
const QUALITIES: [u8; 3] = [85, 75, 60];

/// The type of a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaType {
    /// PNG, without loss.
    Png,
    /// JPEG.
    Jpeg,
}

impl MediaType {
    /// As `Content-Type` has it.
    pub const fn as_str(self) -> &'static str {
        match self {
            MediaType::Png => "image/png",
            MediaType::Jpeg => "image/jpeg",
        }
    }
}

/// A file that was written.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Its type.
    pub media_type: MediaType,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// A file's picture, written anew with at most `side` pixels at a side and `length` bytes. A JPEG stays one; PNG and WebP become PNG, or JPEG
/// where PNG would be too long and nothing is transparent.
pub fn rewritten(file: &[u8], side: u32, length: usize) -> Result<Encoded, Refused> {
    let picture = decode(file, side)?;
    let encoded = |media_type, content| {
        let (width, height) = (picture.width(), picture.height());
        Encoded { media_type, width, height, content }
    };
    let is_short = |content: &Vec<u8>| content.len() <= length;
    if Kind::of(file) != Some(Kind::Jpeg)
        && let Some(png) = picture.png().ok().filter(is_short)
    {
        return Ok(encoded(MediaType::Png, png));
    }
    if !picture.is_opaque() {
        return Err(Refused::TooLong);
    }
    let jpeg = QUALITIES.iter().filter_map(|quality| picture.jpeg(*quality)).find(is_short);
    jpeg.map(|jpeg| encoded(MediaType::Jpeg, jpeg)).ok_or(Refused::TooLong)
}

impl Picture {
    /// The picture as a PNG.
    pub fn png(&self) -> Result<Vec<u8>, EncodingError> {
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, self.width(), self.height());
        encoder.set_depth(BitDepth::Eight);
        encoder.set_compression(Compression::Balanced);
        encoder.set_filter(Filter::Adaptive);
        if self.is_opaque() {
            encoder.set_color(ColorType::Rgb);
            let rgb: Vec<u8> = self
                .rgba()
                .as_chunks::<PIXEL>()
                .0
                .iter()
                .flat_map(|[red, green, blue, _]| [*red, *green, *blue])
                .collect();
            encoder.write_header()?.write_image_data(&rgb)?;
        } else {
            encoder.set_color(ColorType::Rgba);
            encoder.write_header()?.write_image_data(self.rgba())?;
        }
        Ok(file)
    }

    /// The picture as a JPEG, without its opacity. `None`: a side is too long for one.
    fn jpeg(&self, quality: u8) -> Option<Vec<u8>> {
        let (width, height) = (u16::try_from(self.width()).ok()?, u16::try_from(self.height()).ok()?);
        let mut file = Vec::new();
        let mut encoder = JpegEncoder::new(&mut file, quality);
        encoder.set_optimized_huffman_tables(true);
        encoder.encode(self.rgba(), width, height, JpegColor::Rgba).ok()?;
        Some(file)
    }
}
