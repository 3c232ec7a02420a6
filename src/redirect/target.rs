//! The data of a link that a redirect needs, packed for the cache, and the decision on a request for the link.

use entity::link;
use smallvec::SmallVec;
use uuid::Uuid;

use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, LinkId},
};

/// Flags: the first byte of a target. A link without any leads to its destination, whatever the request.
///
/// The link begins or ends: the two times stand after the account.
const WINDOW: u8 = 1;
/// The link has a limit: each redirect is counted.
const LIMIT: u8 = 2;
/// The link has rules or a split: their program.
const PROGRAM: u8 = 4;
/// A visitor must send the form of a page before being redirected: the notice and the hash of the password.
const GATE: u8 = 8;
/// The link has a setting of its own for forwarding queries: a byte after the times.
const FORWARD: u8 = 16;
/// The link has a card, which messengers show in place of the destination's page, or opens apps on phones: the two, of which one may be
/// empty.
const FACES: u8 = 32;
/// The operator has disabled the link. Nothing stands after the account.
const DISABLED: u8 = 64;
/// The link has a limit, which is used up.
const USED_UP: u8 = 128;

const ID: usize = size_of::<Uuid>();
const TIME: usize = size_of::<UnixMillis>();
const LINK: usize = 1;
const ACCOUNT: usize = LINK + ID;
/// Bytes of the part that every target has.
const IDS: usize = ACCOUNT + ID;
/// Most destinations are shorter than 100 bytes, and need no memory of their own.
const INLINE: usize = IDS + 100;

/// Parts of an active link that decide about redirects, as they are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts<'a> {
    pub(crate) link: LinkId,
    pub(crate) account: AccountId,
    pub(crate) destination_url: &'a str,
    /// When it begins to redirect. `None`: it always has.
    pub(crate) starts_at: Option<UnixMillis>,
    /// When it ceases to redirect. `None`: never.
    pub(crate) expires_at: Option<UnixMillis>,
    /// Where it leads after its end. `None`: nowhere.
    pub(crate) expired_url: Option<&'a str>,
    /// Redirects that are allowed, and that were answered. `None`: there is no limit.
    pub(crate) limit: Option<Limit>,
    /// Whether it forwards the query of a visit. `None`: as its host does.
    pub(crate) forwards_query: Option<bool>,
    /// Questions to visitors before they are redirected.
    pub(crate) gate: Gate<'a>,
    /// Its card, which messengers show in place of the destination's page, in JSON; empty if it has none.
    pub(crate) card: &'a str,
    /// How it opens apps, in JSON; empty if it opens none.
    pub(crate) app: &'a str,
    /// Rules and split. `None`: all visits are led to its destination.
    pub(crate) program: Option<Program<'a>>,
}

/// Questions to visitors of a link before they are redirected. The default: none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gate<'a> {
    /// Whether they are asked to continue, even without a notice and a password.
    pub(crate) asks_first: bool,
    /// Text that they confirm; empty if there is none.
    pub(crate) notice: &'a str,
    /// Hash of the password that they have to enter; empty if there is none.
    pub(crate) password_hash: &'a str,
}

impl<'a> From<&'a link::Model> for Gate<'a> {
    fn from(link: &'a link::Model) -> Self {
        Gate {
            asks_first: link.asks_first,
            notice: link.notice.as_deref().unwrap_or_default(),
            password_hash: link.password_hash.as_deref().unwrap_or_default(),
        }
    }
}

/// Compiled rules and split of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Program<'a> {
    /// When the split stops, so that visits which no rule leads elsewhere are led to the link's destination: Unix milliseconds, the
    /// highest number for never.
    pub(crate) split_stops_at: UnixMillis,
    /// What [`link_rules::decide`] runs.
    pub(crate) bytes: &'a [u8],
}

/// How often a link may be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    /// Redirects that are allowed, at least 1.
    pub(crate) max: i64,
    /// Redirects that were answered.
    pub(crate) used: i64,
}

