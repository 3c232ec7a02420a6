//! Signatures of Stripe's events (<https://docs.stripe.com/webhooks#verify-manually>): HMAC-SHA256 over `t.body`.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::base::clock::{Millis, SECOND, UnixMillis};

/// The header that signs an event.
pub(crate) const SIGNATURE: &str = "stripe-signature";
/// The path of this service to which the provider sends events.
pub(crate) const PATH: &str = "/webhooks/stripe";
/// How far the time of a signature may be from ours, either way: Stripe's own libraries' tolerance.
pub(crate) const TOLERANCE: Millis = 300 * SECOND;

/// Whether a `stripe-signature` header, such as `t=1763649218,v1=5257…`, signs the body with one of the secrets, and was
/// made at about this time; else why not. Any `v1` may match; other schemes, such as the test mode's `v0`, count for nothing.
pub(crate) fn verify<'a>(
    header: &str,
    body: &[u8],
    secrets: impl IntoIterator<Item = &'a str>,
    now: UnixMillis,
) -> Result<(), &'static str> {
    let mut timestamp = None;
    let mut signatures = Vec::new();
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", text)) if timestamp.is_none() => timestamp = Some(text),
            Some(("t", _)) => return Err("has more than one timestamp"),
            Some(("v1", text)) => signatures.extend(hex::decode(text)),
            _ => {}
        }
    }
    let Some(text) = timestamp else { return Err("has no timestamp (t=)") };
    // The signature covers the timestamp as text, so the text is kept beside the parsed number.
    let seconds = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let Some(seconds) = seconds.and_then(|text| text.parse::<i64>().ok()) else {
        return Err("has a timestamp that is no Unix time in seconds");
    };
    let mut is_signed = false;
    for secret in secrets.into_iter().filter(|secret| !secret.is_empty()) {
        let Ok(mac) = signed(text, body, secret) else { continue };
        // Each comparison takes the same time, whatever it finds.
        is_signed |= signatures.iter().any(|signature| mac.clone().verify_slice(signature).is_ok());
    }
    if !is_signed {
        return Err("has no v1 signature of this body by the configured secret");
    }
    let made_at = seconds.saturating_mul(SECOND);
    match now.saturating_sub(made_at) {
        skew if skew > TOLERANCE => Err("is older than 300 seconds"),
        skew if skew < -TOLERANCE => Err("is more than 300 seconds in the future"),
        _ => Ok(()),
    }
}

/// The header for a body.
pub(crate) fn sign(body: &[u8], secret: &str, now: UnixMillis) -> Result<String, hmac::digest::InvalidLength> {
    let timestamp = (now / SECOND).to_string();
    let mac = signed(&timestamp, body, secret)?;
    Ok(format!("t={timestamp},v1={}", hex::encode(mac.finalize().into_bytes())))
}

fn signed(timestamp: &str, body: &[u8], secret: &str) -> Result<Hmac<Sha256>, hmac::digest::InvalidLength> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes())?;
    mac.update(timestamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    Ok(mac)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1","object":"event"}"#;
    const SECRET: &str = "whsec_test_secret";
    const NOW: UnixMillis = 1_763_649_218_500;

    #[test]
    fn a_vector_made_by_openssl() {
        // printf '%s' '1763649218.{"id":"evt_1","object":"event"}' | openssl dgst -sha256 -hmac whsec_test_secret
        let header = "t=1763649218,v1=77602a9ac1791f58bc9804c30b40beb2c0cade98a5b9b22c527d4e9936801cfc";
        assert_eq!(sign(BODY, SECRET, NOW).unwrap(), header);
        assert_eq!(verify(header, BODY, [SECRET], NOW), Ok(()));
    }

    #[test]
    fn any_v1_by_any_secret_will_do_and_nothing_else() {
        let good = sign(BODY, SECRET, NOW).unwrap();
        let (time, signature) = good.split_once(",v1=").unwrap();
        let zeros = "0".repeat(64);
        for header in [
            good.clone(),
            format!("{time},v1={zeros},v1={signature}"),
            format!("{time},v0={zeros},v1={signature},v2=x"),
            format!("v1={signature}, {time}"),
        ] {
            assert_eq!(verify(&header, BODY, ["whsec_old", SECRET], NOW), Ok(()), "{header}");
            assert!(verify(&header, BODY, ["whsec_old"], NOW).is_err(), "{header}");
            assert!(verify(&header, b"{}", [SECRET], NOW).is_err(), "{header}");
        }
        for header in [
            String::new(),
            time.to_owned(),
            format!("v1={signature}"),
            format!("{time},v0={signature}"),
            format!("{time},v1="),
            format!("{time},v1={zeros}"),
            format!("{time},v1={}", &signature[..62]),
            format!("{time},{time},v1={signature}"),
            format!("t=,v1={signature}"),
            format!("t=+1763649218,v1={signature}"),
            format!("t=01763649218,v1={signature}"),
        ] {
            assert!(verify(&header, BODY, [SECRET], NOW).is_err(), "{header}");
        }
    }

    #[test]
    fn an_empty_secret_never_passes() {
        let header = sign(BODY, "", NOW).unwrap();
        assert!(verify(&header, BODY, [""], NOW).is_err());
        assert!(verify(&header, BODY, [], NOW).is_err());
    }

    #[test]
    fn the_tolerance_is_300_seconds_either_way() {
        let at = |skew: Millis| verify(&sign(BODY, SECRET, NOW - skew).unwrap(), BODY, [SECRET], NOW / SECOND * SECOND);
        for skew in [-TOLERANCE, 0, TOLERANCE] {
            assert_eq!(at(skew), Ok(()), "{skew}");
        }
        for skew in [-TOLERANCE - SECOND, TOLERANCE + SECOND, i64::from(i32::MAX) * SECOND] {
            assert!(at(skew).is_err(), "{skew}");
        }
    }

    proptest! {
        #[test]
        fn no_changed_bit_passes(body in prop::collection::vec(any::<u8>(), 1..200), bit in any::<prop::sample::Index>()) {
            let header = sign(&body, SECRET, NOW).unwrap();
            prop_assert_eq!(verify(&header, &body, [SECRET], NOW), Ok(()));
            let mut changed = body.clone();
            let bit = bit.index(body.len() * 8);
            changed[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(verify(&header, &changed, [SECRET], NOW).is_err());
        }

        #[test]
        fn no_header_panics(header in "\\PC*") {
            prop_assert!(verify(&header, BODY, [SECRET], NOW).is_err());
        }
    }
}
