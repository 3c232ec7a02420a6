//! Compresses and encrypts stored answers, since some have secrets that are nowhere else in the database.

use std::io::{self, Read, Write};

use anyhow::Context;
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use hmac::{Hmac, KeyInit, Mac};
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::Sha256;

use super::once::Once;
use crate::base::{config::JwtSecret, error::ApiError, random};

/// Prefix of the input from which keys are derived. The same secrets sign user tokens, whose text never begins with it.
const PURPOSE: &[u8] = b"answer to an idempotency key\0";

/// Encrypts answers. Each has a key of its own, derived from a secret that signs user tokens, the account, and the idempotency key,
/// of which the database has only a hash. So rows can't be decrypted by themselves, nor with the secret, which PostgreSQL may have,
/// unless the idempotency key can be guessed.
pub(crate) struct Seals(Vec<Hmac<Sha256>>);

impl Seals {
    /// With these secrets, of which the first is in force.
    pub(crate) fn new(secrets: &[JwtSecret]) -> anyhow::Result<Self> {
        let keyed = secrets.iter().map(|JwtSecret { secret, .. }| {
            Hmac::new_from_slice(secret).map(|keyed| keyed.chain_update(PURPOSE)).context("a secret is no key")
        });
        Ok(Seals(keyed.collect::<anyhow::Result<_>>()?))
    }

    /// The keys of a request, beginning with that of the secret in force.
    fn keys(&self, once: &Once) -> impl Iterator<Item = LessSafeKey> {
        self.0.iter().filter_map(|keyed| {
            let derived = keyed.clone().chain_update(once.account.0).chain_update(once.key.as_str()).finalize();
            UnboundKey::new(&AES_256_GCM, &derived.into_bytes()).ok().map(LessSafeKey::new)
        })
    }

    /// An answer as it is stored. Only the same request opens it.
    pub(crate) fn seal(&self, once: &Once, answer: &[u8]) -> Result<Vec<u8>, ApiError> {
        let key = self.keys(once).next().ok_or_else(|| ApiError::internal("no secret seals answers"))?;
        let nonce: [u8; NONCE_LEN] = random::bytes().map_err(ApiError::internal)?;
        let mut text = compressed(answer).map_err(ApiError::internal)?;
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(once.fingerprint), &mut text)
            .map_err(ApiError::internal)?;
        Ok([&nonce[..], &text].concat())
    }

    /// Decrypts the answer of this request. `None`: it was encrypted with a secret that this service no longer has.
    pub(crate) fn open(&self, once: &Once, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, text) = sealed.split_first_chunk::<NONCE_LEN>()?;
        self.keys(once).find_map(|key| {
            let mut text = text.to_vec();
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let opened = key.open_in_place(nonce, Aad::from(once.fingerprint), &mut text).ok()?;
            let mut answer = Vec::new();
            DeflateDecoder::new(&*opened).read_to_end(&mut answer).ok()?;
            Some(answer)
        })
    }
}

/// Compresses an answer. That of a bulk repeats much the same text up to a hundred times.
fn compressed(answer: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(answer)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::*;
    use crate::{
        base::ids::{AccountId, MembershipId, UserId},
        platform::{
            auth::{
                caller::{Call, Caller},
                role::Role,
                user_token::TokenSubject,
            },
            idempotency::key::IdempotencyKey,
        },
    };

    fn seals(secrets: &[u8]) -> Seals {
        let secret = |fill: &u8| JwtSecret { kid: fill.to_string(), secret: vec![*fill; 32] };
        Seals::new(&secrets.iter().map(secret).collect::<Vec<_>>()).unwrap()
    }

    fn once((account, user): (AccountId, UserId), key: &str, request: &Json) -> Once {
        let subject = TokenSubject {
            user,
            account,
            membership: MembershipId(user.0),
            membership_changed_at: 0,
            role: Role::Owner,
            password_changed_at: 0,
            session: None,
            proved_at: 0,
            expires_at: 0,
        };
        let call = Call::new(Caller::User(subject), [127, 0, 0, 1].into());
        Once::new(&call, IdempotencyKey::parse(key).unwrap(), "key", request).unwrap()
    }

    #[test]
    fn an_answer_is_opened_by_its_own_request_and_secret_alone() {
        let ada = (AccountId::new(), UserId::new());
        let request = json!({ "name": "ci" });
        let answer = br#"{"key":"lg_live_secret"}"#.repeat(50);
        let sealed = seals(&[1]).seal(&once(ada, "k", &request), &answer).unwrap();
        assert!(sealed.len() < answer.len() / 4, "it is compressed");
        assert_ne!(sealed, seals(&[1]).seal(&once(ada, "k", &request), &answer).unwrap());
        let opened = |secrets: &[u8], request: &Once| seals(secrets).open(request, &sealed);
        assert_eq!(opened(&[1], &once(ada, "k", &request)).as_ref(), Some(&answer));
        assert_eq!(opened(&[2, 1], &once(ada, "k", &request)), Some(answer), "a rotation forgets no answer");
        assert_eq!(opened(&[2], &once(ada, "k", &request)), None);
        for other in [
            once(ada, "l", &request),
            once(ada, "k", &json!({ "name": "cd" })),
            once((AccountId::new(), ada.1), "k", &request),
            once((ada.0, UserId::new()), "k", &request),
        ] {
            assert_eq!(opened(&[1], &other), None);
        }
        assert_eq!(seals(&[1]).open(&once(ada, "k", &request), b"short"), None);
    }

    #[test]
    fn a_key_is_another_in_another_account() {
        let request = json!(null);
        let user = UserId::new();
        let (ada, bob) = (AccountId::new(), AccountId::new());
        let hash = |account, key| once((account, user), key, &request).hash;
        assert_eq!(hash(ada, "k"), hash(ada, "k"));
        assert_ne!(hash(ada, "k"), hash(bob, "k"));
        assert_ne!(hash(ada, "k"), hash(ada, "l"));
        let fingerprint = |key| once((ada, user), key, &request).fingerprint;
        assert_eq!(fingerprint("k"), fingerprint("k"));
        assert_ne!(fingerprint("k"), fingerprint("l"), "the request alone does not tell it");
    }
}