impl Limit {
    pub(crate) const fn is_used_up(self) -> bool {
        self.used >= self.max
    }
}

/// The intent of a request for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// To follow the link.
    Follow,
    /// To see where the link leads: `HEAD`, a browser's prefetch, a known bot.
    Look,
    /// To follow the link, by sending the form of the page that asks for confirmation.
    Confirm,
}

/// The decision on a request for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The destination.
    Redirect,
    /// The destination, if the link's limit allows one more redirect.
    Count,
    /// The page that asks whether to follow the link.
    Ask,
    /// The link has not begun: answered as if there was none.
    NotBegun,
    /// The link has ended: its URL for that, or a page.
    Ended,
    /// The operator has disabled the link.
    Disabled,
}

/// A link that redirects, packed for the cache: flags (one byte), link, account; by the flags, the times at which it begins and ends,
/// and whether it forwards queries (one byte); with any flag, the length (`u16`) and text of the URL for after its end; by its flag, the
/// lengths (`u16`) and texts of the notice and of the password's hash; by its flag, those of the card and of the app; by its flag, the time at which the
/// split stops, and the length (`u16`) and bytes of the program; destination.
/// Numbers are little-endian.
#[derive(Clone, Debug)]
pub(crate) struct Target(SmallVec<[u8; INLINE]>);

impl Target {
    /// Packs the parts. A stored destination is a serialised URL, which has no control characters; they are removed from
    /// anything else that is stored, so that it can't end a header field.
    pub(crate) fn new(parts: &Parts<'_>) -> Self {
        let mut flags = 0;
        if parts.starts_at.is_some() || parts.expires_at.is_some() {
            flags |= WINDOW;
        }
        match parts.limit {
            Some(limit) if limit.is_used_up() => flags |= USED_UP,
            // Mail scanners follow the links that they find; they send no forms.
            Some(Limit { max: 1, .. }) => flags |= LIMIT | GATE,
            Some(_) => flags |= LIMIT,
            None => {}
        }
        if parts.gate != Gate::default() {
            flags |= GATE;
        }
        if parts.forwards_query.is_some() {
            flags |= FORWARD;
        }
        if !parts.card.is_empty() || !parts.app.is_empty() {
            flags |= FACES;
        }
        // No compiled program is longer than its length says.
        let program = parts.program.filter(|program| u16::try_from(program.bytes.len()).is_ok());
        if program.is_some() {
            flags |= PROGRAM;
        }
        let mut bytes = SmallVec::new();
        bytes.push(flags);
        bytes.extend_from_slice(parts.link.0.as_bytes());
        bytes.extend_from_slice(parts.account.0.as_bytes());
        if flags & WINDOW != 0 {
            bytes.extend_from_slice(&parts.starts_at.unwrap_or(UnixMillis::MIN).to_le_bytes());
            bytes.extend_from_slice(&parts.expires_at.unwrap_or(UnixMillis::MAX).to_le_bytes());
        }
        bytes.extend(parts.forwards_query.map(u8::from));
        if flags != 0 {
            let expired_url: SmallVec<[u8; INLINE]> = text(parts.expired_url.unwrap_or_default()).collect();
            // No stored URL is that long.
            push(&mut bytes, expired_url.get(..usize::from(u16::MAX)).unwrap_or(&expired_url));
        }
        if flags & GATE != 0 {
            for text in [parts.gate.notice, parts.gate.password_hash].map(str::as_bytes) {
                // Neither is that long, and no password has a hash that is cut.
                push(&mut bytes, text.get(..usize::from(u16::MAX)).unwrap_or(text));
            }
        }
        if flags & FACES != 0 {
            for text in [parts.card, parts.app].map(str::as_bytes) {
                // Neither is that long.
                push(&mut bytes, text.get(..usize::from(u16::MAX)).unwrap_or(text));
            }
        }
        if let Some(program) = program {
            bytes.extend_from_slice(&program.split_stops_at.to_le_bytes());
            push(&mut bytes, program.bytes);
        }
        bytes.extend(text(parts.destination_url));
        Target(bytes)
    }

