//! Enforces `@access` before anything is executed: one function for GraphQL and REST.

use crate::{
    app::App,
    base::error::{ApiError, Code},
    features::accounts,
    platform::{
        auth::{
            access::{Access, Credential, Depth, EntryPoint, Permission, RateLimit},
            caller::{Call, Caller},
        },
        http::rate_limit::{Key, Policy, Subject},
    },
};

/// The name of a root field that a request executes, and its access rules. `None`: the contract does not define it, since it
/// belongs to introspection, or does not exist, which validation refuses.
pub(crate) type Root<'a> = (&'a str, Option<Access>);

/// Fails unless the call may use the root fields, and the fields below them with these permissions. Checks the credential, then
/// the rate limits, then scopes and permissions.
pub(crate) async fn authorize(
    app: &App,
    call: &Call,
    roots: &[Root<'_>],
    permissions: &[Permission],
    entry_point: EntryPoint,
) -> Result<(), ApiError> {
    let asked = || roots.iter().filter_map(|(_, asked)| *asked);
    asked().try_for_each(|asked| check_credential(&call.caller, asked.credential, entry_point))?;
    for ((policy, subject), cost) in costs(call, roots) {
        app.limits.take(policy, subject, cost).await?;
    }
    for asked in asked().filter(|asked| asked.credential != Credential::Public) {
        match (&call.caller, asked.depth) {
            (Caller::User(subject), Depth::UserContext) => {
                call.user_context(accounts::owner::check_token(app.db.read(), subject)).await?;
            }
            (Caller::ApiKey(key), _) => app.api_calls.count(key.account, app.clock.now()),
            _ => {}
        }
        asked.scope.map_or(Ok(()), |scope| call.caller.check_scope(scope))?;
    }
    permissions.iter().try_for_each(|permission| permission.check(&call.caller))
}

fn check_credential(caller: &Caller, asked: Credential, entry_point: EntryPoint) -> Result<(), ApiError> {
    match (caller, asked) {
        (_, Credential::Public) => Ok(()),
        (Caller::Anonymous | Caller::Refused, _) => Err(Code::Unauthenticated.into()),
        (Caller::User(_), _) if entry_point == EntryPoint::PublicApi => {
            Err(ApiError::new(Code::Unauthenticated, "The public API takes an API key, not a user token."))
        }
        (Caller::ApiKey(_), Credential::User) => {
            Err(ApiError::new(Code::Unauthenticated, "This operation takes a user token, not an API key."))
        }
        (Caller::User(_) | Caller::ApiKey(_), _) => Ok(()),
    }
}

/// Quota units to take, by policy and subject: one for each root field.
fn costs(call: &Call, roots: &[Root<'_>]) -> Vec<((Policy, Subject), u32)> {
    let mut costs: Vec<((Policy, Subject), u32)> = Vec::new();
    for (field, asked) in roots {
        let (credential, limit) = (asked.map(|asked| asked.credential), asked.and_then(|asked| asked.limit));
        let counted = match &call.caller {
            _ if credential == Some(Credential::Public) => {
                let policy = match limit {
                    Some(RateLimit::PublicRead) => Policy::PublicRead,
                    Some(RateLimit::OfApps) => Policy::OfApps,
                    Some(RateLimit::Subdomain) | None => Policy::Authentication,
                };
                (policy, Subject::of_client(field, call.client))
            }
            Caller::ApiKey(key) => (Policy::PublicApi(key.plan), Key::from(key.id).into()),
            Caller::User(user) if limit == Some(RateLimit::Subdomain) => {
                (Policy::Subdomain, Key::from(user.user).into())
            }
            _ => continue,
        };
        match costs.iter_mut().find(|(known, _)| *known == counted) {
            Some((_, cost)) => *cost += 1,
            None => costs.push((counted, 1)),
        }
    }
    costs
}
