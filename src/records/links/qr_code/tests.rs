use png::{Decoder, Transformations};
use proptest::{collection::vec, prelude::*};
use rqrr::PreparedImage;

use super::*;

const BLACK_ON_WHITE: Colors = Colors { dark: [0; 3], light: [255; 3] };

/// Pixels of a square, from 0 for black to 255 for white.
struct Drawn {
    size: usize,
    pixels: Vec<u8>,
}

impl Drawn {
    fn of_png(file: &[u8]) -> Self {
        let mut decoder = Decoder::new(io::Cursor::new(file));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut colors = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut colors).unwrap();
        assert_eq!((info.width, info.color_type), (info.height, ColorType::Rgb));
        let pixels = colors.chunks(3).map(|color| gray(color.try_into().unwrap())).collect();
        Drawn { size: info.width as usize, pixels }
    }

    /// The picture with `scale` pixels for each unit of the SVG, drawn from its two paths.
    fn of_svg(text: &str, scale: usize) -> Self {
        let parts: Vec<&str> = text.split('"').collect();
        let attribute = |name: &str| {
            let values = parts.chunks(2).filter(|part| part[0].rsplit(' ').next() == Some(&format!("{name}=")));
            values.map(|part| part[1]).collect::<Vec<_>>()
        };
        let colors: Vec<u8> =
            attribute("fill").iter().map(|color| gray(crate::base::validate::color(color).unwrap())).collect();
        let width: usize = attribute("viewBox")[0].rsplit(' ').next().unwrap().parse().unwrap();
        let [ground, dark] = attribute("d")[..] else { panic!("{text}") };
        assert_eq!(ground, format!("M0 0h{width}v{width}H0z"));
        let mut pixels = vec![colors[0]; width * width * scale * scale];
        for run in dark.split_inclusive('z') {
            let (x, rest) = run.strip_prefix('M').unwrap().split_once(' ').unwrap();
            let (y, rest) = rest.split_once('h').unwrap();
            let (length, rest) = rest.split_once("v1h-").unwrap();
            assert_eq!(rest.strip_suffix('z').unwrap(), length);
            let [x, y, length] = [x, y, length].map(|number| number.parse::<usize>().unwrap() * scale);
            for line in y..y + scale {
                let from = line * width * scale + x;
                pixels[from..from + length].fill(colors[1]);
            }
        }
        Drawn { size: width * scale, pixels }
    }

    /// The texts that another library reads in it.
    fn texts(&self) -> Vec<String> {
        let pixel = |x, y| self.pixels[y * self.size + x];
        let mut image = PreparedImage::prepare_from_greyscale(self.size, self.size, pixel);
        image.detect_grids().iter().map(|grid| grid.decode().unwrap().1).collect()
    }
}

/// Logos that hide the most: dark, light, wide, and one that modules would show through.
fn logos() -> [Picture; 4] {
    let plain = |width: u32, height: u32, pixel: [u8; 4]| {
        Picture::new(width, height, pixel.repeat(width as usize * height as usize)).unwrap()
    };
    [
        plain(64, 64, [0, 0, 0, 255]),
        plain(64, 64, [255; 4]),
        plain(300, 20, [200, 0, 0, 255]),
        plain(7, 9, [0, 0, 0, 0]),
    ]
}

/// The luma of a colour, as cameras have it (ITU-R BT.601).
fn gray([red, green, blue]: [u8; 3]) -> u8 {
    ((u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114) / 1_000) as u8
}

fn levels() -> impl Strategy<Value = Level> {
    prop_oneof![Just(Level::L), Just(Level::M), Just(Level::Q), Just(Level::H)]
}

