//! Settings of signing in other than by a password of this service: the company's identity provider, and the proxy in front.

use std::fmt;

use axum::http::HeaderName;
use url::Url;
use uuid::Uuid;

use super::{
    base_url::is_loopback,
    reader::{ConfigError, Reader, entries, error, on_off},
};

/// The roles that a group can be given, as they are stored.
const ROLES: [&str; 5] = ["OWNER", "ADMIN", "MEMBER", "VIEWER", "BILLING"];
/// A group that everybody is in.
const EVERYBODY: &str = "*";
/// The scopes of requests to the provider, unless others are set (OpenID Connect Core 1.0 §5.4).
const SCOPES: &str = "openid email profile";

/// How users sign in.
#[derive(Clone, Debug)]
pub struct SignInSettings {
    /// `LINKGRAPH_PASSWORD_LOGIN` (`on`).
    pub(crate) has_password_login: bool,
    /// `LINKGRAPH_OIDC_…`. None: no identity provider.
    pub(crate) provider: Option<ProviderSettings>,
    /// `LINKGRAPH_PROXY_…`. None: no header is believed.
    pub(crate) proxy: Option<ProxySettings>,
}

/// An identity provider that speaks OpenID Connect.
#[derive(Clone)]
pub(crate) struct ProviderSettings {
    /// `LINKGRAPH_OIDC_ISSUER`: as the provider writes itself, below which its discovery document is.
    pub(crate) issuer: String,
    /// `LINKGRAPH_OIDC_CLIENT_ID`.
    pub(crate) client_id: String,
    /// `LINKGRAPH_OIDC_CLIENT_SECRET`. None: the client is a public one.
    pub(crate) client_secret: Option<String>,
    /// `LINKGRAPH_OIDC_NAME` (the issuer's host): as the button says it.
    pub(crate) name: String,
    /// `LINKGRAPH_OIDC_SCOPES`.
    pub(crate) scopes: Vec<String>,
    /// `LINKGRAPH_OIDC_ROLE_CLAIM`: the claim with the groups; dots go into objects, as in `realm_access.roles`. None: nobody is in a group.
    pub(crate) role_claim: Option<String>,
    /// `LINKGRAPH_OIDC_ACCOUNT` and `LINKGRAPH_OIDC_ROLES`.
    pub(crate) membership: Option<MembershipRule>,
}

impl fmt::Debug for ProviderSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ProviderSettings({}, {})", self.issuer, self.client_id)
    }
}

/// Headers by which a trusted proxy says who the user is.
#[derive(Clone, Debug)]
pub(crate) struct ProxySettings {
    /// `LINKGRAPH_PROXY_USER_HEADER`: the user's e-mail address.
    pub(crate) user: HeaderName,
    /// `LINKGRAPH_PROXY_NAME_HEADER`: the display name. None: what stands before the `@`.
    pub(crate) name: Option<HeaderName>,
    /// `LINKGRAPH_PROXY_GROUPS_HEADER`: groups separated by commas. None: nobody is in a group.
    pub(crate) groups: Option<HeaderName>,
    /// `LINKGRAPH_PROXY_ACCOUNT` and `LINKGRAPH_PROXY_ROLES`.
    pub(crate) membership: Option<MembershipRule>,
}

/// The account that users who sign in are members of, and with which role.
#[derive(Clone, Debug)]
pub(crate) struct MembershipRule {
    /// The account's id.
    pub(crate) account: Uuid,
    /// Groups and their roles, the first that fits counts.
    roles: Vec<(String, &'static str)>,
    /// Whether each sign-in sets the role, and ends the membership of who has none. Else it makes members, who then have what role the
    /// account gives them.
    pub(crate) is_synced: bool,
}

impl MembershipRule {
    /// The stored form of the role of a user in these groups. `None`: the user may not be a member.
    pub(crate) fn role(&self, groups: &[String]) -> Option<&'static str> {
        let has = |group: &str| group == EVERYBODY || groups.iter().any(|own| own == group);
        self.roles.iter().find(|(group, _)| has(group)).map(|(_, role)| *role)
    }
}

/// Reads the settings. `has_proxies`: whether `LINKGRAPH_TRUSTED_PROXIES` names any.
pub(super) fn read(read: &Reader<'_>, has_proxies: bool) -> Result<SignInSettings, ConfigError> {
    let has_password_login = read.parse("LINKGRAPH_PASSWORD_LOGIN", "on", on_off)?;
    let (provider, proxy) = (provider(read)?, proxy(read, has_proxies)?);
    if !has_password_login && provider.is_none() && proxy.is_none() {
        let reason = "can't be off without LINKGRAPH_OIDC_ISSUER or LINKGRAPH_PROXY_USER_HEADER: nobody could log in";
        return Err(error("LINKGRAPH_PASSWORD_LOGIN", reason));
    }
    Ok(SignInSettings { has_password_login, provider, proxy })
}

