//! Codes of authenticator apps, and recovery codes.

use sea_orm::ConnectionTrait;
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp, TotpError};

use crate::{
    base::{
        clock::{SECOND, UnixMillis},
        error::ApiError,
        ids::UserId,
        random,
    },
    records::second_factors::repo,
};

/// Recovery codes of a user.
pub(crate) const RECOVERY_CODES: usize = 10;
/// Random bytes of a recovery code: 80 bits, so that a hash without salt keeps it.
const RECOVERY_BYTES: usize = 10;
/// Characters that a code has at most, with what people write between its groups.
pub(crate) const MAX_CODE: i32 = 40;

/// Recovery codes for the documentation, as JSON.
pub(super) const EXAMPLE_CODES: &str = concat!(
    r#"["ujzd-egxd-ncf3-2epf", "3dho-dzdo-cis2-jhtl", "gmxg-edn7-3u55-xtpl", "pft7-v4se-h2kv-j72c", "#,
    r#""euvw-75ef-r6ed-t4sy", "wb5w-kh7d-nsip-zz7f", "k4zr-i3r2-wyoj-fljo", "oa7l-qsaj-2xui-d5zz", "#,
    r#""zzg6-zdme-n4kh-vdga", "jgxb-enyj-qwx6-hh75"]"#
);

/// A code as a user types it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// Six digits of the authenticator app.
    Totp(String),
    /// SHA-256 of a recovery code.
    Recovery(Vec<u8>),
}

impl Code {
    /// Reads a code, whatever stands between its groups.
    pub(crate) fn read(text: &str) -> Self {
        let plain: String = text.chars().filter(|char| char.is_ascii_alphanumeric()).collect();
        if plain.len() == 6 && plain.bytes().all(|byte| byte.is_ascii_digit()) {
            Code::Totp(plain)
        } else {
            Code::Recovery(Sha256::digest(plain.to_lowercase()).to_vec())
        }
    }
}

/// The secret of a new authenticator app: 160 bits, as long as RFC 4226 §4 recommends.
pub(crate) fn new_secret() -> Result<[u8; 20], ApiError> {
    random::bytes().map_err(ApiError::internal)
}

/// Fresh recovery codes, as they are shown.
fn new_recovery_codes() -> Result<Vec<String>, ApiError> {
    let code = |_| {
        let bytes: [u8; RECOVERY_BYTES] = random::bytes().map_err(ApiError::internal)?;
        let text = Secret::from(bytes.to_vec()).to_base32().to_lowercase();
        let groups: Vec<&str> = text.as_bytes().chunks(4).filter_map(|group| str::from_utf8(group).ok()).collect();
        Ok(groups.join("-"))
    };
    (0..RECOVERY_CODES).map(code).collect()
}

/// Stores recovery codes for the user who gets a second factor, and answers them as they are shown. Empty: there is a factor already, and
/// its codes stay.
pub(super) async fn of_first_factor(tx: &impl ConnectionTrait, user: UserId) -> Result<Vec<String>, ApiError> {
    if repo::factors(tx, user).await?.is_empty() { replace(tx, user).await } else { Ok(Vec::new()) }
}

/// Stores new recovery codes in place of those before, and answers them as they are shown.
pub(super) async fn replace(tx: &impl ConnectionTrait, user: UserId) -> Result<Vec<String>, ApiError> {
    let codes = new_recovery_codes()?;
    repo::replace_codes(tx, user, codes.iter().map(|code| recovery_hash(code)).collect()).await?;
    Ok(codes)
}

/// A recovery code as it is stored.
fn recovery_hash(code: &str) -> Vec<u8> {
    match Code::read(code) {
        Code::Recovery(hash) => hash,
        Code::Totp(_) => Vec::new(),
    }
}

/// The parameters that authenticator apps assume: SHA-1, six digits, 30 seconds; a code may be one step early or late (RFC 6238 §5.2).
fn totp(secret: &[u8]) -> Builder {
    Builder::new().with_secret(secret.to_vec()).with_skew(1)
}

/// The time step of a code. `None`: it is wrong now.
pub(crate) fn step_of(secret: &[u8], code: &str, now: UnixMillis) -> Result<Option<i64>, ApiError> {
    let totp = totp(secret).build().map_err(ApiError::internal)?;
    let step = totp.check(code, u64::try_from(now / SECOND).unwrap_or_default());
    Ok(step.and_then(|step| i64::try_from(step).ok()))
}

/// The secret for people who type it, in base 32, and the URI for a QR code.
pub(crate) fn shown(secret: &[u8], issuer: &str, email: &str) -> Result<(String, String), ApiError> {
    // The format knows no colon, which a host has that is an IPv6 address, and an e-mail address may have in quotes.
    let [issuer, email] = [issuer, email].map(|text| text.replace(':', " "));
    let totp = totp(secret).with_issuer(Some(issuer)).with_account_name(email).build();
    let uri = totp.and_then(|totp: Totp| Ok::<_, TotpError>((totp.secret().to_base32(), totp.to_url()?)));
    uri.map_err(ApiError::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_rfc_6238() {
        let secret = b"12345678901234567890";
        // Appendix B, the last six of eight digits.
        for (second, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")]
        {
            let step = step_of(secret, code, second * SECOND).unwrap();
            assert_eq!(step, Some(second / 30));
            // A step early and late, and no more.
            let early = if second > 61 { vec![(-30, true), (-61, false)] } else { Vec::new() };
            for (later, taken) in early.into_iter().chain([(30, true), (61, false)]) {
                assert_eq!(
                    step_of(secret, code, (second + later) * SECOND).unwrap().is_some(),
                    taken,
                    "{second} {later}"
                );
            }
        }
        assert_eq!(step_of(secret, "287083", 59 * SECOND).unwrap(), None);
        assert_eq!(step_of(secret, "", 59 * SECOND).unwrap(), None);
    }

    #[test]
    fn a_code_is_read_as_people_write_it() {
        assert_eq!(Code::read(" 287 082\n"), Code::Totp("287082".to_owned()));
        let codes = new_recovery_codes().unwrap();
        assert_eq!(codes.len(), RECOVERY_CODES);
        for code in codes {
            assert_eq!(code.len(), 19, "{code}");
            for written in [code.to_uppercase(), code.replace('-', ""), code.replace('-', " - ")] {
                assert_eq!(recovery_hash(&written), recovery_hash(&code));
            }
        }
    }

    #[test]
    fn a_uri_names_service_and_user() {
        let (secret, uri) = shown(b"12345678901234567890", "sho.rt", "ada@example.com").unwrap();
        assert_eq!(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(uri, format!("otpauth://totp/sho.rt:ada%40example.com?secret={secret}&issuer=sho.rt"));
    }
}
