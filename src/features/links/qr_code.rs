//! QR codes as the API shows them.

use std::io;

use async_graphql::SimpleObject;
use base64::{Engine, engine::general_purpose::STANDARD};
use pictures::Picture;

use crate::{
    app::App,
    base::{
        error::{ApiError, Violations},
        ids::{AccountId, LinkId},
        metering,
        validate::{self, without_rest},
    },
    features::links::lookup,
    graphql::directives::{example, file},
    records::{
        images,
        links::qr_code::{Colors, LOGO_PIXELS, Level, Symbol},
    },
};

/// The media type of SVG.
const SVG: &str = "image/svg+xml";
/// The media type of PNG.
const PNG: &str = "image/png";
/// Least and largest size in pixels. One of 2,048 takes some milliseconds, and is a poster of 17 cm at 300 dpi; SVG has any size.
pub(crate) const SIZES: (i32, i32) = (64, 2_048);
/// Most modules of margin: four times as many as the standard demands.
pub(crate) const MAX_MARGIN: i32 = 16;

/// A QR code of a short link, as an image.
#[derive(SimpleObject, Clone, Debug)]
pub(crate) struct QrCode {
    /// Where the public API answers this image, for an API key with the scope `links:read`.
    #[graphql(directive = example::apply(
        "http://localhost:8080/api/v1/links/019aa1c2-8e4b-7d02-b7a4-5d1c2e3f4a5b/qr?format=svg&size=512&margin=4&level=M&dark=000000&light=ffffff".into()
    ))]
    url: String,
    /// The image as a data URL, which pages can show as it is.
    #[graphql(
        directive = file::apply(vec![SVG.into(), PNG.into()]),
        directive = example::apply("data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=".into())
    )]
    data_url: String,
}

/// The look of the image, as the caller wrote it.
pub(crate) struct Design {
    pub(crate) is_png: bool,
    pub(crate) size: u32,
    /// Modules.
    pub(crate) margin: u32,
    pub(crate) level: Level,
    pub(crate) dark: String,
    pub(crate) light: String,
    /// The id of an image of the account. `None`: there is no logo.
    pub(crate) logo: Option<String>,
}

/// The QR code of a link. Fails with NOT_FOUND when the account has no such link.
pub(crate) async fn of_link(
    app: &App,
    account: AccountId,
    id: LinkId,
    Design { is_png, size, margin, level, dark, light, logo }: Design,
) -> Result<QrCode, ApiError> {
    let level = if logo.is_some() { level.max(Level::Q) } else { level };
    let link = lookup::link(app, account, id).await?;
    let short_url = app.config.short_url(&link.host, without_rest(&link.slug));
    let symbol =
        Symbol::new(&short_url, level, margin).ok_or_else(|| ApiError::internal("the short URL is too long"))?;
    let mut violations = Violations::default();
    let mut color = |name, text: &str| validate::color(text).map_err(|reason| violations.add(name, reason)).ok();
    let colors = color("dark", &dark).zip(color("light", &light)).map(|(dark, light)| Colors { dark, light });
    if let Some(Err(unreadable)) = colors.map(Colors::check) {
        // Either can be changed.
        violations.add("dark", unreadable.message());
        violations.add("light", unreadable.message());
    }
    if is_png && size < symbol.width() {
        violations.add("size", format!("must be at least {}: the symbol has so many modules in a row", symbol.width()));
    }
    let image = match logo.as_deref().map(str::parse) {
        Some(Ok(id)) => images::repo::image(app.db.read(), account, id).await?,
        Some(Err(_)) | None => None,
    };
    if logo.is_some() && image.is_none() {
        violations.add("logo", "must be the id of an image of the account");
    }
    violations.finish()?;
    let colors = colors.ok_or_else(|| ApiError::internal("colours were not checked"))?;
    let draw = move |logo: Option<Picture>| match is_png {
        true => symbol.png(size, colors, logo.as_ref()).map(|drawn| data_url(PNG, &drawn)),
        false => symbol.svg(size, colors, logo.as_ref()).map(|drawn| data_url(SVG, drawn.as_bytes())),
    };
    let logo = image.as_ref().map(|image| format!("&logo={}", image.id)).unwrap_or_default();
    let data_url = match image {
        None => draw(None),
        Some(image) => {
            let turn = app.image_turns.acquire(account).await?;
            let with_logo = move || {
                let logo = pictures::decode(&image.content, LOGO_PIXELS).map_err(io::Error::other);
                (logo.and_then(|logo| draw(Some(logo))), turn).0
            };
            metering::elsewhere(with_logo).await.map_err(ApiError::internal)?
        }
    };
    let data_url = data_url.map_err(ApiError::internal)?;
    let url = format!(
        "{}/api/v1/links/{}/qr?format={}&size={size}&margin={margin}&level={level:?}&dark={}&light={}{logo}",
        app.config.base_url.as_str(),
        link.id,
        if is_png { "png" } else { "svg" },
        hex::encode(colors.dark),
        hex::encode(colors.light),
    );
    Ok(QrCode { url, data_url })
}

fn data_url(media_type: &str, content: &[u8]) -> String {
    format!("data:{media_type};base64,{}", STANDARD.encode(content))
}