fn provider(read: &Reader<'_>) -> Result<Option<ProviderSettings>, ConfigError> {
    const ISSUER: &str = "LINKGRAPH_OIDC_ISSUER";
    let issuer = read.text(ISSUER);
    let client_id = read.text("LINKGRAPH_OIDC_CLIENT_ID");
    let client_secret = read.text("LINKGRAPH_OIDC_CLIENT_SECRET");
    let (name, scopes) = (read.text("LINKGRAPH_OIDC_NAME"), read.text("LINKGRAPH_OIDC_SCOPES"));
    let role_claim = read.text("LINKGRAPH_OIDC_ROLE_CLAIM");
    let membership = membership(read, "LINKGRAPH_OIDC_ACCOUNT", "LINKGRAPH_OIDC_ROLES")?;
    let Some(issuer) = issuer else {
        let others = [
            ("LINKGRAPH_OIDC_CLIENT_ID", client_id.is_some()),
            ("LINKGRAPH_OIDC_CLIENT_SECRET", client_secret.is_some()),
            ("LINKGRAPH_OIDC_NAME", name.is_some()),
            ("LINKGRAPH_OIDC_SCOPES", scopes.is_some()),
            ("LINKGRAPH_OIDC_ROLE_CLAIM", role_claim.is_some()),
            ("LINKGRAPH_OIDC_ACCOUNT", membership.is_some()),
        ];
        return alone(ISSUER, others);
    };
    let url = Url::parse(&issuer).ok().filter(|url| url.query().is_none() && url.fragment().is_none());
    let host = url.as_ref().and_then(|url| match url.scheme() {
        "https" => url.host_str(),
        // Tokens would be read, and answers made up, by whoever is on the way.
        "http" => url.host_str().filter(|host| is_loopback(host)),
        _ => None,
    });
    let Some(host) = host else {
        return Err(error(ISSUER, "must be an https: URL without a query, such as https://id.example.com"));
    };
    let Some(client_id) = client_id else {
        return Err(error("LINKGRAPH_OIDC_CLIENT_ID", format!("is needed with {ISSUER}")));
    };
    let scopes: Vec<_> = scopes.as_deref().unwrap_or(SCOPES).split_whitespace().map(str::to_owned).collect();
    if !scopes.iter().any(|scope| scope == "openid") {
        return Err(error("LINKGRAPH_OIDC_SCOPES", "must have openid among scopes separated by spaces"));
    }
    let name = name.unwrap_or_else(|| host.to_owned());
    Ok(Some(ProviderSettings { issuer, client_id, client_secret, name, scopes, role_claim, membership }))
}

fn proxy(read: &Reader<'_>, has_proxies: bool) -> Result<Option<ProxySettings>, ConfigError> {
    const USER: &str = "LINKGRAPH_PROXY_USER_HEADER";
    let user = header(read, USER)?;
    let name = header(read, "LINKGRAPH_PROXY_NAME_HEADER")?;
    let groups = header(read, "LINKGRAPH_PROXY_GROUPS_HEADER")?;
    let membership = membership(read, "LINKGRAPH_PROXY_ACCOUNT", "LINKGRAPH_PROXY_ROLES")?;
    let Some(user) = user else {
        let others = [
            ("LINKGRAPH_PROXY_NAME_HEADER", name.is_some()),
            ("LINKGRAPH_PROXY_GROUPS_HEADER", groups.is_some()),
            ("LINKGRAPH_PROXY_ACCOUNT", membership.is_some()),
        ];
        return alone(USER, others);
    };
    if !has_proxies {
        let reason = "needs LINKGRAPH_TRUSTED_PROXIES: from any other address the header could be made up";
        return Err(error(USER, reason));
    }
    Ok(Some(ProxySettings { user, name, groups, membership }))
}

/// A partial configuration is a mistake.
fn alone<T, const N: usize>(needed: &'static str, others: [(&str, bool); N]) -> Result<Option<T>, ConfigError> {
    match others.into_iter().find(|(_, is_set)| *is_set) {
        Some((other, _)) => Err(error(needed, format!("is needed with {other}"))),
        None => Ok(None),
    }
}

fn header(read: &Reader<'_>, variable: &'static str) -> Result<Option<HeaderName>, ConfigError> {
    let parsed = read.text(variable).map(|text| text.parse());
    parsed.transpose().map_err(|_| error(variable, "must be the name of a header, such as Remote-Email"))
}

fn membership(
    read: &Reader<'_>,
    account: &'static str,
    roles: &'static str,
) -> Result<Option<MembershipRule>, ConfigError> {
    let table = read.text(roles).map(|text| entries(&text).map(role).collect::<Result<Vec<_>, _>>());
    let table = table.transpose().map_err(|reason| error(roles, reason))?;
    let id = read.text(account).map(|text| text.parse()).transpose();
    let id = id.map_err(|_| error(account, "must be an account's id: linkgraph accounts list --json shows it"))?;
    match (id, table) {
        (Some(account), Some(roles)) if !roles.is_empty() => {
            Ok(Some(MembershipRule { account, roles, is_synced: true }))
        }
        (Some(account), _) => {
            let roles = vec![(EVERYBODY.to_owned(), "MEMBER")];
            Ok(Some(MembershipRule { account, roles, is_synced: false }))
        }
        (None, Some(_)) => Err(error(account, format!("is needed with {roles}: the account in which the roles are"))),
        (None, None) => Ok(None),
    }
}

