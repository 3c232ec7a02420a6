//! Acts of operators, from the command line, beside the running service. Each act and its record are one transaction, which
//! also tells all nodes to read the restrictions again.

use std::net::Ipv4Addr;

use entity::{account, blocked_host, blocked_link, email_proof, link, operator_action, user};
use sea_orm::ConnectionTrait;
use url::{Host, Url};
use uuid::Uuid;

use crate::{
    base::{
        clock::{MINUTE, Millis, UnixMillis},
        config::Config,
        error::{ApiError, Code},
        ids::{AccountId, LinkId, UserId},
        validate::{MAX_SEGMENTS, host_name, is_pattern, slug_of_path, without_port},
    },
    features::{
        self,
        accounts::{registration::Registration, reset_mail},
        links,
    },
    platform::{
        auth::password::{Passwords, Requester},
        db::{Db, Transaction},
    },
    records::{
        self,
        accounts::proof_repo::{self, Purpose},
        links::rules_repo,
        moderation::repo,
    },
    redirect::{invalidation, restrictions::above, stale::Stale},
};

/// How long a login link works.
const LOGIN_LINK_LIFETIME: Millis = 15 * MINUTE;
/// Links read at once when those that lead to a host are looked for.
const PAGE: u64 = 500;

/// An operator's order: who gives it and why, to be recorded with the act.
#[derive(Clone, Debug)]
pub struct Order {
    /// Name of the operating system's user.
    pub actor: String,
    /// Why, if the operator says so.
    pub reason: Option<String>,
    /// When, in Unix milliseconds.
    pub now: UnixMillis,
}

impl Order {
    async fn record(
        &self,
        tx: &impl ConnectionTrait,
        action: &str,
        account: Option<Uuid>,
        target: Option<&str>,
    ) -> Result<(), ApiError> {
        let action = operator_action::Model {
            id: Uuid::now_v7(),
            actor: self.actor.clone(),
            action: action.to_owned(),
            account_id: account,
            target: target.map(str::to_owned),
            reason: self.reason.clone(),
            recorded_at: self.now,
        };
        Ok(repo::insert_action(tx, action).await?)
    }

    /// Commits, and tells all nodes.
    async fn commit(&self, tx: Transaction) -> Result<(), ApiError> {
        invalidation::record(&tx, &[Stale::Restrictions], self.now).await?;
        Ok(tx.commit().await?)
    }
}

/// Makes an account with its first user, also while registration is closed.
pub(crate) async fn create_account(
    db: &Db,
    passwords: &Passwords,
    order: &Order,
    new: Registration,
) -> Result<user::Model, ApiError> {
    new.check()?;
    let password_hash = passwords.hash(Requester::client(Ipv4Addr::LOCALHOST.into()), &new.password).await?;
    let user = features::accounts::registration::new_user(new, password_hash, order.now);
    let tx = db.begin().await?;
    let (user, _) = features::accounts::registration::store_account(&tx, user).await?;
    order.record(&tx, "account.create", Some(user.account_id), None).await?;
    tx.commit().await?;
    Ok(user)
}

/// Suspends the account of the user with this e-mail address. Answers the account as it was, and whether it was not suspended
/// yet.
pub async fn suspend(db: &Db, order: &Order, email: &str) -> Result<(account::Model, bool), ApiError> {
    let tx = db.begin().await?;
    let account = lock_account_of(&tx, email).await?;
    let is_new = account.suspended_at.is_none();
    if is_new {
        repo::set_suspended(&tx, AccountId(account.id), Some(order.now)).await?;
        order.record(&tx, "account.suspend", Some(account.id), None).await?;
        order.commit(tx).await?;
    }
    Ok((account, is_new))
}

/// Restores the account of the user with this e-mail address. Answers whether it was suspended.
pub async fn restore(db: &Db, order: &Order, email: &str) -> Result<bool, ApiError> {
    let tx = db.begin().await?;
    let account = lock_account_of(&tx, email).await?;
    let was_suspended = account.suspended_at.is_some();
    if was_suspended {
        repo::set_suspended(&tx, AccountId(account.id), None).await?;
        order.record(&tx, "account.restore", Some(account.id), None).await?;
        order.commit(tx).await?;
    }
    Ok(was_suspended)
}

