//! An authenticator of passkeys in a browser (ES256, Web Authentication Level 3), without the service's library.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};

use super::{Answer, Http, sandbox::LOOPBACK};

/// Its user is there; its user was verified; the data have a new credential (§6.1).
const PRESENT: u8 = 1;
const VERIFIED: u8 = 4;
const ATTESTED: u8 = 64;

/// One passkey, and the browser that has it.
pub(crate) struct Passkey {
    key: EcdsaKeyPair,
    id: Vec<u8>,
    /// The user's handle, in base64url.
    user: Json,
    /// The page's origin, and the host that the browser takes it for. `None`: those of the service.
    pub(crate) origin: Option<&'static str>,
    pub(crate) host: Option<&'static str>,
    pub(crate) is_verifying: bool,
    /// Signatures so far. 0: it does not count them.
    pub(crate) counter: u32,
}

impl Passkey {
    pub(crate) fn new() -> Self {
        let random = SystemRandom::new();
        let stored = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, stored.as_ref(), &random).unwrap();
        let id = Sha256::digest(key.public_key()).to_vec();
        Passkey { key, id, user: Json::Null, origin: None, host: None, is_verifying: true, counter: 0 }
    }

    /// A passkey that the user of the token has added.
    pub(crate) async fn added(server: &Http, token: &str) -> Self {
        let mut passkey = Self::new();
        passkey.add(server, token).await.expect(200);
        passkey
    }

    /// Adds it for the user of the token.
    pub(crate) async fn add(&mut self, server: &Http, token: &str) -> Answer {
        let input = self.created(server, token).await;
        server.post("/me/passkeys", token, input).await
    }

    /// What adds it for the user of the token.
    pub(crate) async fn created(&mut self, server: &Http, token: &str) -> Json {
        let asked = server.post("/me/passkeys/start", token, json!({})).await.expect(200).json();
        let credential = self.create(&options(&asked));
        json!({ "challenge": asked["challenge"], "credential": credential, "name": "My phone" })
    }

    /// The answer of `navigator.credentials.create`.
    fn create(&mut self, options: &Json) -> String {
        self.user = options["user"]["id"].clone();
        let point = self.key.public_key().as_ref();
        let mut data = self.data(ATTESTED, &options["rp"]["id"]);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        // The key as COSE has it (RFC 9053 §7.1.1): {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
        data.extend([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]);
        data.extend(&point[1..33]);
        data.extend([0x22, 0x58, 32]);
        data.extend(&point[33..]);
        // {"fmt": "none", "attStmt": {}, "authData": …} in CBOR.
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59".to_vec();
        attestation.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        attestation.extend(data);
        let client = self.client("webauthn.create", options);
        self.answer(
            &json!({ "clientDataJSON": encoded(client.as_bytes()), "attestationObject": encoded(&attestation) }),
        )
    }

    /// The answer of `navigator.credentials.get`.
    pub(crate) fn get(&mut self, options: &Json) -> String {
        self.counter += u32::from(self.counter > 0);
        let (data, client) = (self.data(0, &options["rpId"]), self.client("webauthn.get", options));
        let signed = [data.as_slice(), Sha256::digest(&client).as_slice()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        self.answer(&json!({
            "clientDataJSON": encoded(client.as_bytes()), "authenticatorData": encoded(&data),
            "signature": encoded(signature.as_ref()), "userHandle": self.user,
        }))
    }

    /// What proves or logs in, by what the service asked.
    pub(crate) fn input(&mut self, asked: &Json) -> Json {
        json!({ "challenge": asked["challenge"], "credential": self.get(&options(asked)) })
    }

    fn data(&self, flags: u8, host: &Json) -> Vec<u8> {
        let verified = if self.is_verifying { VERIFIED } else { 0 };
        let host = Sha256::digest(self.host.unwrap_or(host.as_str().unwrap()));
        [host.as_slice(), &[PRESENT | verified | flags], &self.counter.to_be_bytes()].concat()
    }

    fn client(&self, kind: &str, options: &Json) -> String {
        let challenge = &options["challenge"];
        let is_local = options["rpId"] == "localhost" || options["rp"]["id"] == "localhost";
        let origin = self.origin.unwrap_or(if is_local { LOOPBACK.1 } else { "http://sho.rt" });
        json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false }).to_string()
    }

    fn answer(&self, response: &Json) -> String {
        let id = encoded(&self.id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {} })
            .to_string()
    }
}

/// What the service asks the browser for.
pub(crate) fn options(asked: &Json) -> Json {
    serde_json::from_str(asked["options"].as_str().unwrap()).unwrap()
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
