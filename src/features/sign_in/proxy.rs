//! The user that a trusted proxy names in a header, as Authelia, Cloudflare Access or Tailscale do.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName};

use crate::{base::config::Config, platform::auth::identity_provider::Identity};

/// The user that the proxy names. `None`: no header is believed, the request comes from another address, or the header has no one value.
pub(crate) fn identity(config: &Config, peer: IpAddr, headers: &HeaderMap) -> Option<Identity> {
    let settings = config.sign_in.proxy.as_ref()?;
    let peer = peer.to_canonical();
    if !config.trusted_proxies.iter().any(|network| network.contains(&peer)) {
        return None;
    }
    let email = text(headers, &settings.user)?.to_lowercase();
    let name = settings.name.as_ref().and_then(|name| text(headers, name));
    let groups = settings.groups.as_ref().and_then(|name| text(headers, name)).unwrap_or_default();
    Some(Identity {
        issuer: format!("proxy:{}", settings.user),
        subject: email.clone(),
        email: Some(email),
        is_email_proved: true,
        name,
        groups: groups.split(',').map(str::trim).filter(|group| !group.is_empty()).map(str::to_owned).collect(),
    })
}

/// The field's one value. A client's own field beside that of the proxy makes both worthless.
fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let (value, other) = (values.next()?, values.next());
    let text = std::str::from_utf8(value.as_bytes()).ok()?.trim();
    (other.is_none() && !text.is_empty()).then(|| text.to_owned())
}