/// Removes all second factors of the user with this e-mail address, who has lost them. Answers whether there was one.
pub(crate) async fn remove_second_factor(db: &Db, order: &Order, email: &str) -> Result<bool, ApiError> {
    let tx = db.begin().await?;
    let account = lock_account_of(&tx, email).await?;
    let user = records::accounts::repo::user_by_email(&tx, &email.to_lowercase()).await?.ok_or(Code::NotFound)?;
    let was_there = records::second_factors::repo::remove_since(&tx, UserId(user.id), 0).await?;
    if was_there {
        order.record(&tx, "account.remove_second_factor", Some(account.id), Some(&user.email)).await?;
        tx.commit().await?;
    }
    Ok(was_there)
}

/// Makes a token that logs the user with this e-mail address in, once and for 15 minutes, whatever way users log in else.
pub(crate) async fn make_login_link(db: &Db, order: &Order, email: &str) -> Result<String, ApiError> {
    let (token, token_hash) = reset_mail::new_token()?;
    let tx = db.begin().await?;
    let account = lock_account_of(&tx, email).await?;
    let user = records::accounts::repo::user_by_email(&tx, &email.to_lowercase()).await?.ok_or(Code::NotFound)?;
    let proof = email_proof::Model {
        id: Uuid::now_v7(),
        user_id: user.id,
        purpose: Purpose::LogIn.as_str().to_owned(),
        email: user.email.clone(),
        token_hash: Some(token_hash),
        created_at: order.now,
        expires_at: order.now + LOGIN_LINK_LIFETIME,
    };
    proof_repo::insert(&tx, proof).await?;
    order.record(&tx, "account.login_link", Some(account.id), Some(&user.email)).await?;
    tx.commit().await?;
    Ok(token)
}

async fn lock_account_of(tx: &Transaction, email: &str) -> Result<account::Model, ApiError> {
    let none = || ApiError::new(Code::NotFound, format!("there is no account of {email}"));
    let user = records::accounts::repo::user_by_email(tx, &email.to_lowercase()).await?.ok_or_else(none)?;
    records::accounts::repo::lock_account(tx, AccountId(user.account_id)).await?.ok_or_else(none)
}

/// A link that was to be blocked.
#[derive(Debug)]
pub struct Blocked {
    pub(crate) short_url: String,
    /// Whether it was not blocked yet.
    pub(crate) is_new: bool,
}

/// Blocks the link with this short URL. A host that has had several owners may have such a link of each account: all of them are blocked.
pub async fn block_link(db: &Db, config: &Config, order: &Order, short_url: &str) -> Result<Vec<Blocked>, ApiError> {
    let (host, slug) = place(config, short_url)?;
    let tx = db.begin().await?;
    let links = repo::links_at(&tx, &host, &slug).await?;
    if links.is_empty() {
        return Err(ApiError::new(Code::NotFound, format!("there is no link {short_url}")));
    }
    let blocked = block_all(&tx, config, order, &links).await?;
    order.commit(tx).await?;
    Ok(blocked)
}

async fn block_all(
    tx: &Transaction,
    config: &Config,
    order: &Order,
    links: &[link::Model],
) -> Result<Vec<Blocked>, ApiError> {
    let mut blocked = Vec::new();
    for link in links {
        let place = blocked_link::Model {
            host: link.host.clone(),
            slug: link.slug.clone(),
            account_id: if link.host.is_empty() { Uuid::nil() } else { link.account_id },
            blocked_at: order.now,
        };
        let (_, short_url) = links::place::address(link, config);
        let is_new = repo::insert_blocked_link(tx, place).await?;
        if is_new {
            order.record(tx, "link.block", Some(link.account_id), Some(&short_url)).await?;
        }
        blocked.push(Blocked { short_url, is_new });
    }
    Ok(blocked)
}

