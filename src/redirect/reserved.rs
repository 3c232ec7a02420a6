//! Slugs that the service keeps for its own paths.

use std::{borrow::Cow, collections::HashSet};

/// First path segments that are in use and not listed in the REST contract, and others that were reserved from the beginning.
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

/// First path segments that pages and operations of later versions may need, and words that visitors would take for the service's
/// own. A link that is older than an entry may have it.
const LATER: &[&str] = &[
    "about",
    "abuse",
    "account",
    "accounts",
    "apps",
    "audit",
    "blog",
    "campaigns",
    "changelog",
    "checkout",
    "cli",
    "clicks",
    "config",
    "contact",
    "cookies",
    "customers",
    "deliveries",
    "download",
    "downloads",
    "embed",
    "export",
    "exports",
    "faq",
    "feed",
    "feedback",
    "files",
    "folders",
    "groups",
    "guide",
    "guides",
    "help",
    "home",
    "import",
    "imports",
    "imprint",
    "info",
    "integrations",
    "invitations",
    "invite",
    "invites",
    "invoices",
    "jobs",
    "keys",
    "legal",
    "live",
    "logs",
    "mcp",
    "members",
    "messages",
    "news",
    "notifications",
    "oauth",
    "openapi",
    "operator",
    "organizations",
    "orgs",
    "pages",
    "partners",
    "passkeys",
    "password",
    "payments",
    "plans",
    "portal",
    "press",
    "preview",
    "pricing",
    "privacy",
    "profile",
    "projects",
    "public",
    "q",
    "qr",
    "redirect",
    "report",
    "reports",
    "roles",
    "root",
    "schema",
    "scim",
    "search",
    "security",
    "sessions",
    "share",
    "shared",
    "shares",
    "signin",
    "signup",
    "sitemap",
    "sso",
    "stats",
    "stream",
    "subscription",
    "support",
    "system",
    "tag",
    "team",
    "teams",
    "templates",
    "terms",
    "tokens",
    "tools",
    "transfers",
    "trust",
    "u",
    "unsubscribe",
    "upload",
    "uploads",
    "usage",
    "user",
    "users",
    "v1",
    "v2",
    "v3",
    "verify",
    "version",
    "welcome",
    "workspaces",
    "ws",
];

/// Slugs that no link can get on the service's own host. Case does not matter, so that no link looks like a page of the
/// service.
#[derive(Debug)]
pub(crate) struct Reserved {
    /// First segments of the service's own paths.
    paths: HashSet<String>,
    /// Slugs that are reserved for later and no paths yet.
    later: HashSet<&'static str>,
}

impl Reserved {
    /// Reserves the first segments of the facade's paths, and the fixed slugs.
    pub(crate) fn new<'a>(first_segments: impl Iterator<Item = &'a str>) -> Self {
        let paths = first_segments.chain(KEPT.iter().copied()).map(str::to_ascii_lowercase).collect();
        Reserved { paths, later: LATER.iter().copied().collect() }
    }

    /// Whether a path of the service begins with the slug: it never leads to a link.
    pub(crate) fn is_path(&self, slug: &str) -> bool {
        self.paths.contains(&*lower_case(slug))
    }

    /// Whether a link can't get the slug. One that has it already keeps it, and works as long as it is no path.
    pub(crate) fn contains(&self, slug: &str) -> bool {
        let slug = lower_case(slug);
        self.paths.contains(&*slug) || self.later.contains(&*slug)
    }
}

fn lower_case(slug: &str) -> Cow<'_, str> {
    if slug.bytes().any(|byte| byte.is_ascii_uppercase()) { slug.to_ascii_lowercase().into() } else { slug.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::validate::check_slug;

    #[test]
    fn reserved_slugs_are_reserved_in_any_case() {
        let reserved = Reserved::new(["links"].into_iter());
        for path in ["links", "Links", "GRAPHQL"] {
            assert!(reserved.contains(path) && reserved.is_path(path), "{path}");
        }
        for later in ["report", "MCP", "q"] {
            assert!(reserved.contains(later) && !reserved.is_path(later), "{later}");
        }
        assert!(!reserved.contains("link") && !reserved.is_path("link"));
    }

    #[test]
    fn the_lists_are_sorted_and_hold_slugs_once() {
        for list in [KEPT, LATER] {
            assert!(list.is_sorted_by(|a, b| a < b) && list.iter().all(|slug| check_slug(slug).is_ok()));
        }
        assert!(!LATER.iter().any(|slug| KEPT.contains(slug)));
    }
}
