//! Classifies user agents: browser, operating system, device, and whether it is a bot.

mod words;

use std::sync::LazyLock;

use isbot::Bots;
use quick_cache::{Weighter, sync::Cache};

use self::words::{BROWSERS, DEEDS, DESKTOPS, DEVICES, FETCHERS, PROGRAMS, SYSTEMS, UNFURLERS, Words};
use crate::base::weight;

/// Bytes of the cache of user agents, some 10,000 of them; most visits have one of a few.
const MAX_REMEMBERED: usize = 4 << 20;

/// Facts about a user agent. A bot has neither browser, system nor device, since that part of its user agent is made up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Agent {
    /// Browser family, or the app that shows the page in itself.
    pub(crate) browser: Option<&'static str>,
    pub(crate) os: Option<&'static str>,
    /// `desktop`, `mobile`, `tablet`, `tv` or `console`.
    pub(crate) device: Option<&'static str>,
    /// Whether it is a bot.
    pub(crate) is_bot: bool,
    /// Whether it is a bot that fetches links to show cards of them, in a messenger or a social network.
    pub(crate) is_unfurler: bool,
}

/// Weighs a cached user agent, in bytes.
#[derive(Clone, Copy, Debug)]
struct ByText;

impl Weighter<String, Agent> for ByText {
    fn weight(&self, user_agent: &String, _: &Agent) -> u64 {
        weight::ENTRY + size_of::<Agent>() as u64 + weight::of_text(user_agent)
    }
}

/// Classifies user agents at ingest. On redirects, only for links with rules, a card, or a limit of clicks, which bots do not use up.
pub(crate) struct Agents {
    bots: Bots,
    known: Cache<String, Agent, ByText>,
}

impl Default for Agents {
    fn default() -> Self {
        let mut bots = Bots::default();
        bots.append(&[FETCHERS, DEEDS, PROGRAMS].concat());
        Agents { bots, known: weight::cache(MAX_REMEMBERED, ByText) }
    }
}

impl Agents {
    /// Facts about the user agent. An empty one counts as a bot, since browsers always send one.
    pub(crate) fn read(&self, user_agent: &str) -> Agent {
        if let Some(agent) = self.known.get(user_agent) {
            return agent;
        }
        let agent = self.parse(user_agent);
        self.known.insert(user_agent.to_owned(), agent);
        agent
    }

    fn parse(&self, user_agent: &str) -> Agent {
        let lower = user_agent.to_ascii_lowercase();
        if user_agent.trim().is_empty() || self.bots.is_bot(user_agent) {
            let is_unfurler = UNFURLERS.iter().any(|word| lower.contains(word));
            return Agent { is_bot: true, is_unfurler, ..Agent::default() };
        }
        let os = first(SYSTEMS, &lower);
        Agent { browser: browser(&lower, os), os, device: device(&lower, os), ..Agent::default() }
    }
}

/// Names of all operating systems that user agents are read as.
pub(crate) fn systems() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(SYSTEMS, &[]));
    &NAMES
}

/// Names of all browsers that user agents are read as.
pub(crate) fn browsers() -> &'static [&'static str] {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| names(BROWSERS, UNNAMED));
    &NAMES
}

fn names(words: Words, more: &[&'static str]) -> Vec<&'static str> {
    let mut names: Vec<_> = words.iter().map(|(_, name)| *name).chain(more.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Browsers that are recognised without a word of their own.
const UNNAMED: &[&str] = &["Android Browser", "BlackBerry", "Safari", "WebView"];

fn first(words: Words, lower: &str) -> Option<&'static str> {
    words.iter().find(|(word, _)| lower.contains(word)).map(|(_, name)| *name)
}

fn browser(lower: &str, os: Option<&str>) -> Option<&'static str> {
    let has_webkit = || lower.contains("applewebkit/");
    first(BROWSERS, lower).or_else(|| match os? {
        "PlayStation" | "Nintendo" => None,
        // Safari tells its own name, and apps that show pages leave it out.
        "iOS" if !lower.contains("safari/") => has_webkit().then_some("WebView"),
        "Android" => has_webkit().then_some("Android Browser"),
        "BlackBerry" => has_webkit().then_some("BlackBerry"),
        _ => lower.contains("safari/").then_some("Safari"),
    })
}

fn device(lower: &str, os: Option<&str>) -> Option<&'static str> {
    let has = |word| lower.contains(word);
    // Glasses for virtual reality are none of these.
    if has(" vr safari/") {
        return None;
    }
    first(DEVICES, lower).or_else(|| match os? {
        os if DESKTOPS.contains(&os) => Some("desktop"),
        _ if has("mobile") || has("iphone") || has("opera mini") => Some("mobile"),
        // Browsers say `Mobile` on phones only.
        "Android" if has("applewebkit/") || has("gecko/") => Some("tablet"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// User agents with their expected facts, classified by hand; see the head of the file.
    const KNOWN: &str = include_str!("../../../tests/data/user_agents.tsv");

    #[test]
    fn known_user_agents_are_classified_as_expected() {
        let agents = Agents::default();
        let lines: Vec<&str> = KNOWN.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() >= 200, "{}", lines.len());
        let mut wrong = String::new();
        for line in lines {
            let (expected, user_agent) = line.rsplit_once('\t').unwrap();
            let Agent { browser, os, device, is_bot, .. } = agents.read(user_agent);
            let kind = if is_bot { "bot" } else { "person" };
            let read = [Some(kind), device, os, browser].map(|text| text.unwrap_or("-")).join("\t");
            if read != expected {
                wrong += &format!("{user_agent}\n  is   {expected}\n  read {read}\n");
            }
            assert_eq!(agents.read(user_agent), agents.parse(user_agent), "it is remembered");
        }
        assert!(wrong.is_empty(), "\n{wrong}");
    }

    #[test]
    fn all_names_that_are_read_are_known() {
        let agents = Agents::default();
        for line in KNOWN.lines().filter(|line| !line.starts_with('#')) {
            let agent = agents.read(line.rsplit_once('\t').unwrap().1);
            assert!(agent.browser.is_none_or(|name| browsers().contains(&name)), "{agent:?}");
            assert!(agent.os.is_none_or(|name| systems().contains(&name)), "{agent:?}");
        }
    }

    /// All instances of npm's crawler-user-agents, of which a few are people in apps and editors.
    #[test]
    fn nearly_all_known_crawlers_are_bots() {
        const CRAWLERS: &str = include_str!("../../../tests/data/crawler_user_agents.txt");
        let agents = Agents::default();
        let crawlers: Vec<&str> = CRAWLERS.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(crawlers.len() >= 2_000, "{}", crawlers.len());
        let missed: Vec<&&str> = crawlers.iter().filter(|user_agent| !agents.read(user_agent).is_bot).collect();
        assert!(missed.len() * 100 <= crawlers.len() * 3, "{} of {}: {missed:#?}", missed.len(), crawlers.len());
    }

    #[test]
    fn an_empty_user_agent_is_a_bot() {
        let agents = Agents::default();
        assert!(agents.read("").is_bot && agents.read(" ").is_bot);
    }

    /// An earlier word that is part of a later one would hide it.
    #[test]
    fn no_word_is_hidden_by_an_earlier_one() {
        for words in [BROWSERS, SYSTEMS, DEVICES] {
            for (at, (word, _)) in words.iter().enumerate() {
                assert_eq!(*word, word.to_ascii_lowercase());
                let hidden = words[..at].iter().find(|(earlier, _)| word.contains(earlier));
                assert_eq!(hidden, None, "{word}");
            }
        }
    }
}
