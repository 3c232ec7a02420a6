//! QR codes (ISO/IEC 18004) of short links: the symbol, and its images.

use std::{fmt::Write, io};

use async_graphql::Enum;
use base64::{Engine, engine::general_purpose::STANDARD};
use pictures::Picture;
use png::{BitDepth, ColorType, Compression, Encoder, Filter};
use qrcodegen::{QrCode, QrCodeEcc};

use crate::base::validate::luminance;

/// Least contrast of the two colours, as WCAG 2.2 measures it and demands it of text: cameras make do with less in good light, and
/// posters hang in any.
const MIN_CONTRAST: f64 = 4.5;
/// The query of the encoded URL, which tells scans from other visits; redirects do not forward it.
const SCANNED: &str = "?qr";
/// Width of a logo, as a part of the symbol's without its margin: with its border it covers a twentieth, of which level Q restores five
/// times as much.
const LOGO_SHARE: f64 = 0.2;
/// Modules in the light colour around a logo, on each side.
const LOGO_BORDER: f64 = 0.5;
/// Most pixels at a side of a logo within an SVG: more than a printer shows of it on a page.
pub(crate) const LOGO_PIXELS: u32 = 512;

/// How much of a QR code may be dirty, torn or covered.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[graphql(name = "QrCodeLevel")]
pub(crate) enum Level {
    /// About 7 %.
    L,
    /// About 15 %.
    M,
    /// About 25 %.
    Q,
    /// About 30 %.
    H,
}

/// Two colours, as red, green and blue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Colors {
    pub(crate) dark: [u8; 3],
    pub(crate) light: [u8; 3],
}

/// Why two colours make no QR code that is surely read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unreadable {
    /// Scanners look for dark modules on light ground.
    Inverted,
    /// The contrast, which is below the least.
    Pale(f64),
}

impl Colors {
    /// Fails if scanners might not tell them apart.
    pub(crate) fn check(self) -> Result<(), Unreadable> {
        let (dark, light) = (luminance(self.dark), luminance(self.light));
        if light < dark {
            return Err(Unreadable::Inverted);
        }
        let contrast = (light + 0.05) / (dark + 0.05);
        if contrast < MIN_CONTRAST { Err(Unreadable::Pale(contrast)) } else { Ok(()) }
    }
}

impl Unreadable {
    /// What is wrong with both colours.
    pub(crate) fn message(self) -> String {
        match self {
            Unreadable::Inverted => "dark must be darker than light".to_owned(),
            // Rounded down, so that what is refused never looks like enough.
            Unreadable::Pale(contrast) => {
                let contrast = (contrast * 10.0).floor() / 10.0;
                format!("the contrast of dark and light is {contrast} : 1, and must be {MIN_CONTRAST} : 1 at least")
            }
        }
    }
}

/// The QR code of a short link, with its margin.
pub(crate) struct Symbol {
    code: QrCode,
    /// Modules on each side.
    margin: u32,
}

impl Symbol {
    /// The symbol of a short URL. Its level may be a higher one where that makes it no larger. `None`: the URL is too long.
    pub(crate) fn new(short_url: &str, level: Level, margin: u32) -> Option<Self> {
        let level = match level {
            Level::L => QrCodeEcc::Low,
            Level::M => QrCodeEcc::Medium,
            Level::Q => QrCodeEcc::Quartile,
            Level::H => QrCodeEcc::High,
        };
        let code = QrCode::encode_text(&format!("{short_url}{SCANNED}"), level).ok()?;
        Some(Symbol { code, margin })
    }

    /// Modules in a row, with those of the margin.
    pub(crate) fn width(&self) -> u32 {
        self.code.size().unsigned_abs() + 2 * self.margin
    }

    /// Whether the module is dark. Those of the margin are not.
    fn is_dark(&self, x: u32, y: u32) -> bool {
        let within = |at: u32| i32::try_from(i64::from(at) - i64::from(self.margin)).unwrap_or(-1);
        self.code.get_module(within(x), within(y))
    }

    /// Modules of the logo's width.
    fn logo_width(&self) -> f64 {
        f64::from(self.code.size()) * LOGO_SHARE
    }