fn colors() -> impl Strategy<Value = Colors> {
    let readable = any::<([u8; 3], [u8; 3])>().prop_map(|(dark, light)| Colors { dark, light });
    readable.prop_filter("readable", |colors| colors.check().is_ok())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn another_library_reads_the_short_url(
        host in "[a-z]{1,20}(\\.[a-z]{2,20}){1,3}", slug in "[A-Za-z0-9_-]{1,64}", level in levels(), margin in 4..=16u32,
        colors in colors(), more in 0..400u32,
    ) {
        let url = format!("https://{host}/{slug}");
        let symbol = Symbol::new(&url, level, margin).unwrap();
        let picture = Drawn::of_png(&symbol.png(symbol.width() * 3 + more, colors, None).unwrap());
        prop_assert_eq!(picture.size, (symbol.width() * 3 + more) as usize);
        prop_assert_eq!(picture.texts(), [format!("{url}?qr")]);
    }

    #[test]
    fn both_files_are_the_same_picture(
        bytes in vec(any::<u8>(), 1..60), level in levels(), margin in 0..=16u32, colors in colors(), scale in 1..5u32,
    ) {
        let symbol = Symbol::new(&format!("https://sho.rt/{}", hex::encode(bytes)), level, margin).unwrap();
        let size = symbol.width() * scale;
        let png = Drawn::of_png(&symbol.png(size, colors, None).unwrap());
        let svg = Drawn::of_svg(&symbol.svg(size, colors, None).unwrap(), scale as usize);
        prop_assert!(png.size == svg.size && png.pixels == svg.pixels);
    }
}

/// 2 cm at 300 dpi, of short links as they are, with each level, and with a logo.
#[test]
fn a_small_print_is_read() {
    for url in [
        "https://sho.rt/spring-sale",
        "http://localhost:8080/spring-sale",
        "https://links.example.com/a-longer-name-2026",
    ] {
        for level in [Level::L, Level::M, Level::Q, Level::H] {
            let symbol = Symbol::new(url, level, 4).unwrap();
            assert_eq!(
                Drawn::of_png(&symbol.png(236, BLACK_ON_WHITE, None).unwrap()).texts(),
                [format!("{url}?qr")],
                "{level:?}"
            );
        }
        for (level, logo) in [Level::Q, Level::H].into_iter().flat_map(|level| logos().map(|logo| (level, logo))) {
            let symbol = Symbol::new(url, level, 4).unwrap();
            for size in [236, 237, 1_000] {
                let file = symbol.png(size, BLACK_ON_WHITE, Some(&logo)).unwrap();
                assert_eq!(Drawn::of_png(&file).texts(), [format!("{url}?qr")], "{level:?} {size}");
            }
        }
    }
}

/// Its place and size in modules are those that the PNG has in pixels.
#[test]
fn an_svg_has_the_logo_within_itself() {
    let symbol = Symbol::new("https://sho.rt/spring-sale", Level::Q, 4).unwrap();
    let [logo, ..] = logos();
    let text = symbol.svg(512, BLACK_ON_WHITE, Some(&logo)).unwrap();
    let file = STANDARD.encode(logo.png().unwrap());
    let image = format!(
        "<image x=\"15.60\" y=\"15.60\" width=\"5.80\" height=\"5.80\" href=\"data:image/png;base64,{file}\"/></svg>"
    );
    assert!(text.ends_with(&image), "{text}");
    let border = "<rect fill=\"#ffffff\" x=\"15.10\" y=\"15.10\" width=\"6.80\" height=\"6.80\"/>";
    assert!(text.strip_suffix(&image).unwrap().ends_with(border), "{text}");
    let plain = symbol.svg(512, BLACK_ON_WHITE, None).unwrap();
    assert_eq!(text.replace(border, "").replace(&image, "</svg>"), plain);
}

/// The longest short URL, with the largest margin.
#[test]
fn each_short_url_has_a_symbol() {
    for (slug, width) in [("b".repeat(64), 125), ("%F0%9F%8E%89".repeat(64), 193)] {
        let url = format!("https://{}/{slug}", "a".repeat(253));
        assert_eq!(Symbol::new(&url, Level::H, 16).unwrap().width(), width);
    }
}

#[test]
fn colours_are_judged_by_their_contrast() {
    let check = |dark, light| Colors { dark, light }.check();
    assert_eq!(check([0; 3], [255; 3]), Ok(()));
    assert_eq!(check([255; 3], [0; 3]), Err(Unreadable::Inverted));
    assert_eq!(check([0x76; 3], [255; 3]), Ok(()));
    // The greys that WCAG's technique G18 names as just enough, and one step lighter.
    let Err(pale @ Unreadable::Pale(_)) = check([0x77; 3], [255; 3]) else { panic!("enough contrast") };
    assert_eq!(pale.message(), "the contrast of dark and light is 4.4 : 1, and must be 4.5 : 1 at least");
    assert_eq!(check([7; 3], [7; 3]), Err(Unreadable::Pale(1.0)));
}
