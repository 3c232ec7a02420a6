//! Signatures as Standard Webhooks says (<https://www.standardwebhooks.com>, "Signature scheme"): HMAC-SHA256 over
//! `id.timestamp.body` with a secret of 24 to 64 bytes.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::base::{error::ApiError, random};

const PREFIX: &str = "whsec_";

/// Makes a secret: `whsec_` and the base64 of 32 random bytes.
pub(crate) fn new_secret() -> Result<String, ApiError> {
    let random: [u8; 32] = random::bytes().map_err(ApiError::internal)?;
    Ok(format!("{PREFIX}{}", STANDARD.encode(random)))
}

/// The value of `webhook-signature`: one signature for each secret, newest first. `timestamp` is Unix time in seconds.
pub(crate) fn sign<'a>(
    secrets: impl IntoIterator<Item = &'a str>,
    id: &str,
    timestamp: i64,
    body: &str,
) -> Result<String, ApiError> {
    let mut header = String::new();
    for secret in secrets {
        let key = STANDARD.decode(secret.strip_prefix(PREFIX).unwrap_or(secret)).map_err(ApiError::internal)?;
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).map_err(ApiError::internal)?;
        mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
        let separator = if header.is_empty() { "" } else { " " };
        // Writing to a String does not fail.
        let _ = write!(header, "{separator}v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
    }
    Ok(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_vector() {
        let signature = sign(
            ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signature.unwrap(), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn the_reference_library_accepts_either_secret_during_a_rotation() {
        let (old, new) = (new_secret().unwrap(), new_secret().unwrap());
        assert_ne!(old, new);
        #[expect(clippy::disallowed_methods, reason = "the library compares with the real time")]
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let signature = sign([new.as_str(), &old], "msg_1", now.try_into().unwrap(), "{}").unwrap();
        let headers = |signature: &str| {
            let mut headers = axum::http::HeaderMap::new();
            headers.insert("webhook-id", "msg_1".parse().unwrap());
            headers.insert("webhook-timestamp", now.to_string().parse().unwrap());
            headers.insert("webhook-signature", signature.parse().unwrap());
            headers
        };
        for secret in [&old, &new] {
            let webhook = standardwebhooks::Webhook::new(secret).unwrap();
            assert!(webhook.verify(b"{}", &headers(&signature)).is_ok());
            assert!(webhook.verify(b"{ }", &headers(&signature)).is_err());
        }
        let stranger = standardwebhooks::Webhook::new(&new_secret().unwrap()).unwrap();
        assert!(stranger.verify(b"{}", &headers(&signature)).is_err());
    }
}