/// `group:ROLE`. A group may have colons.
fn role(entry: &str) -> Result<(String, &'static str), String> {
    let (group, role) = entry.rsplit_once(':').ok_or_else(|| format!("{entry} is not a group:ROLE"))?;
    let known = ROLES.into_iter().find(|known| known.eq_ignore_ascii_case(role.trim()));
    let known = known.ok_or_else(|| format!("{entry} has no role: {} are roles", ROLES.join(", ")))?;
    match group.trim() {
        "" => Err(format!("{entry} has no group")),
        group => Ok((group.to_owned(), known)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACCOUNT: &str = "019aa1c2-7d10-7c3e-9a51-3f5b0c9d1e00";

    fn read_all(settings: &[(&str, &str)], has_proxies: bool) -> Result<SignInSettings, String> {
        let variable = |name: &str| settings.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned());
        read(&Reader { variable: &variable }, has_proxies).map_err(|error| error.to_string())
    }

    #[test]
    fn the_first_group_that_fits_says_the_role() {
        let provider = [("LINKGRAPH_OIDC_ISSUER", "https://id.example.com"), ("LINKGRAPH_OIDC_CLIENT_ID", "lg")];
        let rule = |roles: &str| {
            let account = ("LINKGRAPH_OIDC_ACCOUNT", ACCOUNT);
            let settings = [&provider[..], &[account, ("LINKGRAPH_OIDC_ROLES", roles)]].concat();
            read_all(&settings, false).unwrap().provider.unwrap().membership.unwrap()
        };
        let groups = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let named = rule("urn:lg:admins:admin, staff:MEMBER");
        assert_eq!(named.role(&groups(&["staff", "urn:lg:admins"])), Some("ADMIN"));
        assert_eq!(named.role(&groups(&["staff"])), Some("MEMBER"));
        assert_eq!(named.role(&groups(&["Staff", "*"])), None);
        assert_eq!(rule("boss:OWNER,*:VIEWER").role(&[]), Some("VIEWER"));
        assert_eq!(rule("").role(&[]), Some("MEMBER"));
        let shown = read_all(&provider, false).unwrap().provider.unwrap();
        assert_eq!((shown.name.as_str(), shown.scopes.join(" ").as_str()), ("id.example.com", SCOPES));
    }

    #[test]
    fn what_is_half_set_or_unsafe_is_refused() {
        let issuer = ("LINKGRAPH_OIDC_ISSUER", "https://id.example.com");
        let client = ("LINKGRAPH_OIDC_CLIENT_ID", "lg");
        let user = ("LINKGRAPH_PROXY_USER_HEADER", "Remote-Email");
        for (settings, variable) in [
            (&[("LINKGRAPH_PASSWORD_LOGIN", "off")][..], "LINKGRAPH_PASSWORD_LOGIN"),
            (&[("LINKGRAPH_PASSWORD_LOGIN", "no")], "LINKGRAPH_PASSWORD_LOGIN"),
            (&[issuer], "LINKGRAPH_OIDC_CLIENT_ID"),
            (&[client], "LINKGRAPH_OIDC_ISSUER"),
            (&[("LINKGRAPH_OIDC_ISSUER", "http://id.example.com"), client], "LINKGRAPH_OIDC_ISSUER"),
            (&[("LINKGRAPH_OIDC_ISSUER", "id.example.com"), client], "LINKGRAPH_OIDC_ISSUER"),
            (&[issuer, client, ("LINKGRAPH_OIDC_SCOPES", "email")], "LINKGRAPH_OIDC_SCOPES"),
            (&[issuer, client, ("LINKGRAPH_OIDC_ROLES", "staff:MEMBER")], "LINKGRAPH_OIDC_ACCOUNT"),
            (&[issuer, client, ("LINKGRAPH_OIDC_ACCOUNT", "acme")], "LINKGRAPH_OIDC_ACCOUNT"),
            (&[issuer, client, ("LINKGRAPH_OIDC_ROLES", "staff:KING")], "LINKGRAPH_OIDC_ROLES"),
            (&[issuer, client, ("LINKGRAPH_OIDC_ROLES", ":ADMIN")], "LINKGRAPH_OIDC_ROLES"),
            (&[user], "LINKGRAPH_PROXY_USER_HEADER"),
            (&[("LINKGRAPH_PROXY_USER_HEADER", "a b")], "LINKGRAPH_PROXY_USER_HEADER"),
            (&[("LINKGRAPH_PROXY_NAME_HEADER", "Remote-Name")], "LINKGRAPH_PROXY_USER_HEADER"),
        ] {
            let message = read_all(settings, false).unwrap_err();
            assert!(message.starts_with(&format!("{variable}: ")), "{settings:?}: {message}");
        }
        for settings in [
            &[user][..],
            &[user, ("LINKGRAPH_PASSWORD_LOGIN", "off")],
            &[("LINKGRAPH_OIDC_ISSUER", "http://localhost:9000/a"), client, ("LINKGRAPH_PASSWORD_LOGIN", "off")],
        ] {
            read_all(settings, true).unwrap();
        }
    }
}