    /// A picture of this many pixels at each side, which viewers scale without loss, but for the logo in its middle.
    pub(crate) fn svg(&self, size: u32, Colors { dark, light }: Colors, logo: Option<&Picture>) -> io::Result<String> {
        let width = self.width();
        let mut path = String::new();
        for y in 0..width {
            let mut x = 0;
            while x < width {
                let run = (x..width).take_while(|x| self.is_dark(*x, y)).count();
                if run > 0 {
                    // Writing to a String does not fail.
                    let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
                }
                x += u32::try_from(run).unwrap_or(width).max(1);
            }
        }
        let (dark, light) = (hex::encode(dark), hex::encode(light));
        let logo = match logo {
            Some(logo) => {
                let square = |length: f64| {
                    let start = (f64::from(width) - length) / 2.0;
                    format!("x=\"{start:.2}\" y=\"{start:.2}\" width=\"{length:.2}\" height=\"{length:.2}\"")
                };
                let (border, inner) = (square(self.logo_width() + 2.0 * LOGO_BORDER), square(self.logo_width()));
                let file = STANDARD.encode(logo.png()?);
                format!("<rect fill=\"#{light}\" {border}/><image {inner} href=\"data:image/png;base64,{file}\"/>")
            }
            None => String::new(),
        };
        Ok(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{size}\" viewBox=\"0 0 {width} {width}\" \
             shape-rendering=\"crispEdges\"><path fill=\"#{light}\" d=\"M0 0h{width}v{width}H0z\"/><path fill=\"#{dark}\" \
             d=\"{path}\"/>{logo}</svg>"
        ))
    }

    /// A picture of this many pixels at each side, each module being as many whole pixels as fit: what is left is margin. `size` is the
    /// width at least.
    pub(crate) fn png(
        &self,
        size: u32,
        colors @ Colors { dark, light }: Colors,
        logo: Option<&Picture>,
    ) -> io::Result<Vec<u8>> {
        let scale = (size / self.width()).max(1);
        let offset = size.saturating_sub(scale * self.width()) / 2;
        if let Some(logo) = logo {
            return self.png_with(logo, size, (scale, offset), colors);
        }
        let line = |y: u32| {
            let mut line = vec![0; size.div_ceil(8) as usize];
            for x in (offset..size).filter(|x| self.is_dark((x - offset) / scale, y)) {
                line[x as usize / 8] |= 0x80 >> (x % 8);
            }
            line
        };
        let lines: Vec<Vec<u8>> = (0..self.width()).map(line).collect();
        let blank = vec![0; size.div_ceil(8) as usize];
        let rows = (0..size).map(|y| y.checked_sub(offset).and_then(|y| lines.get((y / scale) as usize)));
        let pixels: Vec<u8> = rows.flat_map(|line| line.unwrap_or(&blank)).copied().collect();

        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, size, size);
        encoder.set_color(ColorType::Indexed);
        encoder.set_depth(BitDepth::One);
        encoder.set_palette([light, dark].concat());
        // Nearly all lines are like the one before.
        encoder.set_filter(Filter::Up);
        encoder.set_compression(Compression::Balanced);
        encoder.write_header()?.write_image_data(&pixels)?;
        Ok(file)
    }

    /// The same with a logo in its middle. A module has `scale` pixels at a side, and the first one begins at `offset`.
    fn png_with(
        &self,
        logo: &Picture,
        size: u32,
        (scale, offset): (u32, u32),
        Colors { dark, light }: Colors,
    ) -> io::Result<Vec<u8>> {
        let pixels = |modules: f64| (modules * f64::from(scale)).round() as u32;
        let border = pixels(LOGO_BORDER).max(1);
        let logo = logo.fitted(pixels(self.logo_width()).max(1));
        let middle = offset + scale * self.width() / 2;
        let (left, top) = (middle - logo.width() / 2, middle - logo.height() / 2);
        let side = logo.width().max(logo.height()) + 2 * border;
        let bare = middle - side / 2..middle - side / 2 + side;
        let is_dark = |x: u32, y: u32| {
            let is_bare = bare.contains(&x) && bare.contains(&y);
            !is_bare && x >= offset && y >= offset && self.is_dark((x - offset) / scale, (y - offset) / scale)
        };
        let places = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
        let rgba = places.flat_map(|(x, y)| {
            let [red, green, blue] = if is_dark(x, y) { dark } else { light };
            [red, green, blue, u8::MAX]
        });
        let mut picture = Picture::new(size, size, rgba.collect()).ok_or(io::ErrorKind::InvalidInput)?;
        picture.draw(&logo, left, top);
        Ok(picture.png()?)
    }
}

#[cfg(test)]
mod tests;
