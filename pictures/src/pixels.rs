//! A picture in memory, and how it is turned and scaled.

/// Bytes of a pixel: red, green, blue and opacity.
pub(crate) const PIXEL: usize = 4;

/// A picture in memory, in sRGB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    /// Rows from the top, each pixel being red, green, blue and opacity.
    rgba: Vec<u8>,
}

impl Picture {
    /// A picture of pixels in rows from the top, each of them red, green, blue and opacity. `None`: their number is another one, or there
    /// are none.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Option<Self> {
        let fits = width > 0 && height > 0 && width as usize * height as usize * PIXEL == rgba.len();
        fits.then_some(Picture { width, height, rgba })
    }

    /// Width in pixels, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Its rows from the top, each pixel being red, green, blue and opacity.
    pub fn rows(&self) -> impl Iterator<Item = &[u8]> {
        self.rgba.chunks_exact(self.width as usize * PIXEL)
    }

    pub(crate) fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// Whether nothing shows through it.
    pub fn is_opaque(&self) -> bool {
        self.rgba.iter().skip(3).step_by(PIXEL).all(|opacity| *opacity == u8::MAX)
    }

    /// The picture with at most so many pixels at each side, in the same proportions.
    #[must_use]
    pub fn within(self, side: u32) -> Self {
        if self.width.max(self.height) <= side.max(1) { self } else { self.fitted(side) }
    }

    /// The picture with so many pixels at its longest side, in the same proportions.
    #[must_use]
    pub fn fitted(&self, side: u32) -> Self {
        let longest = self.width.max(self.height);
        let scaled = |length: u32| {
            let rounded = (u64::from(length) * u64::from(side) + u64::from(longest) / 2) / u64::from(longest);
            u32::try_from(rounded).unwrap_or(side).max(1)
        };
        self.scaled(scaled(self.width), scaled(self.height))
    }

    /// The picture in this size, at least one pixel at each side: each pixel is the mean of those that it covers.
    fn scaled(&self, width: u32, height: u32) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        let (columns, lines) = (covered(self.width, width), covered(self.height, height));
        let row_bytes = self.width as usize * PIXEL;
        let mut rgba = Vec::with_capacity(width as usize * height as usize * PIXEL);
        let mut sums = vec![0.0_f32; row_bytes];
        for line in &lines {
            sums.fill(0.0);
            for (y, share) in line {
                let row = self.rgba.chunks_exact(PIXEL).skip(y * self.width as usize);
                // A transparent pixel has no colour that could show.
                for (sum, pixel) in sums.chunks_exact_mut(PIXEL).zip(row) {
                    let opacity = share * f32::from(pixel[3]);
                    sum[0] += opacity * f32::from(pixel[0]);
                    sum[1] += opacity * f32::from(pixel[1]);
                    sum[2] += opacity * f32::from(pixel[2]);
                    sum[3] += opacity;
                }
            }
            for column in &columns {
                let mut mean = [0.0_f32; PIXEL];
                for (x, share) in column {
                    for (channel, sum) in mean.iter_mut().zip(sums.iter().skip(x * PIXEL)) {
                        *channel += share * sum;
                    }
                }
                let [red, green, blue, opacity] = mean;
                let color = |sum: f32| if opacity > 0.0 { (sum / opacity).round() as u8 } else { 0 };
                rgba.extend([color(red), color(green), color(blue), opacity.round() as u8]);
            }
        }
        Picture { width, height, rgba }
    }

    /// Draws another picture over it, from this place on; its own opacity stays.
    pub fn draw(&mut self, over: &Picture, left: u32, top: u32) {
        let rows = self.rgba.chunks_exact_mut(self.width as usize * PIXEL).skip(top as usize);
        for (under, over) in rows.zip(over.rows()) {
            let under = under.as_chunks_mut::<PIXEL>().0.iter_mut().skip(left as usize);
            for ([under @ .., _], [over @ .., opacity]) in under.zip(over.as_chunks::<PIXEL>().0) {
                for (under, over) in under.iter_mut().zip(over) {
                    let mixed =
                        u32::from(*over) * u32::from(*opacity) + u32::from(*under) * u32::from(u8::MAX - opacity);
                    *under = u8::try_from((mixed + 127) / 255).unwrap_or(u8::MAX);
                }
            }
        }
    }

    /// The picture as its camera means it to be held: one of the eight orientations of EXIF (CIPA DC-008, tag 0x0112). Any other is as it is.
    pub(crate) fn oriented(self, orientation: u16) -> Self {
        let (right, bottom) = (self.width - 1, self.height - 1);
        let source = |x: u32, y: u32| match orientation {
            2 => (right - x, y),
            3 => (right - x, bottom - y),
            4 => (x, bottom - y),
            5 => (y, x),
            6 => (y, bottom - x),
            7 => (right - y, bottom - x),
            8 => (right - y, x),
            _ => (x, y),
        };
        let (width, height) = match orientation {
            2..=4 => (self.width, self.height),
            5..=8 => (self.height, self.width),
            _ => return self,
        };
        let mut rgba = Vec::with_capacity(self.rgba.len());
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let (x, y) = source(x, y);
            let start = (y as usize * self.width as usize + x as usize) * PIXEL;
            rgba.extend_from_slice(&self.rgba[start..start + PIXEL]);
        }
        Picture { width, height, rgba }
    }
}

