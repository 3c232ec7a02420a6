//! Passwords of links and reports, which visitors are told and enter.
//!
//! A password is sent with each visit: no cookie and no parameter of a URL keeps it. A guess is counted before it is hashed, so that
//! guesses that run at once are all counted, and is given back if it is right, so that those who know the password do not keep each other
//! out.

use std::{net::IpAddr, sync::Arc};

use base64::{Engine, engine::general_purpose::STANDARD};
use uuid::Uuid;

use super::rate_limit::{Key, Limits, Policy};
use crate::{
    base::{
        error::{ApiError, Code},
        ids::AccountId,
    },
    platform::auth::password::{Passwords, Requester},
};

/// The authentication that clients without a browser use, such as curl (RFC 7617). The user's name does not matter.
const BASIC: &str = "Basic ";

/// The password in a value of `Authorization`. `None`: it has none.
pub(crate) fn of_basic(authorization: &[u8]) -> Option<String> {
    let (scheme, credentials) = std::str::from_utf8(authorization).ok()?.split_at_checked(BASIC.len())?;
    if !scheme.eq_ignore_ascii_case(BASIC) {
        return None;
    }
    let credentials = String::from_utf8(STANDARD.decode(credentials.trim()).ok()?).ok()?;
    Some(credentials.split_once(':')?.1.to_owned())
}

/// The link or report whose password a client enters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entered {
    /// Its id.
    pub(crate) of: Uuid,
    pub(crate) account: AccountId,
    pub(crate) client: IpAddr,
}

/// Compares a password with the stored one. Fails with `Forbidden` if it is another one, with `RateLimited` after too many of them, and as
/// unavailable if it can't be hashed now.
pub(crate) async fn check(
    (limits, passwords): (&Arc<Limits>, &Passwords),
    Entered { of, account, client }: Entered,
    hash: &str,
    password: &str,
) -> Result<(), ApiError> {
    let guesses =
        [(Policy::LinkGuesses, Key::of_id_and_network(of, client.into())), (Policy::AllLinkGuesses, Key::from(of))];
    let give_back = |counted: &[(Policy, Key)]| {
        for (policy, key) in counted {
            limits.settle(*policy, (*key).into(), -1);
        }
    };
    for (place, (policy, key)) in guesses.into_iter().enumerate() {
        if let Err(error) = limits.take(policy, key, 1).await {
            give_back(guesses.get(..place).unwrap_or_default());
            return Err(error);
        }
    }
    let verify = async {
        let turn = passwords.turn(Requester::visitor(account, client)).await?;
        turn.verify(password, Some(hash)).await
    };
    match verify.await {
        Ok(false) => Err(Code::Forbidden.into()),
        Ok(true) => {
            give_back(&guesses);
            Ok(())
        }
        Err(error) => {
            give_back(&guesses);
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_of_basic_authentication_are_read() {
        for (field, password) in [
            ("Basic OnRpbi1zb2xkaWVy", Some("tin-soldier")),
            ("basic dXNlcjp0aW46c29sZGllcg==", Some("tin:soldier")),
            ("Basic dXNlcjo=", Some("")),
            ("Basic dXNlcg==", None),
            ("Basic ?", None),
            ("Basic", None),
            ("Bearer OnRpbi1zb2xkaWVy", None),
            ("", None),
        ] {
            assert_eq!(of_basic(field.as_bytes()).as_deref(), password, "{field}");
        }
    }
}
