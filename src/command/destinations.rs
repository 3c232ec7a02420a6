//! `linkgraph destinations`.

use std::time::Duration;

use clap::Subcommand;
use serde_json::json;

use super::{Why, open, print, readable};
use crate::{
    base::{clock::rfc3339, config::Config},
    features::moderation::ops,
    platform::db::Db,
    redirect::restriction_repo,
};

/// How long nodes may take to know of a block: four looks at what changed.
const KNOWN_EVERYWHERE: Duration = Duration::from_secs(1);

/// Hosts that links lead to.
#[derive(Subcommand, Debug)]
pub(crate) enum DestinationsCommand {
    /// Refuse new links to a host and all names below it, and changes of links to lead there. Tells how many links lead there
    /// now; they go on, unless they are blocked too. No host of an account leads there for its root, for what is not found, or after
    /// the end of a link, until it is allowed again.
    Block {
        /// The host.
        host: String,
        /// Block the links that lead there now.
        #[arg(long)]
        links: bool,
        /// Why.
        #[command(flatten)]
        why: Why,
    },
    /// Allow links to a host again. Links that were blocked stay blocked.
    Unblock {
        /// The host.
        host: String,
        /// Why.
        #[command(flatten)]
        why: Why,
    },
    /// List the blocked hosts.
    List {
        /// Print one JSON object a line.
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
pub(crate) async fn run(config: &Config, command: DestinationsCommand) -> anyhow::Result<()> {
    let db = open(config).await?;
    let done = match command {
        DestinationsCommand::Block { host, links, why } => block(config, &db, &host, links, why).await,
        DestinationsCommand::Unblock { host, why } => unblock(&db, &host, why).await,
        DestinationsCommand::List { json } => list(&db, json).await,
    };
    db.close().await;
    done
}

async fn block(config: &Config, db: &Db, host: &str, links: bool, why: Why) -> anyhow::Result<()> {
    let order = why.order();
    let (name, is_new) = ops::block_host(db, &order, host).await.map_err(readable)?;
    print(&format!("{name} {}", if is_new { "is blocked: no new link leads there" } else { "is blocked already" }))?;
    // Links that were made meanwhile count too.
    tokio::time::sleep(KNOWN_EVERYWHERE).await;
    let (found, blocked) = ops::links_to(db, config, &order, &name, links).await.map_err(readable)?;
    print(&match links {
        true => format!("{found} links lead there; {blocked} of them are blocked now, the others were"),
        false => format!("{found} links lead there; --links blocks them"),
    })?;
    match ops::host_urls_to(db, &name).await.map_err(readable)? {
        0 => Ok(()),
        urls => print(&format!("{urls} URLs of hosts' settings lead there; nobody is redirected to them")),
    }
}

async fn unblock(db: &Db, host: &str, why: Why) -> anyhow::Result<()> {
    let (name, was_blocked) = ops::unblock_host(db, &why.order(), host).await.map_err(readable)?;
    print(&format!("{name} {}", if was_blocked { "is blocked no more" } else { "is not blocked" }))
}

async fn list(db: &Db, as_json: bool) -> anyhow::Result<()> {
    let hosts = restriction_repo::blocked_hosts(db.read()).await?;
    hosts.iter().try_for_each(|host| {
        let at = rfc3339(host.blocked_at);
        print(&match as_json {
            true => json!({ "host": host.name, "blockedAt": at }).to_string(),
            false => format!("{at}  {}", host.name),
        })
    })
}
