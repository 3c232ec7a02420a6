//! Slugs: random ones, and those that the service keeps for itself.

use std::collections::HashSet;

use crate::{error::ApiError, random};

/// Characters that can't be misread: no 0 O o, 1 I l i.
const ALPHABET: &[u8] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz";
/// 55^7 = 1.5 × 10^12: with a million links, one guess in a million and a half hits.
const LENGTH: usize = 7;

/// First path segments that are not read from the contract, of today and of what is planned.
const KEPT: &[&str] = &[
    "admin",
    "analytics",
    "api",
    "app",
    "assets",
    "auth",
    "billing",
    "dashboard",
    "docs",
    "domains",
    "events",
    "graphiql",
    "graphql",
    "health",
    "internal",
    "login",
    "logout",
    "metrics",
    "ready",
    "register",
    "reset-password",
    "settings",
    "static",
    "status",
    "subdomain",
    "webhooks",
    "well-known",
];

/// Slugs that can't be taken on the service's own host, since its own paths begin with them.
#[derive(Debug)]
pub struct Reserved(HashSet<String>);

impl Reserved {
    /// Those of the facade's paths, and the fixed ones.
    pub fn new<'a>(first_segments: impl Iterator<Item = &'a str>) -> Self {
        Reserved(first_segments.chain(KEPT.iter().copied()).map(str::to_ascii_lowercase).collect())
    }

    /// Whether the slug is kept; case does not matter, so that no link looks like a page of the service.
    pub fn contains(&self, slug: &str) -> bool {
        if slug.bytes().any(|byte| byte.is_ascii_uppercase()) {
            self.0.contains(&slug.to_ascii_lowercase())
        } else {
            self.0.contains(slug)
        }
    }
}

/// A random slug.
pub fn random() -> Result<String, ApiError> {
    let mut slug = String::with_capacity(LENGTH);
    while slug.len() < LENGTH {
        let bytes: [u8; 2 * LENGTH] = random::bytes().map_err(ApiError::internal)?;
        // 220 = 4 × 55: bytes above it would favour some characters.
        let fair = bytes.iter().filter(|byte| usize::from(**byte) < 4 * ALPHABET.len());
        slug.extend(
            fair.map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).take(LENGTH - slug.len()),
        );
    }
    Ok(slug)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::check_slug;

    #[test]
    fn random_slugs_are_slugs_and_differ() {
        assert_eq!(ALPHABET.len(), 55);
        let slugs: HashSet<String> = (0..1_000).map(|_| random().unwrap()).collect();
        assert_eq!(slugs.len(), 1_000);
        assert!(slugs.iter().all(|slug| slug.len() == LENGTH && check_slug(slug).is_ok()));
    }

    #[test]
    fn kept_slugs_are_kept_in_any_case() {
        let reserved = Reserved::new(["links"].into_iter());
        assert!(reserved.contains("links") && reserved.contains("Links") && reserved.contains("GRAPHQL"));
        assert!(!reserved.contains("link"));
    }
}
