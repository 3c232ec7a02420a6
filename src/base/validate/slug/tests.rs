//! Slugs of all scripts, and what people make of them.

use percent_encoding::{CONTROLS, utf8_percent_encode};
use proptest::prelude::*;
use regex::Regex;

use super::*;

/// Addresses of `spring` as people paste them, and as mail gateways write them.
const PASTED: [&str; 62] = [
    "/spring",
    "/spring/",
    "/spring//",
    "/spring.",
    "/spring,",
    "/spring...",
    "/spring/.,",
    "/spring)",
    "/spring).",
    "/spring),",
    "/spring]",
    "/spring}",
    "/spring>",
    "/spring!",
    "/spring?!",
    "/spring;",
    "/spring:",
    "/spring\"",
    "/spring'",
    "/spring*",
    "/spring**",
    "/spring`",
    "/spring|",
    "/spring\\",
    "/spring^",
    "/spring~",
    "/spring=",
    "/spring&",
    "/spring+",
    "/spring$",
    "/spring@",
    "/spring<",
    "/spring(",
    "/spring{",
    "/spring%",
    "/spring%20",
    "/spring%20)",
    "/spring%0A",
    "/spring%09",
    "/spring%2E",
    "/spring%2C",
    "/spring%2F",
    "/spring%22",
    "/spring%27",
    "/spring%3E",
    "/spring%E2%80%A6",
    "/spring…",
    "/spring%E2%80%9D",
    "/spring”",
    "/spring%C2%BB",
    "/spring%E3%80%82",
    "/spring。",
    "/spring%E2%80%8B",
    "/spring%EF%BB%BF",
    "/spring%C2%AD",
    "/spr%C2%ADing",
    "/%E2%80%8Bspring",
    "/spring%C2%A0",
    "//spring",
    "/%20spring",
    "/%73pring",
    "/%73%70%72%69%6e%67",
];

#[test]
fn what_surrounds_a_slug_in_a_text_is_cut_off() {
    for path in PASTED {
        assert_eq!(slug_of_path(path, 1).as_deref(), Some("spring"), "{path}");
    }
    let longest = format!("/{}", "a".repeat(64));
    for (path, slug) in [
        ("/-_-/", Some("-_-")),
        ("/%2D%5F%2d.", Some("-_-")),
        (&longest, Some(&longest[1..])),
        (&format!("{longest}."), Some(&longest[1..])),
        (&format!("{longest}a."), None),
        ("/", None),
        ("", None),
        ("/.", None),
        ("//", None),
        ("/%20", None),
        ("/spring/more", None),
        ("/spring%2Fmore", None),
        ("/spring/more/", None),
        ("/.spring", None),
        ("/spring.html", None),
        ("/spring%20break", None),
        // Decoded once only.
        ("/%2573pring", None),
        // Letters and digits of other scripts are no punctuation.
        ("/springé", Some("springé")),
        ("/spring%C3%A9", Some("springé")),
        ("/spring%FF%C3%A9", None),
        ("spring.", None),
    ] {
        assert_eq!(slug_of_path(path, 1).as_deref(), slug, "{path}");
    }
}

#[test]
fn unreserved_characters_need_no_encoding() {
    for (path, written) in [
        ("/api/v1/%6Cinks", Some("/api/v1/links")),
        ("/%2D%2e%5F%7E%30", Some("/-._~0")),
        ("/a%2Fb%6C", Some("/a%2Fbl")),
        ("/%2%6C%", Some("/%2l%")),
        ("/a%2Fb", None),
        ("/%C3%BC", None),
        ("/%", None),
        ("/%4", None),
        ("/%ü", None),
        ("/links", None),
    ] {
        assert_eq!(without_needless_encoding(path).as_deref(), written, "{path}");
    }
}

