//! The rule of colours.

pub(crate) const COLOR_PATTERN: &str = "^#?[0-9A-Fa-f]{6}$";

/// Red, green and blue of a colour as it is written in a request: `#1d3557`, or `1d3557`, which URLs need not encode.
pub(crate) fn color(text: &str) -> Result<[u8; 3], &'static str> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let mut color = [0; 3];
    match hex::decode_to_slice(digits, &mut color) {
        Ok(()) => Ok(color),
        Err(_) => Err("must be a colour of six hexadecimal digits, such as #1d3557"),
    }
}

/// The relative luminance of a colour, from 0 for black to 1 for white (WCAG 2.2).
pub(crate) fn luminance(color: [u8; 3]) -> f64 {
    let [red, green, blue] = color.map(|channel| {
        let channel = f64::from(channel) / 255.0;
        if channel <= 0.04045 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_colour_has_six_digits() {
        for text in ["#1d3557", "1d3557", "1D3557"] {
            assert_eq!(color(text), Ok([0x1d, 0x35, 0x57]), "{text}");
        }
        for text in ["", "#", "#fff", "##1d3557", "1d35570", "1d355g", "red", "#1d3557 ", "１d3557"] {
            assert!(color(text).is_err(), "{text}");
        }
    }
}
