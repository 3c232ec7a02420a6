//! The rules of texts in requests, one function each. The operations use them, and before them the REST facade, which collects all
//! violations of a request.

mod color;
mod email;
mod host;
mod length;
mod name;
mod nearest;
mod package;
mod password;
mod slug;
mod url;

pub(crate) use self::{
    color::{COLOR_PATTERN, color, luminance},
    email::{EMAIL_PATTERN, MAX_EMAIL, check_email},
    host::{
        MAX_DOMAIN, MAX_LABEL, MIN_SUBDOMAIN, SUBDOMAIN_PATTERN, check_domain_name, check_subdomain, host_name,
        is_domain_name, is_host_name, is_subdomain, without_port,
    },
    length::{check_length, in_one_line, length_message, shortened, within},
    name::{MAX_NAME, NAME_PATTERN, TAG_PATTERN, TEXT_PATTERN, check_line, check_name, check_tag, check_text},
    nearest::nearest,
    package::{MAX_PACKAGE, check_package},
    password::{MAX_PASSWORD, MIN_PASSWORD, check_password},
    slug::{
        MAX_SEGMENTS, MAX_SLUG, SLUG_PATTERN, check_segment, check_slug, is_pattern, patterns_of_path, slug_of_path,
        without_emoji_behind, without_needless_encoding, without_rest,
    },
    url::{MAX_URL, URL_PATTERN, check_contact, check_destination_url},
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages are constants, since rules judge on paths that allocate nothing.
    #[test]
    fn messages_name_the_limits() {
        assert_eq!(check_password(""), Err(&*length_message(MIN_PASSWORD, MAX_PASSWORD)));
        let long = "a".repeat(MAX_URL.unsigned_abs() as usize + 1);
        assert_eq!(check_destination_url(&long), Err(&*length_message(0, MAX_URL)));
        for (message, limits) in [
            (check_slug("").unwrap_err(), format!("must have 1 to {MAX_SLUG} ")),
            (check_slug("é.").unwrap_err(), format!("must have 1 to {MAX_SLUG} ")),
            (check_subdomain("").unwrap_err(), format!("must have {MIN_SUBDOMAIN} to {MAX_LABEL} ")),
            (check_name("").unwrap_err(), format!("must have 1 to {MAX_NAME} ")),
        ] {
            assert!(message.starts_with(&limits), "{message}");
        }
    }
}