/// The pixels that each one of a row of `to` covers in a row of `from`, with their shares, which are 1 together.
fn covered(from: u32, to: u32) -> Vec<Vec<(usize, f32)>> {
    let ratio = f64::from(from) / f64::from(to);
    let of = |new: u32| {
        let (start, end) = (f64::from(new) * ratio, f64::from(new + 1) * ratio);
        let pixels = start.floor() as u32..(end.ceil() as u32).min(from);
        let share = |pixel: u32| (end.min(f64::from(pixel + 1)) - start.max(f64::from(pixel))) / ratio;
        pixels.map(|pixel| (pixel as usize, share(pixel) as f32)).collect()
    };
    (0..to).map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, rgba: &[[u8; 4]]) -> Picture {
        Picture::new(width, rgba.len() as u32 / width, rgba.concat()).unwrap()
    }

    #[test]
    fn each_orientation_is_turned_upright() {
        let [a, b, c, d, e, f] = [1, 2, 3, 4, 5, 6].map(|red| [red, 0, 0, 255]);
        let upright = picture(3, &[a, b, c, d, e, f]);
        for (orientation, stored) in [
            (1, picture(3, &[a, b, c, d, e, f])),
            (2, picture(3, &[c, b, a, f, e, d])),
            (3, picture(3, &[f, e, d, c, b, a])),
            (4, picture(3, &[d, e, f, a, b, c])),
            (5, picture(2, &[a, d, b, e, c, f])),
            (6, picture(2, &[c, f, b, e, a, d])),
            (7, picture(2, &[f, c, e, b, d, a])),
            (8, picture(2, &[d, a, e, b, f, c])),
            (9, picture(3, &[a, b, c, d, e, f])),
        ] {
            assert_eq!(stored.oriented(orientation), upright, "{orientation}");
        }
    }

    #[test]
    fn scaled_pixels_are_means_and_transparent_ones_have_no_colour() {
        let (black, white, clear) = ([0, 0, 0, 255], [255, 255, 255, 255], [9, 9, 9, 0]);
        let checked = picture(4, &[black, white, white, clear, white, black, white, clear]);
        assert_eq!(checked.scaled(2, 1), picture(2, &[[128, 128, 128, 255], [255, 255, 255, 128]]));
        assert_eq!(picture(3, &[black, white, black]).scaled(2, 1), picture(2, &[[85, 85, 85, 255]; 2]));
        assert_eq!(picture(1, &[white]).scaled(2, 3), picture(2, &[white; 6]));
        assert_eq!(checked.clone().within(4), checked);
        let mut white = picture(2, &[white; 4]);
        white.draw(&picture(2, &[[0, 0, 0, 51], black]), 1, 1);
        assert_eq!(white, picture(2, &[[255; 4], [255; 4], [255; 4], [204, 204, 204, 255]]));
        assert_eq!((checked.clone().within(2).width(), checked.within(1).height()), (2, 1));
    }
}