/// Takes the block off the link with this short URL, also if it is gone since. Answers whether it was blocked.
pub async fn unblock_link(db: &Db, config: &Config, order: &Order, short_url: &str) -> Result<bool, ApiError> {
    let (host, slug) = place(config, short_url)?;
    let tx = db.begin().await?;
    let owners = repo::delete_blocked_links(&tx, &host, &slug).await?;
    if owners.is_empty() {
        return Ok(false);
    }
    let links = repo::links_at(&tx, &host, &slug).await?;
    let account =
        links.first().map(|link| link.account_id).or_else(|| owners.into_iter().find(|owner| !owner.is_nil()));
    order.record(&tx, "link.unblock", account, Some(short_url)).await?;
    order.commit(tx).await?;
    Ok(true)
}

/// Host, as `links` has it, and slug of a short URL; the scheme may be left out.
fn place(config: &Config, short_url: &str) -> Result<(String, String), ApiError> {
    let url =
        if short_url.contains("://") { Url::parse(short_url) } else { Url::parse(&format!("https://{short_url}")) };
    let parsed = url.ok().and_then(|url| {
        let host = config.host_of_link(&url)?;
        let is_own = host.is_empty();
        let mut slug = slug_of_path(url.path(), if is_own { 1 } else { MAX_SEGMENTS })?.into_owned();
        if is_pattern(url.path()) && !is_own {
            slug += "/*";
        }
        Some((host, slug))
    });
    parsed.ok_or_else(|| {
        let base_url = config.base_url.as_str();
        ApiError::new(Code::ValidationError, format!("{short_url} is no short URL, such as {base_url}/spring"))
    })
}

/// Forbids links to a host and all names below it. Answers the host's name and whether it was not blocked yet.
pub(crate) async fn block_host(db: &Db, order: &Order, host: &str) -> Result<(String, bool), ApiError> {
    let name = destination_host(host)?;
    let tx = db.begin().await?;
    let row = blocked_host::Model { name: name.clone(), blocked_at: order.now };
    let is_new = repo::insert_blocked_host(&tx, row).await?;
    if is_new {
        order.record(&tx, "destination.block", None, Some(&name)).await?;
        order.commit(tx).await?;
    }
    Ok((name, is_new))
}

/// Allows links to a host again. Answers the host's name and whether it was blocked.
pub(crate) async fn unblock_host(db: &Db, order: &Order, host: &str) -> Result<(String, bool), ApiError> {
    let name = destination_host(host)?;
    let tx = db.begin().await?;
    let was_blocked = repo::delete_blocked_host(&tx, &name).await?;
    if was_blocked {
        order.record(&tx, "destination.unblock", None, Some(&name)).await?;
        order.commit(tx).await?;
    }
    Ok((name, was_blocked))
}

/// The host's name, of a host or a URL, as a blocked one is stored.
fn destination_host(text: &str) -> Result<String, ApiError> {
    let host = match Url::parse(text) {
        Ok(url) if text.contains("://") => url.host().map(|host| host.to_owned()),
        _ => Host::parse(without_port(text)).ok(),
    };
    let name = host.and_then(|host| match host {
        Host::Domain(name) => host_name(&name),
        address => Some(address.to_string()),
    });
    name.ok_or_else(|| ApiError::new(Code::ValidationError, format!("{text} is no host, such as example.com")))
}

/// Counts the links that lead to a host or a name below it; `blocks` them too. Answers their number, and of how many of them
/// were not blocked yet.
pub(crate) async fn links_to(
    db: &Db,
    config: &Config,
    order: &Order,
    name: &str,
    blocks: bool,
) -> Result<(usize, usize), ApiError> {
    let (mut found, mut blocked) = (0, 0);
    let mut after = LinkId(Uuid::nil());
    loop {
        let page = repo::links_with(db.read(), name, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok((found, blocked)) };
        after = LinkId(last.id);
        let ids: Vec<Uuid> = page.iter().map(|link| link.id).collect();
        let by_rules = rules_repo::destinations(db.read(), &ids).await?;
        let leads = |link: &link::Model| {
            let mut by_rules = by_rules.iter().filter(|it| it.link_id == link.id && it.retired_at.is_none());
            leads_to(&link.destination_url, name)
                || link.expired_url.as_ref().is_some_and(|url| leads_to(url, name))
                || by_rules.any(|it| leads_to(&it.url, name))
        };
        let leading: Vec<_> = page.into_iter().filter(leads).collect();
        found += leading.len();
        if blocks && !leading.is_empty() {
            let tx = db.begin().await?;
            blocked += block_all(&tx, config, order, &leading).await?.iter().filter(|link| link.is_new).count();
            order.commit(tx).await?;
        }
    }
}

