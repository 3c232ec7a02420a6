//! `linkgraph links`.

use clap::Subcommand;

use super::{Why, open, print, readable};
use crate::{base::config::Config, features::moderation::ops};

/// Links.
#[derive(Subcommand, Debug)]
pub(crate) enum LinksCommand {
    /// Answer 410 for a link, on every node within a second. The link stays in its account, which sees that it is blocked.
    Block {
        /// The short URL.
        short_url: String,
        /// Why; kept with who did it and when.
        #[arg(long)]
        reason: String,
    },
    /// Let a link redirect again.
    Unblock {
        /// The short URL.
        short_url: String,
        /// Why.
        #[command(flatten)]
        why: Why,
    },
}

/// Runs the command.
pub(crate) async fn run(config: &Config, command: LinksCommand) -> anyhow::Result<()> {
    let db = open(config).await?;
    let done = match command {
        LinksCommand::Block { short_url, reason } => {
            let order = Why { reason: Some(reason) }.order();
            let blocked = ops::block_link(&db, config, &order, &short_url).await.map_err(readable);
            blocked.and_then(|links| {
                links.iter().try_for_each(|link| {
                    let how =
                        if link.is_new { "is blocked: it answers 410 within a second" } else { "is blocked already" };
                    print(&format!("{} {how}", link.short_url))
                })
            })
        }
        LinksCommand::Unblock { short_url, why } => {
            let was_blocked = ops::unblock_link(&db, config, &why.order(), &short_url).await.map_err(readable);
            was_blocked.and_then(|was_blocked| {
                let how = if was_blocked { "is blocked no more" } else { "is not blocked" };
                print(&format!("{short_url} {how}"))
            })
        }
    };
    db.close().await;
    done
}
