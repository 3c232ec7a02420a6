//! Pictures as callers send them: good ones, and those that mean harm.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use image_webp::WebPEncoder;
use jpeg_encoder::{ColorType as JpegColor, Encoder as JpegEncoder};
use pictures::{Encoded, MAX_SIDE, MediaType, Picture, Refused, decode, rewritten};
use png::{BitDepth, ColorType};
use proptest::{prelude::*, sample::Index};

/// Bytes that reading and writing one file may take at once: the pixels, as much again for a decoder's largest step, and the
/// coefficients of a progressive JPEG.
const MAX_MEMORY: isize = 192 << 20;
const MIB: usize = 1 << 20;
const OPAQUE: &[u8] = include_bytes!("data/opaque.webp");
const TRANSPARENT: &[u8] = include_bytes!("data/transparent.webp");

/// Counts the bytes that this thread holds, and the most that it held.
struct Counting;

thread_local! {
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: isize) {
    let (held, most) = HELD.get();
    HELD.set((held + bytes, most.max(held + bytes)));
}

#[expect(unsafe_code, reason = "an allocator")]
// SAFETY: each call is passed on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The outcome, once it is sure that it took no more memory than it may.
fn bounded<T>(work: impl FnOnce() -> T) -> T {
    HELD.set((0, 0));
    let outcome = work();
    let (_, most) = HELD.get();
    assert!(most < MAX_MEMORY, "{} MiB", most >> 20);
    outcome
}

fn png(color: ColorType, depth: BitDepth, (width, height): (u32, u32), pixels: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette([200, 0, 0, 255, 255, 255].as_slice());
    }
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
    file
}

fn jpeg((width, height): (u16, u16), rgb: &[u8], exif: Option<&[u8]>, is_progressive: bool) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = JpegEncoder::new(&mut file, 90);
    encoder.set_progressive(is_progressive);
    if let Some(exif) = exif {
        encoder.add_exif_metadata(exif).unwrap();
    }
    encoder.encode(rgb, width, height, JpegColor::Rgb).unwrap();
    file
}

fn webp((width, height): (u32, u32), rgb: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    WebPEncoder::new(&mut file).encode(rgb, width, height, image_webp::ColorType::Rgb8).unwrap();
    file
}

/// Pixels of which no two rows are the same, as a file without structure has them.
fn noise(pixels: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let next = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..pixels * 3).map(next).collect()
}

/// Left red, right white.
fn halves(width: usize, height: usize) -> Vec<u8> {
    let row = [vec![[200, 0, 0]; width / 2], vec![[255; 3]; width - width / 2]].concat();
    vec![row.concat(); height].concat()
}

/// The first and the last pixel of the first row.
fn ends(picture: &Picture) -> [Vec<u8>; 2] {
    let row = picture.rows().next().unwrap();
    [row[..4].to_vec(), row[row.len() - 4..].to_vec()]
}

fn is_near(one: &[u8], other: &[u8]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.abs_diff(*other) < 12)
}

/// EXIF as a phone writes it: the orientation, and where it was.
fn exif(orientation: u8) -> Vec<u8> {
    let entry = [0x12, 0x01, 0x03, 0, 1, 0, 0, 0, orientation, 0, 0, 0];
    [b"II*\0\x08\0\0\0\x01\0".as_slice(), &entry, b"\0\0\0\0GPS 47.3769 N".as_slice()].concat()
}

#[test]
fn each_kind_of_file_is_decoded() {
    let (red, white) = ([200, 0, 0, 255], [255; 4]);
    let rgb = halves(8, 2);
    let gray: Vec<u8> = [[60, 60, 60, 60, 255, 255, 255, 255]; 2].concat();
    let wide: Vec<u8> = rgb.iter().flat_map(|channel| [*channel, 0]).collect();
    for (name, file) in [
        ("PNG", png(ColorType::Rgb, BitDepth::Eight, (8, 2), &rgb)),
        ("PNG of 16 bits", png(ColorType::Rgb, BitDepth::Sixteen, (8, 2), &wide)),
        ("PNG with a palette", png(ColorType::Indexed, BitDepth::One, (8, 2), &[0x0f; 2])),
        ("JPEG", jpeg((8, 2), &rgb, None, false)),
        ("progressive JPEG", jpeg((8, 2), &rgb, None, true)),
        ("lossless WebP", webp((8, 2), &rgb)),
        ("WebP", OPAQUE.to_vec()),
    ] {
        let picture = decode(&file, MAX_SIDE).unwrap();
        let [first, last] = ends(&picture);
        assert!(picture.is_opaque() && is_near(&first, &red) && is_near(&last, &white), "{name}: {first:?} {last:?}");
    }
    let picture = decode(&png(ColorType::Grayscale, BitDepth::Eight, (8, 2), &gray), MAX_SIDE).unwrap();
    assert_eq!(ends(&picture), [[60, 60, 60, 255], white]);
    let picture = decode(TRANSPARENT, MAX_SIDE).unwrap();
    assert_eq!((picture.width(), picture.height(), picture.is_opaque()), (40, 30, false));
    assert_eq!(ends(&picture)[1][3], 0);
}

