//! Lines of the audit log. Each has the author of a change, the operation, and a row with its columns before and after.
//!
//! [`App::begin`](crate::app::App::begin) asks for author and operation, [`Change::commit`](crate::app::change::Change::commit) for the rows. With
//! `LINKGRAPH_LOG=info,linkgraph::audit=debug` a change is logged once it is committed, without the values; nothing is stored yet.

use std::{
    borrow::Cow,
    fmt::{self, Display, Formatter},
    sync::Arc,
};

use sea_orm::{EntityName, EntityTrait, IdenStatic, Iterable, ModelTrait, PrimaryKeyToColumn, Value};
use serde_json::{Map, Value as Json};
use tracing::Level;

use crate::{
    base::{
        error::{ApiError, Code},
        ids::{AccountId, ApiKeyId, UserId},
    },
    platform::{
        auth::caller::{Call, Caller},
        idempotency::once::Once,
    },
};

/// The author of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// A user who logged in.
    User(UserId),
    /// An API key.
    ApiKey(ApiKeyId),
    /// Somebody without a credential, who registers or has forgotten a password.
    Visitor,
    /// The service itself. What operators do by command is in `operator_actions`.
    Service,
}

impl Display for Author {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Author::User(user) => write!(text, "user {user}"),
            Author::ApiKey(key) => write!(text, "api_key {key}"),
            Author::Visitor => write!(text, "visitor"),
            Author::Service => write!(text, "service"),
        }
    }
}

/// The author and the operation of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct By {
    author: Author,
    /// Name of a mutation; of the service's own changes, that of the job or task.
    operation: Cow<'static, str>,
}

impl By {
    pub(crate) const fn service(task: &'static str) -> Self {
        By { author: Author::Service, operation: Cow::Borrowed(task) }
    }

    pub(crate) const fn visitor(operation: &'static str) -> Self {
        By { author: Author::Visitor, operation: Cow::Borrowed(operation) }
    }

    pub(crate) const fn user(user: UserId, operation: &'static str) -> Self {
        By { author: Author::User(user), operation: Cow::Borrowed(operation) }
    }
}

/// A mutation that is executed for a caller with an account.
#[derive(Clone)]
pub(crate) struct Act {
    pub(crate) call: Arc<Call>,
    /// The account that it acts on.
    pub(crate) account: AccountId,
    /// The request with its idempotency key. `None`: it has none.
    pub(crate) once: Option<Arc<Once>>,
    pub(crate) by: By,
}

impl Act {
    /// Fails with UNAUTHENTICATED when the caller has no account.
    pub(crate) fn new(call: &Arc<Call>, once: Option<Arc<Once>>, operation: &str) -> Result<Self, ApiError> {
        let author = match &call.caller {
            Caller::User(subject) => Author::User(subject.user),
            Caller::ApiKey(key) => Author::ApiKey(key.id),
            Caller::Anonymous | Caller::Refused => return Err(Code::Unauthenticated.into()),
        };
        let by = By { author, operation: operation.to_owned().into() };
        Ok(Act { call: Arc::clone(call), account: call.account()?, once, by })
    }
}

impl From<&Act> for By {
    fn from(act: &Act) -> Self {
        act.by.clone()
    }
}

/// A row that a change creates, changes or deletes.
#[derive(Debug)]
pub(crate) struct Fact {
    table: &'static str,
    id: String,
    /// Columns before and after. `None`: there was, or is, no row, or the log does not take them.
    before: Option<Map<String, Json>>,
    after: Option<Map<String, Json>>,
}

impl Fact {
    pub(crate) fn created<M: ModelTrait>(row: &M) -> Self {
        Fact { after: columns(row), ..Fact::of(row) }
    }

    /// A row that is changed: only the columns that differ are kept.
    pub(crate) fn changed<M: ModelTrait>(before: &M, after: &M) -> Self {
        let (mut old, mut new) = (columns(before), columns(after));
        if let (Some(old), Some(new)) = (&mut old, &mut new) {
            old.retain(|column, value| {
                let differs = new.get(column) != Some(value);
                if !differs {
                    new.shift_remove(column);
                }
                differs
            });
        }
        Fact { before: old, after: new, ..Fact::of(after) }
    }

    pub(crate) fn deleted<M: ModelTrait>(row: &M) -> Self {
        Fact { before: columns(row), ..Fact::of(row) }
    }

    /// A row that was deleted without being read.
    pub(crate) fn gone<M: ModelTrait>(id: &impl ToString) -> Self {
        Fact { table: M::Entity::default().table_name(), id: id.to_string(), before: None, after: None }
    }

    fn of<M: ModelTrait>(row: &M) -> Self {
        let key = <M::Entity as EntityTrait>::PrimaryKey::iter().map(|key| json(row.get(key.into_column())));
        let key: Vec<String> =
            key.flatten().map(|value| value.as_str().map_or(value.to_string(), str::to_owned)).collect();
        Fact::gone::<M>(&key.join("/"))
    }
}

/// Whether lines are logged.
fn is_logged() -> bool {
    tracing::enabled!(target: "linkgraph::audit", Level::DEBUG)
}

/// The columns of a row but those that are secret: hashes, keys, and all bytes. `None`: nobody would read them.
fn columns<M: ModelTrait>(row: &M) -> Option<Map<String, Json>> {
    is_logged().then(|| {
        let columns = <M::Entity as EntityTrait>::Column::iter();
        let shown = columns.filter(|column| !is_secret(column.as_str()));
        shown.filter_map(|column| Some((column.as_str().to_owned(), json(row.get(column))?))).collect()
    })
}

/// Whether a column of this name keeps something that is not to be read in a log.
fn is_secret(column: &str) -> bool {
    ["hash", "secret", "token"].iter().any(|word| column.contains(word))
}

fn json(value: Value) -> Option<Json> {
    Some(match value {
        Value::Bool(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::BigInt(value) => value.into(),
        Value::String(value) => value.into(),
        Value::Uuid(value) => value.map(|id| id.to_string()).into(),
        _ => return None,
    })
}

/// Logs what was committed, without values: logs hold no addresses.
pub(crate) fn log(by: &By, facts: &[Fact]) {
    if !is_logged() {
        return;
    }
    for Fact { table, id, before, after } in facts {
        let change = match (before, after) {
            (None, Some(_)) => "created",
            (Some(_), Some(_)) => "changed",
            (_, None) => "deleted",
        };
        let columns: Vec<&str> = after.iter().flat_map(Map::keys).map(String::as_str).collect();
        let (author, operation) = (by.author, &*by.operation);
        tracing::debug!(target: "linkgraph::audit", %author, operation, table, id, change, columns = columns.join(" "), "A row was changed");
    }
}

#[cfg(test)]
mod tests {
    use entity::{api_key, import, link, session, user, webhook};

    use super::*;

    fn hidden<E: EntityTrait>() -> Vec<&'static str> {
        E::Column::iter().map(|column| column.as_str()).filter(|name| is_secret(name)).collect()
    }

    #[test]
    fn secrets_are_hidden_and_no_more() {
        assert_eq!(hidden::<user::Entity>(), ["password_hash"]);
        assert_eq!(hidden::<session::Entity>(), ["secret_hash", "previous_hash"]);
        assert_eq!(hidden::<api_key::Entity>(), ["hash"]);
        assert_eq!(hidden::<webhook::Entity>(), ["secret", "old_secret", "old_secret_until"]);
        assert_eq!(hidden::<import::Entity>(), ["secret", "password_hash"]);
        assert_eq!(hidden::<link::Entity>(), ["password_hash"]);
    }
}
