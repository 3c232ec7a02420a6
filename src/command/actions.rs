//! `linkgraph actions`.

use std::collections::{HashMap, HashSet};

use serde_json::json;
use uuid::Uuid;

use super::{open, print};
use crate::{
    base::{clock::rfc3339, config::Config},
    records::moderation::repo,
};

/// Prints what operators did, newest first: when, who, what, to whom, why.
pub(crate) async fn run(config: &Config, limit: u64, as_json: bool) -> anyhow::Result<()> {
    let db = open(config).await?;
    let actions = repo::actions(db.read(), limit).await?;
    let accounts: HashSet<Uuid> = actions.iter().filter_map(|action| action.account_id).collect();
    let mut emails: HashMap<Uuid, String> = HashMap::new();
    for accounts in accounts.into_iter().collect::<Vec<_>>().chunks(500) {
        for user in repo::users_of(db.read(), accounts.to_vec()).await? {
            emails.entry(user.account_id).or_insert(user.email);
        }
    }
    db.close().await;
    for action in actions {
        let at = rfc3339(action.recorded_at);
        let email = action.account_id.and_then(|account| emails.get(&account));
        if as_json {
            let line = json!({
                "at": at, "actor": action.actor, "action": action.action, "target": action.target,
                "accountId": action.account_id, "email": email, "reason": action.reason,
            });
            print(&line.to_string())?;
        } else {
            let account = || email.cloned().or(action.account_id.map(|account| account.to_string()));
            let target = action.target.clone().or_else(account).unwrap_or_default();
            let reason = action.reason.map(|reason| format!("  {reason:?}")).unwrap_or_default();
            print(&format!("{at}  {}  {}  {target}{reason}", action.actor, action.action))?;
        }
    }
    Ok(())
}