#[test]
fn a_file_is_written_anew_with_nothing_but_its_picture() {
    let rgb = halves(40, 20);
    let sent = jpeg((40, 20), &rgb, Some(&exif(6)), false);
    assert!(sent.windows(3).any(|part| part == b"GPS"));
    let Encoded { media_type, width, height, content } = rewritten(&sent, 2_400, MIB).unwrap();
    assert_eq!((media_type, width, height), (MediaType::Jpeg, 20, 40), "upright");
    assert!(!content.windows(4).any(|part| part == b"Exif" || part[..3] == *b"GPS"));
    let page = b"<script>alert(1)</script>";
    for file in [sent, png(ColorType::Rgb, BitDepth::Eight, (40, 20), &rgb), OPAQUE.to_vec()] {
        let polyglot = [&file, page.as_slice()].concat();
        let rewritten = rewritten(&polyglot, 2_400, MIB).unwrap();
        assert!(!rewritten.content.windows(page.len()).any(|part| part == page));
        decode(&rewritten.content, MAX_SIDE).unwrap();
    }
}

#[test]
fn the_kind_that_is_written_is_that_of_the_file_unless_it_would_be_too_long() {
    let kind = |file: &[u8], length| rewritten(file, 2_400, length).map(|encoded| encoded.media_type);
    let rgb = noise(100 * 100);
    for file in [png(ColorType::Rgb, BitDepth::Eight, (100, 100), &rgb), webp((100, 100), &rgb)] {
        assert_eq!(kind(&file, MIB), Ok(MediaType::Png));
        assert_eq!(kind(&file, 20_000), Ok(MediaType::Jpeg));
        assert_eq!(kind(&file, 100), Err(Refused::TooLong));
    }
    assert_eq!(kind(&jpeg((100, 100), &rgb, None, true), MIB), Ok(MediaType::Jpeg));
    assert_eq!(kind(TRANSPARENT, MIB), Ok(MediaType::Png));
    assert_eq!(kind(TRANSPARENT, 100), Err(Refused::TooLong), "a JPEG would not be transparent");
    let large = jpeg((3_000, 1_500), &halves(3_000, 1_500), None, false);
    let Encoded { width, height, .. } = rewritten(&large, 2_400, MIB).unwrap();
    assert_eq!((width, height), (2_400, 1_200));
}

#[test]
fn a_size_is_judged_before_anything_is_decoded() {
    let rgb = halves(8, 2);
    let mut png = png(ColorType::Rgb, BitDepth::Eight, (8, 2), &rgb);
    png[16..20].copy_from_slice(&30_000_u32.to_be_bytes());
    let crc = crc32(&png[12..29]);
    png[29..33].copy_from_slice(&crc.to_be_bytes());
    let mut jpeg = jpeg((8, 2), &rgb, None, false);
    let frame = jpeg.windows(2).position(|bytes| bytes == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xff, 0xff, 0xff, 0xff]);
    let mut webp = webp((8, 2), &rgb);
    webp[21..25].copy_from_slice(&(0x3ffe_u32 | 0x3ffe << 14).to_le_bytes());
    for (name, file) in [("PNG", &png), ("JPEG", &jpeg), ("WebP", &webp)] {
        assert_eq!(bounded(|| decode(file, MAX_SIDE)).unwrap_err(), Refused::TooLarge, "{name}");
    }
    // A picture of one pixel by its header, whose frame says another size.
    let mut frame = OPAQUE.to_vec();
    frame[26..30].copy_from_slice(&[0xff, 0x3f, 0xff, 0x3f]);
    let header = [b"VP8X\x0a\0\0\0".as_slice(), &[0; 10]].concat();
    let small = [&frame[..12], &header, &frame[12..]].concat();
    assert_eq!(bounded(|| decode(&small, MAX_SIDE)).unwrap_err(), Refused::Broken);
}

#[test]
fn the_largest_pictures_take_no_more_memory_than_they_may() {
    let side = u16::try_from(MAX_SIDE).unwrap();
    let size = (MAX_SIDE, MAX_SIDE);
    let rgb = halves(side.into(), side.into());
    for file in [
        png(ColorType::Rgb, BitDepth::Eight, size, &rgb),
        jpeg((side, side), &rgb, Some(&exif(8)), true),
        webp(size, &rgb),
    ] {
        assert!(bounded(|| rewritten(&file, 2_400, MIB)).is_ok());
    }
}

#[test]
fn other_files_are_refused() {
    for file in [&b""[..], b"GIF89a", b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", b"%PDF-1.7", b"\x89PNG"] {
        assert_eq!(decode(file, MAX_SIDE).unwrap_err(), Refused::Unknown);
    }
}

fn files() -> Vec<Vec<u8>> {
    let rgb = halves(24, 16);
    vec![
        png(ColorType::Rgb, BitDepth::Eight, (24, 16), &rgb),
        png(ColorType::Indexed, BitDepth::One, (24, 16), &[0x0f; 48]),
        jpeg((24, 16), &rgb, Some(&exif(6)), false),
        jpeg((24, 16), &rgb, None, true),
        webp((24, 16), &rgb),
        OPAQUE.to_vec(),
        TRANSPARENT.to_vec(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// A file that was cut off and changed gives a picture or a reason, and takes no more memory than it may.
    #[test]
    fn no_file_does_harm(
        file in prop::sample::select(files()), length: Index, changes in prop::collection::vec((any::<Index>(), any::<u8>()), 0..8),
        is_cut: bool,
    ) {
        let mut file = file;
        if is_cut {
            file.truncate(length.index(file.len()));
        }
        for (at, byte) in changes {
            if !file.is_empty() {
                let at = at.index(file.len());
                file[at] = byte;
            }
        }
        if let Ok(Encoded { width, height, content, .. }) = bounded(|| rewritten(&file, 2_400, MIB)) {
            let again = decode(&content, MAX_SIDE).unwrap();
            prop_assert!(content.len() <= MIB && (again.width(), again.height()) == (width, height));
        }
    }
}

/// The checksum of a PNG's chunk (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}
