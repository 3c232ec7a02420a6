//! The look of the pages of an account's host, and the account's own texts in them.

use std::{fmt::Write, sync::LazyLock};

use async_graphql::Enum;
use axum::http::HeaderValue;
use base64::{Engine, engine::general_purpose::STANDARD};
use link_rules::most_preferred;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::base::{validate::luminance, weight};

/// The look of all pages for visitors.
pub(super) const STYLE: &str = include_str!("../visitor.css");
/// The policy of pages in the service's own look.
pub(super) static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| policy("", None));

/// A colour as red, green and blue.
pub(crate) type Color = [u8; 3];

/// A page that visitors see on a host where no link leads on at once.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum HostPage {
    /// There is no such link, or it is switched off.
    NotFound,
    /// The link is over.
    Expired,
    /// The link asks for its password.
    Password,
    /// The link asks before it leads on.
    Confirmation,
    /// The link shows its notice before it leads on.
    Notice,
}

/// A text of an account in the place of the service's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnText {
    /// The page that has it.
    pub(crate) page: HostPage,
    /// Tag of its language (BCP 47).
    pub(crate) language: String,
    /// The page's title.
    pub(crate) title: String,
    /// The text below. `None`: the service's.
    pub(crate) text: Option<String>,
}

/// The look of a host's pages, and its texts in them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Brand {
    /// Rules in addition to [`STYLE`].
    pub(super) style: String,
    /// The policy that lets browsers apply them.
    pub(super) policy: HeaderValue,
    /// URL of the image above the title. `None`: there is none.
    pub(super) logo: Option<String>,
    texts: Vec<OwnText>,
}

impl Brand {
    /// The look with these colours (`None`: the service's) and the logo at this URL.
    pub(crate) fn new(
        accent: Option<Color>,
        background: Option<Color>,
        logo: Option<String>,
        texts: Vec<OwnText>,
    ) -> Self {
        let style = style(accent, background);
        Brand { policy: policy(&style, logo.as_deref()), style, logo, texts }
    }

    /// Its text for a page: that in the language which a visitor with this `Accept-Language` prefers, or else the first one. `None`: the
    /// service's.
    pub(super) fn text(&self, page: HostPage, accept_language: &[u8]) -> Option<&OwnText> {
        let of_page = || self.texts.iter().filter(|text| text.page == page);
        let languages: Vec<&str> = of_page().map(|text| &*text.language).collect();
        let preferred = std::str::from_utf8(accept_language).ok().and_then(|header| most_preferred(header, &languages));
        of_page().find(|text| Some(&*text.language) == preferred).or_else(|| of_page().next())
    }

    /// Bytes of memory that it takes.
    pub(crate) fn weight(&self) -> u64 {
        let of_text = |text: &OwnText| {
            let texts = [Some(&text.language), Some(&text.title), text.text.as_ref()];
            size_of::<OwnText>() as u64 + texts.into_iter().flatten().map(|text| weight::of_text(text)).sum::<u64>()
        };
        let logo = self.logo.as_deref().map_or(0, weight::of_text);
        size_of::<Self>() as u64
            + weight::of_text(&self.style)
            + self.policy.len() as u64
            + logo
            + self.texts.iter().map(of_text).sum::<u64>()
    }
}

/// Names the styles of a page by their hashes (CSP 3 §6.7.2.3), and its logo. It has no `form-action`: the answer to the form of a page is a redirect to
/// any host, which browsers refuse that apply the directive to redirects (CSP 3 §6.4.1).
fn policy(own_style: &str, logo: Option<&str>) -> HeaderValue {
    let mut policy = "default-src 'none'; style-src".to_owned();
    for style in [STYLE, own_style].into_iter().filter(|style| !style.is_empty()) {
        let _ = write!(policy, " 'sha256-{}'", STANDARD.encode(Sha256::digest(style)));
    }
    let _ = write!(policy, "; img-src data: {}; base-uri 'none'; frame-ancestors 'none'", logo.unwrap_or_default());
    HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Rules that give a page these colours, with letters that are read on them.
fn style(accent: Option<Color>, background: Option<Color>) -> String {
    let mut style = String::new();
    if let Some(background) = background {
        let (letters, scheme) = letters_on(background);
        let background = hex::encode(background);
        let _ =
            write!(style, ":root{{color-scheme:{scheme};background:#{background};color:{letters};--border:{letters}}}");
    }
    if let Some(accent) = accent {
        let (letters, _) = letters_on(accent);
        let _ = write!(style, ":root{{--accent:#{};--on-accent:{letters}}}", hex::encode(accent));
    }
    style
}

/// The colour of letters on this ground, white or black, and the scheme in which letters have it. The one with more contrast has at least 4.58 : 1,
/// where WCAG 2.2 demands 4.5 : 1.
fn letters_on(ground: Color) -> (&'static str, &'static str) {
    // Contrasts with white and black are equal at the root of 1.05 × 0.05, less 0.05.
    if luminance(ground) < 0.179 { ("#fff", "dark") } else { ("#000", "light") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brand() -> Brand {
        let text = |page, language: &str, title: &str| OwnText {
            page,
            language: language.to_owned(),
            title: title.to_owned(),
            text: None,
        };
        let texts = vec![
            text(HostPage::NotFound, "fr", "Perdu"),
            text(HostPage::NotFound, "pt-BR", "Perdido"),
            text(HostPage::Expired, "en", "Over"),
        ];
        Brand::new(None, None, None, texts)
    }

    #[test]
    fn a_text_is_in_the_language_that_the_visitor_prefers() {
        let brand = brand();
        for (page, accept_language, title) in [
            (HostPage::NotFound, "pt-BR,fr;q=0.5", Some("Perdido")),
            (HostPage::NotFound, "pt", Some("Perdu")),
            (HostPage::NotFound, "fr-CH", Some("Perdu")),
            (HostPage::NotFound, "", Some("Perdu")),
            (HostPage::Expired, "fr", Some("Over")),
            (HostPage::Password, "fr", None),
        ] {
            let text = brand.text(page, accept_language.as_bytes());
            assert_eq!(text.map(|text| &*text.title), title, "{page:?} {accept_language}");
        }
    }

    #[test]
    fn letters_are_read_on_any_ground() {
        for ground in (0..=0xff_ffff_u32).step_by(0x0101) {
            let [_, red, green, blue] = ground.to_be_bytes();
            let ground = [red, green, blue];
            let letters = if letters_on(ground).0 == "#fff" { 1.0 } else { 0.0 };
            let (light, dark) = (luminance(ground).max(letters), luminance(ground).min(letters));
            assert!((light + 0.05) / (dark + 0.05) >= 4.5, "{ground:?}");
        }
    }

    #[test]
    fn colours_become_rules_that_the_policy_names() {
        let brand = Brand::new(
            Some([0x1d, 0x35, 0x57]),
            Some([0xff, 0xf8, 0xe7]),
            Some("https://sho.rt/images/a.png".to_owned()),
            Vec::new(),
        );
        assert_eq!(
            brand.style,
            ":root{color-scheme:light;background:#fff8e7;color:#000;--border:#000}:root{--accent:#1d3557;--on-accent:#fff}"
        );
        let hash = STANDARD.encode(Sha256::digest(&brand.style));
        let names = |part: &str| brand.policy.to_str().is_ok_and(|policy| policy.contains(part));
        assert!(names(&format!("'sha256-{hash}'")) && names("img-src data: https://sho.rt/images/a.png;"));
    }
}
