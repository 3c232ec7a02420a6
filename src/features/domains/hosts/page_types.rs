//! GraphQL types of the pages that visitors see on hosts.

use async_graphql::{ID, InputObject, SimpleObject};
use entity::host_page;

use super::pages::{HostPagesChange, MAX_LANGUAGE, MAX_TEXT, MAX_TEXTS, MAX_TITLE};
use crate::{
    base::config::BaseUrl,
    graphql::{
        directives::{Format, embedded, example, format, items, length, precondition},
        scalars::Timestamp,
    },
    platform::http::pages::visitor::{HostPage, OwnText},
    records::images,
    redirect::association::read,
};

/// A text of the account on a page, in the place of the service's.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct HostPageText {
    /// The page.
    #[graphql(directive = example::apply("\"NOT_FOUND\"".into()))]
    page: HostPage,
    /// Its language (BCP 47): `fr`, `pt-BR`.
    #[graphql(directive = example::apply("fr".into()))]
    language: String,
    /// Title of the page.
    #[graphql(directive = example::apply("Cette offre est terminée".into()))]
    title: String,
    /// The text below. Null: the service's.
    #[graphql(directive = example::apply("Voyez nos offres sur example.com.".into()))]
    text: Option<String>,
}

/// Look and texts of the pages that visitors see on a host where no link leads on at once.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct HostPages {
    /// The host.
    #[graphql(directive = example::apply("go.example.com".into()))]
    host: String,
    /// Colour of buttons. Null: the service's.
    #[graphql(directive = example::apply("#1d3557".into()))]
    accent_color: Option<String>,
    /// Colour of the ground. Null: white or black, as the visitor's browser is set.
    #[graphql(directive = example::apply("#fff8e7".into()))]
    background_color: Option<String>,
    /// The uploaded image above the title of each page. Null: there is none.
    #[graphql(directive = example::apply("019aa1c8-5f6a-7b8c-9d0e-1f2a3b4c5d6e".into()))]
    logo_image_id: Option<ID>,
    /// Where everybody gets that image. Null: there is none.
    #[graphql(directive = example::apply("http://localhost:8080/images/019aa1c8-5f6a-7b8c-9d0e-1f2a3b4c5d6e.png".into()))]
    logo_url: Option<String>,
    /// Texts by page and language.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_TEXTS))]
    texts: Vec<HostPageText>,
    /// When they were last changed. Null: they never were.
    #[graphql(directive = example::apply("2026-11-28T14:33:38.125Z".into()))]
    updated_at: Option<Timestamp>,
}

impl HostPages {
    /// The pages as the API shows them.
    pub(crate) fn new(pages: host_page::Model, base_url: &BaseUrl) -> Self {
        let texts: Vec<OwnText> = read(&pages.texts);
        let text = |OwnText { page, language, title, text }| HostPageText { page, language, title, text };
        let logo = pages.logo.as_deref();
        let color = |color: Option<String>| color.map(|digits| format!("#{digits}"));
        HostPages {
            host: pages.host,
            accent_color: color(pages.accent_color),
            background_color: color(pages.background_color),
            logo_image_id: logo.and_then(images::of_path).map(|id| id.0.into()),
            logo_url: logo.map(|path| format!("{}{path}", base_url.as_str())),
            texts: texts.into_iter().map(text).collect(),
            updated_at: (pages.updated_at > 0).then_some(Timestamp(pages.updated_at)),
        }
    }
}

/// A text of the account on a page, in the place of the service's.
#[derive(InputObject, Debug)]
pub(crate) struct HostPageTextInput {
    /// The page.
    #[graphql(directive = example::apply("\"NOT_FOUND\"".into()))]
    page: HostPage,
    /// Its language (BCP 47): `fr`, `pt-BR`. A page has one text in each language. Visitors get the one that they prefer, or else the first.
    #[graphql(directive = length::apply(2, MAX_LANGUAGE), directive = example::apply("fr".into()))]
    language: String,
    /// Title of the page, 1 to 100 characters.
    #[graphql(
        directive = length::apply(1, MAX_TITLE),
        directive = format::apply(Format::Line),
        directive = example::apply("Cette offre est terminée".into())
    )]
    title: String,
    /// The text below, at most 500 characters. A link with a notice shows that in its place. Absent or null: the service's.
    #[graphql(
        directive = length::apply(1, MAX_TEXT),
        directive = format::apply(Format::Text),
        directive = example::apply("Voyez nos offres sur example.com.".into())
    )]
    text: Option<String>,
}

/// Look and texts of a host's pages, in the place of all that it has.
#[derive(InputObject, Debug)]
pub(crate) struct SetHostPagesInput {
    /// Colour of buttons; letters on it are white or black. Absent or null: the service's.
    #[graphql(directive = length::apply(6, 7), directive = format::apply(Format::Color), directive = example::apply("#1d3557".into()))]
    accent_color: Option<String>,
    /// Colour of the ground; letters on it are white or black. Absent or null: white or black, as the visitor's browser is set.
    #[graphql(directive = length::apply(6, 7), directive = format::apply(Format::Color), directive = example::apply("#fff8e7".into()))]
    background_color: Option<String>,
    /// An uploaded image of the account, shown above the title at a height of at most 64 pixels. Absent or null: none.
    #[graphql(directive = example::apply("019aa1c8-5f6a-7b8c-9d0e-1f2a3b4c5d6e".into()))]
    logo_image_id: Option<ID>,
    /// Texts by page and language, of at most 8 KiB together. Absent: none.
    #[graphql(directive = items::apply(0, MAX_TEXTS))]
    texts: Option<Vec<HostPageTextInput>>,
    /// `updatedAt` of the pages as the caller read them. Where it is another one by now, nothing is changed, and the request fails with
    /// PRECONDITION_FAILED. Absent: they are changed whoever changed them meanwhile.
    #[graphql(directive = precondition::apply())]
    pub(crate) expected_updated_at: Option<Timestamp>,
}

impl From<SetHostPagesInput> for HostPagesChange {
    fn from(input: SetHostPagesInput) -> Self {
        let text = |HostPageTextInput { page, language, title, text }| OwnText { page, language, title, text };
        HostPagesChange {
            accent_color: input.accent_color,
            background_color: input.background_color,
            logo: input.logo_image_id,
            texts: input.texts.unwrap_or_default().into_iter().map(text).collect(),
        }
    }
}