    /// The same link, disabled by the operator.
    #[must_use]
    pub(crate) fn disabled(mut self) -> Self {
        self.0.truncate(IDS);
        if let Some(flags) = self.0.first_mut() {
            *flags = DISABLED;
        }
        self
    }

    /// The bytes that the cache keeps.
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// A target from what the cache kept.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        Target(SmallVec::from_slice(bytes))
    }

    /// The account of a target that the cache keeps.
    pub(super) fn account_in(bytes: &[u8]) -> AccountId {
        AccountId(id(bytes, ACCOUNT))
    }

    pub(crate) fn link(&self) -> LinkId {
        LinkId(id(&self.0, LINK))
    }

    pub(crate) fn account(&self) -> AccountId {
        Target::account_in(&self.0)
    }

    fn flags(&self) -> u8 {
        self.0.first().copied().unwrap_or(DISABLED)
    }

    /// Whether the link leads to its destination, whatever the request: it has no flag.
    pub(crate) fn is_plain(&self) -> bool {
        self.flags() == 0
    }

    /// The decision on a request at `now` (Unix milliseconds). `intent` is called only where it makes a difference.
    pub(crate) fn judge(&self, now: UnixMillis, intent: impl FnOnce() -> Intent) -> Verdict {
        let flags = self.flags();
        if flags == 0 {
            return Verdict::Redirect;
        }
        if flags & DISABLED != 0 {
            return Verdict::Disabled;
        }
        let (starts_at, expires_at) = self.window();
        if now < starts_at {
            return Verdict::NotBegun;
        }
        if now >= expires_at || flags & USED_UP != 0 {
            return Verdict::Ended;
        }
        let granted = if flags & LIMIT == 0 { Verdict::Redirect } else { Verdict::Count };
        if flags & (LIMIT | GATE) == 0 {
            return granted;
        }
        match intent() {
            Intent::Confirm => granted,
            Intent::Follow if flags & GATE == 0 => granted,
            Intent::Follow | Intent::Look => Verdict::Ask,
        }
    }

    /// Whether visitors have to send the form of a page.
    pub(crate) fn is_gated(&self) -> bool {
        self.flags() & GATE != 0
    }

    /// Whether redirects are counted.
    pub(crate) fn is_limited(&self) -> bool {
        self.flags() & LIMIT != 0
    }

    /// Text that visitors confirm; empty if there is none.
    pub(crate) fn notice(&self) -> &str {
        self.gate()[0]
    }

    /// Hash of the password that visitors have to enter. `None`: they need none.
    pub(crate) fn password_hash(&self) -> Option<&str> {
        Some(self.gate()[1]).filter(|hash| !hash.is_empty())
    }

    /// Notice and hash of the password.
    fn gate(&self) -> [&str; 2] {
        if !self.is_gated() {
            return [""; 2];
        }
        let read = || {
            let (notice, rest) = split_text(self.urls().1)?;
            Some([notice, split_text(rest)?.0])
        };
        read().unwrap_or_default().map(|text| std::str::from_utf8(text).unwrap_or_default())
    }

    /// Its card, in JSON. `None`: it has none.
    pub(crate) fn card(&self) -> Option<&[u8]> {
        Some(self.faces()?.0).filter(|card| !card.is_empty())
    }

    /// How it opens apps, in JSON. `None`: it opens none.
    pub(crate) fn app(&self) -> Option<&[u8]> {
        Some(self.faces()?.1).filter(|app| !app.is_empty())
    }

    /// Card and app. `None`: it has neither.
    fn faces(&self) -> Option<(&[u8], &[u8])> {
        // A plain link is asked on each of its redirects.
        if self.flags() & FACES == 0 {
            return None;
        }
        let (card, rest) = split_text(self.after_gate())?;
        Some((card, split_text(rest)?.0))
    }

    /// The destination; empty for a disabled link.
    pub(crate) fn location(&self) -> &[u8] {
        match self.flags() {
            0 => self.0.get(IDS..).unwrap_or_default(),
            _ => self.after_end().1,
        }
    }

    /// Rules and split. `None`: all visits are led to the destination.
    pub(crate) fn program(&self) -> Option<Program<'_>> {
        // A plain link is asked on each of its redirects.
        if self.flags() & PROGRAM == 0 { None } else { self.after_end().0 }
    }

    /// Where the link leads after its end; empty where it leads nowhere.
    pub(crate) fn expired_location(&self) -> &[u8] {
        match self.flags() {
            0 => &[],
            _ => self.urls().0,
        }
    }

    /// Whether the link forwards the query of a visit. `None`: as its host does.
    pub(crate) fn forwards_query(&self) -> Option<bool> {
        match self.flags() & FORWARD {
            0 => None,
            _ => self.0.get(IDS + self.times()).map(|forwards| *forwards != 0),
        }
    }

    /// Bytes of the times.
    fn times(&self) -> usize {
        if self.flags() & WINDOW == 0 { 0 } else { 2 * TIME }
    }

    fn window(&self) -> (UnixMillis, UnixMillis) {
        let time = |at: usize| self.0.get(at..).and_then(<[u8]>::first_chunk).copied().map(UnixMillis::from_le_bytes);
        match (self.flags() & WINDOW != 0, time(IDS), time(IDS + TIME)) {
            (true, Some(starts_at), Some(expires_at)) => (starts_at, expires_at),
            _ => (UnixMillis::MIN, UnixMillis::MAX),
        }
    }

    /// The program and the destination of a target with flags.
    fn after_end(&self) -> (Option<Program<'_>>, &[u8]) {
        let mut rest = self.after_gate();
        if self.flags() & FACES != 0 {
            rest = split_text(rest).and_then(|(_, rest)| Some(split_text(rest)?.1)).unwrap_or_default();
        }
        if self.flags() & PROGRAM == 0 {
            return (None, rest);
        }
        let read = || {
            let (split_stops_at, rest) = rest.split_first_chunk()?;
            let (bytes, location) = split_text(rest)?;
            Some((Some(Program { split_stops_at: UnixMillis::from_le_bytes(*split_stops_at), bytes }), location))
        };
        read().unwrap_or_default()
    }

    /// The bytes behind notice and hash of a target with flags.
    fn after_gate(&self) -> &[u8] {
        let rest = self.urls().1;
        if !self.is_gated() {
            return rest;
        }
        split_text(rest).and_then(|(_, rest)| Some(split_text(rest)?.1)).unwrap_or_default()
    }

    /// The URL for after the end, and what stands behind it, of a target with flags.
    fn urls(&self) -> (&[u8], &[u8]) {
        let before = self.times() + usize::from(self.flags() & FORWARD != 0);
        let rest = self.0.get(IDS + before..).unwrap_or_default();
        split_text(rest).unwrap_or_default()
    }
}

/// Appends the length of a text, of at most 65,535 bytes, and the text.
fn push(bytes: &mut SmallVec<[u8; INLINE]>, text: &[u8]) {
    bytes.extend_from_slice(&u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend_from_slice(text);
}

/// The text at the beginning, behind its length, and what follows it.
fn split_text(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u16::from_le_bytes(*length).into())
}

fn id(bytes: &[u8], at: usize) -> Uuid {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().map(Uuid::from_bytes).unwrap_or_default()
}

fn text(url: &str) -> impl Iterator<Item = u8> {
    url.bytes().filter(|byte| !byte.is_ascii_control())
}

#[cfg(test)]
mod tests;
