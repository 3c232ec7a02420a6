//! Notifies open sockets when a credential of their account may have ended.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use parking_lot::Mutex;
use tokio::sync::watch;

use crate::base::ids::AccountId;

/// Watchers by account: a change wakes no socket of another account. Bounded by the number of open sockets.
#[derive(Debug, Default)]
pub(crate) struct Watchers(Mutex<HashMap<AccountId, watch::Sender<()>>>);

impl Watchers {
    /// Watches the account's credentials from now on.
    pub(crate) fn watch(self: &Arc<Self>, account: AccountId) -> Watcher {
        let receiver = self.0.lock().entry(account).or_default().subscribe();
        Watcher { watchers: Arc::clone(self), account, receiver }
    }

    /// Notifies the watchers of the account: one of its credentials may have ended.
    pub(crate) fn notify(&self, account: AccountId) {
        if let Some(sender) = self.0.lock().get(&account) {
            sender.send_replace(());
        }
    }

    /// Notifies all watchers: credentials of any account may have ended.
    pub(crate) fn notify_all(&self) {
        self.0.lock().values().for_each(|sender| sender.send_replace(()));
    }
}

/// Watches the credentials of an account until dropped.
#[derive(Debug)]
pub(crate) struct Watcher {
    watchers: Arc<Watchers>,
    account: AccountId,
    receiver: watch::Receiver<()>,
}

impl Watcher {
    /// Waits until a credential may have ended since the last call, or since [`Watchers::watch`]. Cancel-safe.
    pub(crate) async fn notified(&mut self) {
        // An error is impossible: the sender stays as long as its last watcher.
        let _ = self.receiver.changed().await;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // This watcher's own receiver still counts, and new ones are made under the lock.
        if let Entry::Occupied(sender) = self.watchers.0.lock().entry(self.account)
            && sender.get().receiver_count() <= 1
        {
            sender.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn all_watchers_of_an_account_are_notified() {
        let (watchers, accounts) = (Arc::new(Watchers::default()), [AccountId::new(), AccountId::new()]);
        let [mut one, mut two, mut other] = [0, 0, 1].map(|index| watchers.watch(accounts[index]));
        assert!(one.notified().now_or_never().is_none());
        watchers.notify(accounts[0]);
        watchers.notify(accounts[0]);
        assert!(one.notified().now_or_never().is_some() && two.notified().now_or_never().is_some());
        assert!(one.notified().now_or_never().is_none() && other.notified().now_or_never().is_none());
        watchers.notify_all();
        assert!(other.notified().now_or_never().is_some());
        drop((one, other));
        watchers.notify(accounts[0]);
        assert!(two.notified().now_or_never().is_some());
        assert_eq!(watchers.0.lock().len(), 1);
        drop(two);
        assert!(watchers.0.lock().is_empty());
    }
}
