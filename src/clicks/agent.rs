//! What a user agent says of its user: browser, operating system, device, and whether it is a bot.

use isbot::Bots;
use quick_cache::{Weighter, sync::Cache};
use woothee::parser::Parser;

use crate::weight;

/// Bytes of user agents remembered, some 10,000; most visits come with one of few.
const MAX_REMEMBERED: usize = 4 << 20;

/// Programs that fetch links to show or check them, and that neither library knows.
const FETCHERS: &[&str] = &[
    "curl/",
    "wget/",
    "python-requests",
    "python-urllib",
    "httpie",
    "go-http-client",
    "okhttp",
    "node-fetch",
    "axios/",
    "facebookexternalhit",
    "facebot",
    "whatsapp",
    "telegrambot",
    "slackbot",
    "slack-imgproxy",
    "discordbot",
    "linkedinbot",
    "twitterbot",
    "skypeuripreview",
    "mastodon",
    "bluesky",
    "embedly",
    "iframely",
    "vkshare",
    "pinterest",
    "redditbot",
    "bitlybot",
    "google-safety",
    "headlesschrome",
    "lighthouse",
    "preview",
];

/// What is known of a user agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agent {
    /// Browser family.
    pub browser: Option<String>,
    /// Operating system family.
    pub os: Option<String>,
    /// `desktop`, `mobile`, `tv` or `console`.
    pub device: Option<String>,
    /// Whether it is a bot.
    pub is_bot: bool,
}

/// Weighs a user agent with what is known of it.
#[derive(Clone, Copy, Debug)]
struct ByTexts;

impl Weighter<String, Agent> for ByTexts {
    fn weight(&self, user_agent: &String, Agent { browser, os, device, .. }: &Agent) -> u64 {
        let texts = [browser, os, device].map(|text| text.as_deref().map_or(0, weight::of_text));
        weight::ENTRY + size_of::<Agent>() as u64 + weight::of_text(user_agent) + texts.iter().sum::<u64>()
    }
}

/// Reads user agents. It runs at ingest, never while a visitor waits.
pub struct Agents {
    parser: Parser,
    bots: Bots,
    known: Cache<String, Agent, ByTexts>,
}

impl Default for Agents {
    fn default() -> Self {
        Agents { parser: Parser::new(), bots: Bots::default(), known: weight::cache(MAX_REMEMBERED, ByTexts) }
    }
}

impl Agents {
    /// What the user agent says. None at all is a bot: browsers send one.
    pub fn read(&self, user_agent: &str) -> Agent {
        if let Some(agent) = self.known.get(user_agent) {
            return agent;
        }
        let agent = self.parse(user_agent);
        self.known.insert(user_agent.to_owned(), agent.clone());
        agent
    }

    fn parse(&self, user_agent: &str) -> Agent {
        let lower = user_agent.to_ascii_lowercase();
        let is_fetcher = FETCHERS.iter().any(|fetcher| lower.contains(fetcher));
        let is_bot = user_agent.trim().is_empty() || is_fetcher || self.bots.is_bot(user_agent);
        let Some(found) = self.parser.parse(user_agent) else { return Agent { is_bot, ..Agent::default() } };
        let known = |text: &str| (!text.is_empty() && text != "UNKNOWN").then(|| text.to_owned());
        Agent {
            browser: known(found.name),
            os: known(found.os),
            device: match found.category {
                "pc" => Some("desktop".to_owned()),
                "smartphone" | "mobilephone" => Some("mobile".to_owned()),
                "appliance" if lower.contains("tv") => Some("tv".to_owned()),
                "appliance" => Some("console".to_owned()),
                _ => None,
            },
            is_bot: is_bot || found.category == "crawler",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_bots() {
        let agents = Agents::default();
        let firefox = agents.read("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0");
        assert_eq!(firefox, agents.read("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"));
        let Agent { browser, os, device, is_bot } = firefox;
        assert_eq!(
            (browser.as_deref(), os.as_deref(), device.as_deref()),
            (Some("Firefox"), Some("Linux"), Some("desktop"))
        );
        assert!(!is_bot);
        let phone = agents.read(
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
        );
        assert_eq!(phone.device.as_deref(), Some("mobile"));
        assert!(!phone.is_bot);
        for bot in [
            "",
            "curl/8.5.0",
            "Googlebot/2.1 (+http://www.google.com/bot.html)",
            "WhatsApp/2.23.20.0",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        ] {
            assert!(agents.read(bot).is_bot, "{bot}");
        }
    }
}