/// Slugs as they are stored.
const STORED: [&str; 62] = [
    "spring",
    "Spring-Sale_2026",
    "größe",
    "straße",
    "Übermut",
    "été",
    "où-ça",
    "cœur",
    "ñandú",
    "São-Paulo",
    "æble",
    "łódź",
    "žluťoučký",
    "ışık",
    "Việt-Nam",
    "весна",
    "Щука-2026",
    "київ",
    "άνοιξη",
    "Καλημέρα",
    "ربيع",
    "عرض_2026",
    "می",
    "אביב",
    "שלום-עולם",
    "हिन्दी",
    "नमस्ते-२०२६",
    "বসন্ত",
    "ਬਸੰਤ",
    "வசந்தம்",
    "తెలుగు",
    "ಕನ್ನಡ",
    "മലയാളം",
    "ฤดูใบไม้ผลิ",
    "ที่นี่",
    "ລາວ",
    "ខ្មែរ",
    "မြန်မာ",
    "გაზაფხული",
    "Գարուն",
    "ፀደይ",
    "春天",
    "春季促銷",
    "春のセール",
    "東京タワー",
    "カタカナ",
    "봄세일",
    "한국漢字",
    "繁體字",
    "🎉",
    "sale🎉",
    "🎉sale🎉",
    "☀",
    "❤-2026",
    "👍🏽",
    "👩🏾\u{200d}🚀",
    "👨\u{200d}👩\u{200d}👧\u{200d}👦",
    "🏳\u{200d}🌈",
    "🇨🇭",
    "🇩🇪🇫🇷",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "봄🌸",
];

/// The path of a slug in each way in which it may be written.
fn paths(slug: &str) -> [String; 7] {
    let encoded = utf8_percent_encode(slug, CONTROLS).to_string();
    let apart: String = slug.nfd().collect();
    // Fully qualified, as keyboards write emoji.
    let mut coloured = String::new();
    let mut rest = slug;
    while let Some(first) = rest.chars().next() {
        let length = emoji(rest);
        coloured.push_str(if length == 0 {
            &rest[..first.len_utf8()]
        } else {
            emojis::get(&rest[..length]).unwrap().as_str()
        });
        rest = &rest[length.max(first.len_utf8())..];
    }
    let lower = encoded.split('%').enumerate().map(|(at, part)| match (at, part.split_at_checked(2)) {
        (1.., Some((digits, after))) => format!("%{}{after}", digits.to_lowercase()),
        _ => part.to_owned(),
    });
    [
        format!("/{slug}"),
        format!("/{}", lower.collect::<String>()),
        format!("/{encoded}."),
        format!("/{}", utf8_percent_encode(&apart, CONTROLS)),
        format!("/{apart}"),
        format!("/{coloured}"),
        format!("/{}…", utf8_percent_encode(&coloured, CONTROLS)),
    ]
}

#[test]
fn slugs_of_all_scripts_are_found_however_they_are_written() {
    for slug in STORED {
        assert_eq!(check_slug(slug).as_deref(), Ok(slug));
        for path in paths(slug) {
            assert_eq!(slug_of_path(&path, 1).as_deref(), Some(slug), "{path}");
        }
    }
    for slug in ["spring", "größe", "🎉🎉", "봄세일"] {
        let pasted = format!("/{slug}🎉");
        let found = slug_of_path(&pasted, 1).unwrap();
        assert_eq!(without_emoji_behind(&found), Some(slug).filter(|slug| !slug.starts_with('🎉')), "{pasted}");
        assert_eq!(without_emoji_behind(slug), None);
    }
}

#[test]
fn each_slug_is_stored_once() {
    for (sent, stored) in [
        ("gro\u{308}ße", "größe"),
        ("e\u{301}te\u{301}", "été"),
        ("\u{1112}\u{1161}\u{11ab}", "한"),
        ("か\u{3099}", "が"),
        ("❤\u{fe0f}", "❤"),
        ("🏳\u{fe0f}\u{200d}🌈", "🏳\u{200d}🌈"),
        ("e\u{fe0f}\u{301}t", "ét"),
        ("a\u{fe0f}", "a"),
        (&"e\u{301}".repeat(64), &"é".repeat(64)),
    ] {
        assert_eq!(check_slug(sent).as_deref(), Ok(stored), "{sent}");
    }
    for emoji in emojis::iter().flat_map(|emoji| emoji.skin_tones().into_iter().flatten().chain([emoji])) {
        let Ok(slug) = check_slug(emoji.as_str()) else {
            // Keycaps, and what looks like a letter.
            assert!(emoji.as_str().contains('\u{20e3}') || ["ℹ\u{fe0f}", "➖"].contains(&emoji.as_str()), "{emoji}");
            continue;
        };
        assert_eq!(slug_of_path(&format!("/{emoji}"), 1), Some(slug), "{emoji}");
    }
}