/// Counts the URLs of hosts' settings that lead to a host or a name below it. While it is blocked, nobody is redirected there.
pub(crate) async fn host_urls_to(db: &Db, name: &str) -> Result<usize, ApiError> {
    let found = repo::host_settings_with(db.read(), name).await?;
    let urls = found.iter().flat_map(|it| [&it.root_url, &it.not_found_url, &it.expired_url, &it.favicon_url]);
    Ok(urls.flatten().filter(|url| leads_to(url, name)).count())
}

fn leads_to(destination: &str, name: &str) -> bool {
    let url = Url::parse(destination).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(host)) => above(host).any(|host| host == name),
        Some(address) => address.to_string() == name,
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_urls_are_read_as_visitors_write_them() {
        let config = Config::read(&|name| (name == "LINKGRAPH_BASE_URL").then(|| "https://sho.rt".to_owned())).unwrap();
        let own = Some((String::new(), "Spring_1".to_owned()));
        for text in [
            "https://sho.rt/Spring_1",
            "http://SHO.RT/Spring_1?x=y#z",
            "https://sho.rt/Spring_1/",
            "sho.rt/Spring_1.",
            "sho.rt/Spring_1",
            "localhost:8080/Spring_1",
        ] {
            assert_eq!(place(&config, text).ok(), own, "{text}");
        }
        let foreign = Some(("go.example.com".to_owned(), "a".to_owned()));
        assert_eq!(place(&config, "https://Go.Example.com./a").ok(), foreign);
        let nested = Some(("go.example.com".to_owned(), "team/offer".to_owned()));
        assert_eq!(place(&config, "go.example.com/team/offer/").ok(), nested);
        let pattern = Some(("go.example.com".to_owned(), "docs/*".to_owned()));
        assert_eq!(place(&config, "https://go.example.com/docs/*").ok(), pattern);
        let encoded = Some((String::new(), "größe".to_owned()));
        for text in ["https://sho.rt/größe", "sho.rt/gr%C3%B6%c3%9fe", "sho.rt/gro\u{308}ße…"] {
            assert_eq!(place(&config, text).ok(), encoded, "{text}");
        }
        for text in
            ["", "spring", "https://sho.rt", "https://sho.rt/", "https://sho.rt/a/b", "https://sho.rt/a%20b", "a b/c"]
        {
            assert!(place(&config, text).is_err(), "{text}");
        }
    }

    #[test]
    fn hosts_are_read_as_destinations_have_them() {
        for (text, name) in [
            ("Evil.Example", "evil.example"),
            ("evil.example.", "evil.example"),
            ("evil.example:8080", "evil.example"),
            ("https://evil.example/path", "evil.example"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("192.0.2.1", "192.0.2.1"),
            ("0x7f000001", "127.0.0.1"),
            ("[2001:db8:0::1]", "[2001:db8::1]"),
        ] {
            assert_eq!(destination_host(text).ok().as_deref(), Some(name), "{text}");
        }
        for text in ["", "a b", "evil.example/path", "*.evil.example", "mailto:a@b.example"] {
            assert!(destination_host(text).is_err(), "{text}");
        }
        for (destination, leads) in [
            ("https://evil.example/", true),
            ("https://a.evil.example.:8080/x", true),
            ("https://example.com/evil.example", false),
            ("https://notevil.example/", false),
        ] {
            assert_eq!(leads_to(destination, "evil.example"), leads, "{destination}");
        }
    }
}
