//! Secrets of user tokens.

use super::reader::entries;

/// A secret that signs or verifies user tokens.
#[derive(Clone)]
pub struct JwtSecret {
    /// Key id, in the token's header.
    pub(crate) kid: String,
    pub(crate) secret: Vec<u8>,
}

impl JwtSecret {
    /// Fewest bytes of a secret: as many as the signature's hash has (RFC 7518 §3.2).
    pub(crate) const MIN_BYTES: usize = 32;
}

impl std::fmt::Debug for JwtSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "JwtSecret({})", self.kid)
    }
}

pub(super) fn parse(text: &str) -> Result<Vec<JwtSecret>, String> {
    let mut secrets: Vec<JwtSecret> = Vec::new();
    for entry in entries(text) {
        match entry.split_once(':') {
            Some((kid, secret)) if !kid.is_empty() && !secret.is_empty() => {
                if secrets.iter().any(|known| known.kid == kid) {
                    return Err(format!("the key id {kid} stands twice"));
                }
                if secret.len() < JwtSecret::MIN_BYTES {
                    let (has, needs) = (secret.len(), JwtSecret::MIN_BYTES);
                    return Err(format!(
                        "the secret of {kid} has {has} bytes and needs {needs} (openssl rand -hex 32)"
                    ));
                }
                secrets.push(JwtSecret { kid: kid.to_owned(), secret: secret.as_bytes().to_vec() });
            }
            // The entry itself is a secret: it is not repeated.
            _ => return Err("must be kid:secret, several separated by commas".into()),
        }
    }
    Ok(secrets)
}
