//! `linkgraph accounts`.

use std::io::{self, Read};

use clap::{Args, Subcommand};
use serde_json::json;
use uuid::Uuid;

use super::{Why, open, print, readable};
use crate::{
    base::{
        clock::{Clock, rfc3339},
        config::Config,
        metrics::Metrics,
        random,
    },
    features::{accounts::registration::Registration, moderation::ops},
    platform::{auth::password::Passwords, db::Db},
    records::{accounts::repo::plan_of, moderation::repo},
};

/// Users read at once.
const PAGE: u64 = 1_000;
/// Bytes of a made password: 144 bits, 24 characters.
const PASSWORD_BYTES: usize = 18;
/// Bytes that are read of a password: more than the longest may have.
const MAX_INPUT: u64 = 4_096;

/// Accounts.
#[derive(Subcommand, Debug)]
pub(crate) enum AccountsCommand {
    /// List all users and their accounts: e-mail address, name, plan, links, when it was created, state.
    List {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Make an account, also while registration is closed.
    Create(Create),
    /// Refuse the account's tokens and keys, and answer 410 for its links, until it is restored. Nothing is deleted.
    Suspend {
        /// E-mail address of a user of the account.
        email: String,
        /// Why.
        #[command(flatten)]
        why: Why,
    },
    /// End a suspension.
    Restore {
        /// E-mail address of a user of the account.
        email: String,
        /// Why.
        #[command(flatten)]
        why: Why,
    },
    /// Print a link that logs a user in, once and within 15 minutes, also where passwords do not log in. A second factor is asked for.
    LoginLink {
        /// E-mail address of the user.
        email: String,
        /// Why.
        #[command(flatten)]
        why: Why,
    },
    /// Remove the authenticator app and the recovery codes of a user who has lost both: the password alone logs in again.
    RemoveSecondFactor {
        /// E-mail address of the user.
        email: String,
        /// Why.
        #[command(flatten)]
        why: Why,
    },
}

/// An account to make.
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// E-mail address of its user.
    email: String,
    /// Name of its user; by default what stands before the @.
    #[arg(long)]
    name: Option<String>,
    /// Read the password from standard input; by default one is made, and printed once.
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    why: Why,
}

/// Runs the command.
pub(crate) async fn run(config: &Config, command: AccountsCommand) -> anyhow::Result<()> {
    let db = match command {
        // The first account may be made before the service is first started.
        AccountsCommand::Create(_) => {
            let db = Db::connect(config).await?;
            db.ask_for_turns();
            db
        }
        _ => open(config).await?,
    };
    let done = match command {
        AccountsCommand::List { json } => list(config, &db, json).await,
        AccountsCommand::Create(new) => create(config, &db, new).await,
        AccountsCommand::Suspend { email, why } => suspend(&db, &email, why).await,
        AccountsCommand::Restore { email, why } => restore(&db, &email, why).await,
        AccountsCommand::LoginLink { email, why } => login_link(config, &db, &email, why).await,
        AccountsCommand::RemoveSecondFactor { email, why } => remove_second_factor(&db, &email, why).await,
    };
    db.close().await;
    done
}

async fn list(config: &Config, db: &Db, as_json: bool) -> anyhow::Result<()> {
    let now = Clock::default().now();
    if !as_json {
        print(&row(["E-MAIL", "NAME", "PLAN", "LINKS", "CREATED", "STATE"]))?;
    }
    let mut after = Uuid::nil();
    loop {
        let page = repo::users_after(db.read(), after, PAGE).await?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        after = last.id;
        for (user, account) in page {
            let Some(account) = account else { continue };
            let plan = plan_of(&account, config.default_plan, now).as_str();
            let suspended_at = account.suspended_at.map(rfc3339);
            let created_at = rfc3339(user.created_at);
            if as_json {
                let line = json!({
                    "email": user.email, "name": user.name, "plan": plan, "links": account.link_count,
                    "createdAt": created_at, "suspendedAt": suspended_at, "accountId": account.id,
                });
                print(&line.to_string())?;
            } else {
                let state = suspended_at.map_or("active".to_owned(), |since| format!("suspended since {since}"));
                let links = account.link_count.to_string();
                print(&row([&user.email, &user.name, plan, &links, &created_at, &state]))?;
            }
        }
    }
}

fn row([email, name, plan, links, created, state]: [&str; 6]) -> String {
    format!("{email:<32}  {name:<24}  {plan:<9}  {links:>8}  {created:<24}  {state}")
}

async fn create(config: &Config, db: &Db, new: Create) -> anyhow::Result<()> {
    let name = new.name.unwrap_or_else(|| new.email.split('@').next().unwrap_or_default().to_owned());
    let (password, is_made) = if new.password_stdin { (read_password()?, false) } else { (make_password()?, true) };
    let registration = Registration { email: new.email, password: password.clone(), name };
    let passwords = Passwords::new(config.password_hashing, &Metrics::new()?)?;
    let user = ops::create_account(db, &passwords, &new.why.order(), registration).await.map_err(readable)?;
    print(&format!("{} has an account now", user.email))?;
    if is_made { print(&format!("password, shown this once: {password}")) } else { Ok(()) }
}

fn read_password() -> anyhow::Result<String> {
    let mut text = String::new();
    io::stdin().take(MAX_INPUT).read_to_string(&mut text)?;
    // The end of the line is no part of it.
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

fn make_password() -> anyhow::Result<String> {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    let bytes: [u8; PASSWORD_BYTES] = random::bytes()?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

async fn suspend(db: &Db, email: &str, why: Why) -> anyhow::Result<()> {
    let (account, is_new) = ops::suspend(db, &why.order(), email).await.map_err(readable)?;
    match account.suspended_at {
        Some(since) if !is_new => print(&format!("{email} is suspended since {}", rfc3339(since))),
        _ => print(&format!("{email} is suspended: {} links answer 410 within a second", account.link_count)),
    }
}

async fn restore(db: &Db, email: &str, why: Why) -> anyhow::Result<()> {
    let was_suspended = ops::restore(db, &why.order(), email).await.map_err(readable)?;
    print(&if was_suspended { format!("{email} is restored") } else { format!("{email} is not suspended") })
}

async fn login_link(config: &Config, db: &Db, email: &str, why: Why) -> anyhow::Result<()> {
    let token = ops::make_login_link(db, &why.order(), email).await.map_err(readable)?;
    // After the #: servers on the way, and their logs, do not see it.
    print(&format!("{}/app/login#link={token}", config.base_url.as_str().trim_end_matches('/')))
}

async fn remove_second_factor(db: &Db, email: &str, why: Why) -> anyhow::Result<()> {
    let was_there = ops::remove_second_factor(db, &why.order(), email).await.map_err(readable)?;
    print(&match was_there {
        true => format!("{email} logs in with the password alone now"),
        false => format!("{email} has no second factor"),
    })
}
