//! HS256 (RFC 7518 §3.2) for `jsonwebtoken`, by the HMAC that signs webhooks too. The providers that the crate brings would add
//! a second TLS library's cryptography, or RSA and elliptic curves, which no token of ours is signed with.

use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, EncodingKey,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{Error, ErrorKind},
    signature::{Error as SignatureError, Signer, Verifier},
};
use sha2::Sha256;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // For keys in JSON (RFC 7517), which are not used.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs this as the process's provider. Must be called before a token is signed or verified.
pub(super) fn install() {
    // Fails if it is installed already.
    let _ = PROVIDER.install_default();
}

struct Hs256(Hmac<Sha256>);

impl Hs256 {
    fn new(algorithm: Algorithm, family: AlgorithmFamily, secret: &[u8]) -> Result<Self, Error> {
        if algorithm != Algorithm::HS256 || family != AlgorithmFamily::Hmac {
            return Err(ErrorKind::InvalidAlgorithm.into());
        }
        Hmac::new_from_slice(secret).map(Hs256).map_err(|_| ErrorKind::InvalidKeyFormat.into())
    }
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>, Error> {
    Ok(Box::new(Hs256::new(*algorithm, key.family(), key.as_bytes())?))
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>, Error> {
    Ok(Box::new(Hs256::new(*algorithm, key.family(), key.try_get_as_bytes()?)?))
}

impl Signer<Vec<u8>> for Hs256 {
    fn try_sign(&self, message: &[u8]) -> Result<Vec<u8>, SignatureError> {
        Ok(self.0.clone().chain_update(message).finalize().into_bytes().to_vec())
    }
}

impl Verifier<Vec<u8>> for Hs256 {
    /// In the same time wherever the signatures differ.
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), SignatureError> {
        self.0.clone().chain_update(message).verify_slice(signature).map_err(SignatureError::from_source)
    }
}

impl JwtSigner for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

impl JwtVerifier for Hs256 {
    fn algorithm(&self) -> Algorithm {
        Algorithm::HS256
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::crypto::{sign, verify};

    use super::*;

    /// RFC 7515, appendix A.1.
    #[test]
    fn the_example_of_the_rfc_is_signed_and_verified() {
        install();
        let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow==";
        let message = "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog\
                       Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
        let signature = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let signs = EncodingKey::from_urlsafe_base64_secret(secret).unwrap();
        assert_eq!(sign(message.as_bytes(), &signs, Algorithm::HS256).unwrap(), signature);
        let verifies = DecodingKey::from_secret(signs.as_bytes());
        assert!(verify(signature, message.as_bytes(), &verifies, Algorithm::HS256).unwrap());
        assert!(!verify(signature, b"another message", &verifies, Algorithm::HS256).unwrap());
        assert!(!verify(&signature[..40], message.as_bytes(), &verifies, Algorithm::HS256).unwrap());
        assert!(sign(message.as_bytes(), &signs, Algorithm::HS512).is_err());
    }
}
