//! The field `Host` of a request.

use axum::http::{Request, Version, header};

/// Whether a request has the field `Host` once, as RFC 9112 §3.2 demands; HTTP/1.0 may leave it out. An authority in the
/// target replaces what the field says, but not the field.
pub(crate) fn names_its_host<B>(request: &Request<B>) -> bool {
    let mut fields = request.headers().get_all(header::HOST).iter();
    match (fields.next(), fields.next()) {
        (Some(_), None) => true,
        (None, _) => request.version() < Version::HTTP_11,
        (Some(_), Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_names_its_host_once() {
        let names = |version, target: &str, hosts: &[&str]| {
            let mut request = Request::builder().version(version).uri(target);
            for host in hosts {
                request = request.header("host", *host);
            }
            names_its_host(&request.body(()).unwrap())
        };
        for (version, target, hosts, expected) in [
            (Version::HTTP_11, "/", &["sho.rt"][..], true),
            (Version::HTTP_11, "/", &[""], true),
            (Version::HTTP_11, "/", &[], false),
            (Version::HTTP_11, "/", &["sho.rt", "sho.rt"], false),
            (Version::HTTP_11, "http://sho.rt/", &[], false),
            (Version::HTTP_11, "http://sho.rt/", &["other.example"], true),
            (Version::HTTP_10, "/", &[], true),
            (Version::HTTP_10, "/", &["sho.rt"], true),
            (Version::HTTP_10, "/", &["sho.rt", "sho.rt"], false),
        ] {
            assert_eq!(names(version, target, hosts), expected, "{version:?} {target} {hosts:?}");
        }
    }
}