#[test]
fn texts_that_are_no_slugs_are_refused_with_the_reason() {
    let shape = "must have 1 to 64 letters, digits, emoji, _ and -";
    let scripts = "must not mix letters of several scripts, such as Latin and Cyrillic: they look alike";
    let looks = "must not look like a slug of A-Z, a-z and 0-9 that has other letters";
    for (text, message) in [
        ("sрring", scripts),
        ("весна-sale", scripts),
        ("αб", scripts),
        ("東京tower", scripts),
        ("раура1", looks),
        ("ѕсоре", looks),
        ("аррӏе", looks),
        ("ΑΒΕ", looks),
        ("sprıng", looks),
        ("ℹnfo", looks),
        ("größe größe", shape),
        ("größe.", shape),
        ("größe\0", shape),
        ("größe\u{85}", shape),
        ("größe\u{ad}", shape),
        ("größe\u{200b}", shape),
        ("größe\u{202e}", shape),
        ("\u{202e}אביב", shape),
        ("\u{2066}אביב\u{2069}", shape),
        ("größe\u{feff}", shape),
        ("می\u{200c}خواهم", shape),
        ("क्\u{200d}ष", shape),
        ("a\u{200d}🎉", shape),
        ("🎉\u{200d}", shape),
        ("🎉\u{200d}🍕", shape),
        ("🏴\u{e0061}\u{e007f}", shape),
        ("🏽", shape),
        ("🇨", shape),
        ("1\u{fe0f}\u{20e3}", shape),
        ("\u{301}a", shape),
        ("\u{e000}", shape),
        ("\u{ffff}", shape),
        ("\u{378}", shape),
        ("größe…", shape),
        ("«größe»", shape),
        ("größe؟", shape),
        ("größe。", shape),
        ("１２", shape),
        ("ﬁn", shape),
        ("𝐬𝐚𝐥𝐞", shape),
        ("ⓢ", shape),
        ("Ⅳ", shape),
        ("½", shape),
        ("ᚠ", shape),
        (&"é".repeat(65), shape),
    ] {
        assert_eq!(check_slug(text), Err(message), "{text}");
    }
    for text in ["", "a b", "a/b", "a.b", &"a".repeat(65)] {
        assert_eq!(check_segment(text), Err("must have 1 to 64 of the characters A-Z, a-z, 0-9, _ and -"), "{text}");
    }
}

#[test]
fn a_slug_has_several_segments_on_hosts_of_accounts() {
    let longest = format!("{}/{}", "é".repeat(31), "b".repeat(32));
    for slug in ["team/offer", "a/b/c/d/e", "größe/весна", "🎉/a", &longest] {
        assert_eq!((check_slug(slug).as_deref(), check_segment(slug).is_err()), (Ok(slug), true));
        for path in paths(slug) {
            assert_eq!(slug_of_path(&path, MAX_SEGMENTS).as_deref(), Some(slug), "{path}");
            assert_eq!(slug_of_path(&path, 1), None, "{path}");
        }
    }
    for text in [
        "a/b/c/d/e/f",
        "/a",
        "a/",
        "a//b",
        "/",
        "a/.",
        "a/..",
        "../a",
        "a/b c",
        "весна/раура1",
        "a/\u{301}",
        &format!("{longest}b"),
    ] {
        assert!(check_slug(text).is_err(), "{text}");
    }
    for (path, slug) in [
        ("/team/offer/", Some("team/offer")),
        ("//team/offer).", Some("team/offer")),
        ("/team%2Foffer", Some("team/offer")),
        ("/team/", Some("team")),
        ("/team//offer", None),
        ("/team/./offer", None),
        ("/a/b/c/d/e/f", None),
        ("/team/offer.html", None),
        ("/robots.txt", None),
        ("/.well-known/security.txt", None),
    ] {
        assert_eq!(slug_of_path(path, MAX_SEGMENTS).as_deref(), slug, "{path}");
    }
    assert_eq!(without_emoji_behind("team/🎉"), None);
    assert_eq!(without_emoji_behind("team/a🎉"), Some("team/a"));
}

