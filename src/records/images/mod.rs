//! Images that accounts upload.

pub(crate) mod cache;
pub(crate) mod repo;

use uuid::Uuid;

use crate::base::config::BaseUrl;

crate::base::ids::ids! {
    /// An image. It is in the image's public URL, and has 74 random bits (RFC 9562 §5.7), so that nobody finds it by trying.
    pub(crate) ImageId
}

/// Path of images.
const PATH: &str = "/images/";
/// Media types with the ends of files' names.
const MEDIA_TYPES: [(&str, &str); 2] = [("image/png", "png"), ("image/jpeg", "jpg")];

/// Where everybody gets the image.
pub(crate) fn url(base_url: &BaseUrl, id: Uuid, media_type: &str) -> String {
    format!("{}{}", base_url.as_str(), path(id, media_type))
}

/// Path of the image on the service's own host.
pub(crate) fn path(id: Uuid, media_type: &str) -> String {
    let extension = MEDIA_TYPES.iter().find(|(known, _)| *known == media_type).map_or("", |(_, extension)| extension);
    format!("{PATH}{id}.{extension}")
}

/// The image at this path. `None`: none is.
pub(crate) fn of_path(path: &str) -> Option<ImageId> {
    named(path.strip_prefix(PATH)?).map(|(id, _)| id)
}

/// The image and media type that a file's name in a URL stands for. `None`: no URL of [`url`] ends with it.
pub(crate) fn named(file: &str) -> Option<(ImageId, &'static str)> {
    let (text, extension) = file.split_once('.')?;
    let (media_type, _) = MEDIA_TYPES.iter().find(|(_, known)| *known == extension)?;
    let id: ImageId = text.parse().ok()?;
    (id.0.get_version_num() == 7 && id.to_string() == text).then_some((id, media_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_has_one_name() {
        let base_url = BaseUrl::parse("http://sho.rt").unwrap();
        let id = ImageId::new();
        assert_eq!(url(&base_url, id.0, "image/png"), format!("http://sho.rt/images/{id}.png"));
        assert_eq!(named(&format!("{id}.jpg")), Some((id, "image/jpeg")));
        assert_eq!(of_path(&path(id.0, "image/png")), Some(id));
        for other in [
            id.to_string(),
            format!("{id}.webp"),
            format!("{id}.png.png"),
            format!("{}.png", id.to_string().to_uppercase()),
            format!("{}.png", id.0.simple()),
            format!("{}.png", Uuid::nil()),
            ".png".to_owned(),
        ] {
            assert_eq!(named(&other), None, "{other}");
        }
    }
}
