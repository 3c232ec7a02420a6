//! Labels that can't be claimed, since visitors or programs would take them for the service's own.

/// In lower case, sorted.
const RESERVED: &[&str] = &[
    "about",
    "abuse",
    "access",
    "account",
    "accounts",
    "admin",
    "administrator",
    "analytics",
    "api",
    "app",
    "apps",
    "assets",
    "auth",
    "autoconfig",
    "autodiscover",
    "beta",
    "billing",
    "cdn",
    "checkout",
    "console",
    "contact",
    "dashboard",
    "dev",
    "developer",
    "developers",
    "dns",
    "docs",
    "domains",
    "download",
    "downloads",
    "email",
    "files",
    "ftp",
    "git",
    "graphql",
    "health",
    "help",
    "hostmaster",
    "imap",
    "info",
    "internal",
    "invoice",
    "isatap",
    "legal",
    "link",
    "linkgraph",
    "links",
    "localhost",
    "login",
    "logout",
    "mail",
    "metrics",
    "monitor",
    // Serves the policy of secure mail to the service's host (RFC 8461).
    "mta-sts",
    "noc",
    "ns1",
    "ns2",
    "ns3",
    "ns4",
    "oauth",
    "official",
    "password",
    "payment",
    "payments",
    "ping",
    "pop3",
    "portal",
    "postmaster",
    "pricing",
    "privacy",
    "proxy",
    "register",
    "root",
    "sandbox",
    "secure",
    "security",
    "settings",
    "signin",
    "signup",
    "smtp",
    "sso",
    "staff",
    "staging",
    "static",
    "status",
    "stripe",
    "subdomain",
    "support",
    "system",
    "terms",
    "token",
    "trust",
    "upload",
    "user",
    "users",
    "verify",
    "vpn",
    "webhook",
    "webhooks",
    "webmail",
    "webmaster",
    "wpad",
    "www",
    "www1",
    "www2",
];

/// Whether a label, in lower case, is reserved.
pub(crate) fn is_reserved(label: &str) -> bool {
    RESERVED.binary_search(&label).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::validate::check_subdomain;

    #[test]
    fn the_list_is_sorted_and_all_of_it_could_be_claimed_otherwise() {
        assert!(RESERVED.is_sorted());
        // Company names must stay claimable.
        assert!(!is_reserved("acme") && is_reserved("www"));
        assert!(RESERVED.iter().all(|label| check_subdomain(label).as_deref() == Ok(label) && is_reserved(label)));
        assert!(!is_reserved("ada"));
    }
}