#[test]
fn a_pattern_has_one_rest_at_its_end() {
    for pattern in ["docs/*", "a/b/c/d/*", "größe/*", &format!("{}/*", "a".repeat(62))] {
        assert_eq!((check_slug(pattern).as_deref(), check_segment(pattern).is_err()), (Ok(pattern), true));
    }
    for text in [
        "*",
        "/*",
        "docs*",
        "docs/**",
        "docs/*/a",
        "*/docs",
        "*/*",
        "docs/*/*",
        "a/b/c/d/e/*",
        &format!("{}/*", "a".repeat(63)),
    ] {
        assert!(check_slug(text).is_err(), "{text}");
    }
    for (path, patterns) in [
        ("/docs", &[("docs/*", "")][..]),
        ("/docs/", &[("docs/*", "")]),
        ("/docs/*", &[("docs/*", "")]),
        ("/docs).", &[("docs/*", "")]),
        ("/docs/…/a", &[("docs/*", "…/a")]),
        ("/docs/a/b.html", &[("docs/a/*", "b.html"), ("docs/*", "a/b.html")]),
        ("/gro%CC%88%c3%9fe/%C3%BC/", &[("größe/ü/*", ""), ("größe/*", "%C3%BC/")]),
        ("/a/b/c/d/e/f", &[("a/b/c/d/*", "e/f"), ("a/b/c/*", "d/e/f"), ("a/b/*", "c/d/e/f"), ("a/*", "b/c/d/e/f")]),
        ("/docs//a", &[("docs/*", "/a")]),
        ("/docs/../a", &[("docs/*", "../a")]),
        ("/a.b/c", &[]),
        ("/", &[]),
        ("", &[]),
    ] {
        let found: Vec<_> = patterns_of_path(path).collect();
        assert_eq!(found.iter().map(|(pattern, rest)| (&**pattern, *rest)).collect::<Vec<_>>(), patterns, "{path}");
    }
}

proptest! {
    #[test]
    fn slugs_fit_the_documented_pattern(text in "\\PC{0,70}", ascii in "[ -~]{0,3}") {
        let pattern = Regex::new(SLUG_PATTERN).unwrap();
        prop_assert!(pattern.is_match(&text) || check_slug(&text).is_err());
        let is_whole = ascii.split('/').all(|segment| !segment.is_empty()) && !without_rest(&ascii).contains('*');
        prop_assert_eq!(pattern.is_match(&ascii) && is_whole, check_slug(&ascii).is_ok());
    }

    #[test]
    fn a_stored_slug_is_stored_as_it_is(text in "[\\p{L}\\p{M}\\p{Nd}\u{fe0f}\u{200d}❤👩🚀🏽🇨🇭_-]{1,8}") {
        if let Ok(slug) = check_slug(&text) {
            prop_assert_eq!(check_slug(&slug), Ok(slug.clone()));
            for path in [format!("/{text}"), format!("/{}", utf8_percent_encode(&text, CONTROLS))].into_iter().chain(paths(&slug)) {
                prop_assert_eq!(slug_of_path(&path, 1), Some(slug.clone()), "{}", path);
            }
        }
    }

    #[test]
    fn slugs_of_one_script_are_found_however_they_are_written(
        text in "[а-яё]{1,9}|[α-ωά-ώ]{1,9}|[ء-ي\u{64b}-\u{652}]{1,9}|[א-ת]{1,9}|[अ-ह\u{93e}-\u{94d}]{1,9}|[가-힣]{1,9}|[あ-んア-ン一-龠]{1,9}"
    ) {
        if let Ok(slug) = check_slug(&text) {
            for path in paths(&slug) {
                prop_assert_eq!(slug_of_path(&path, 1), Some(slug.clone()), "{}", path);
            }
        }
    }
}
