//! The data of a link that a redirect needs, packed for the cache, and the decision on a request for the link.

use smallvec::SmallVec;
use uuid::Uuid;

use crate::base::{
    clock::UnixMillis,
    ids::{AccountId, LinkId},
};

/// Flags: the first byte of a target. A link without any leads to its destination, whatever the request. 32 is free.
///
/// The link begins or ends: the two times stand after the account.
const WINDOW: u8 = 1;
/// The link has a limit: each redirect is counted.
const LIMIT: u8 = 2;
/// The link has rules or a split: their program.
const PROGRAM: u8 = 4;
/// A visitor must send the form of a page before being redirected.
const GATE: u8 = 8;
/// The link has a setting of its own for forwarding queries: a byte after the times.
const FORWARD: u8 = 16;
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
    /// Rules and split. `None`: all visits are led to its destination.
    pub(crate) program: Option<Program<'a>>,
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
/// time at which the split stops, and the length (`u16`) and bytes of the program; destination.
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
        if parts.forwards_query.is_some() {
            flags |= FORWARD;
        }
        // No compiled program is longer than its length says.
        let program = parts.program.and_then(|program| Some((program, u16::try_from(program.bytes.len()).ok()?)));
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
            let length = u16::try_from(expired_url.len()).unwrap_or_default();
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(expired_url.get(..length.into()).unwrap_or_default());
        }
        if let Some((program, length)) = program {
            bytes.extend_from_slice(&program.split_stops_at.to_le_bytes());
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(program.bytes);
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
        if flags & LIMIT == 0 {
            return Verdict::Redirect;
        }
        match intent() {
            Intent::Confirm => Verdict::Count,
            Intent::Follow if flags & GATE == 0 => Verdict::Count,
            Intent::Follow | Intent::Look => Verdict::Ask,
        }
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
        let rest = self.urls().1;
        if self.flags() & PROGRAM == 0 {
            return (None, rest);
        }
        let read = || {
            let (split_stops_at, rest) = rest.split_first_chunk()?;
            let (length, rest) = rest.split_first_chunk()?;
            let (bytes, location) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
            Some((Some(Program { split_stops_at: UnixMillis::from_le_bytes(*split_stops_at), bytes }), location))
        };
        read().unwrap_or_default()
    }

    /// The URL for after the end, and what stands behind it, of a target with flags.
    fn urls(&self) -> (&[u8], &[u8]) {
        let before = self.times() + usize::from(self.flags() & FORWARD != 0);
        let rest = self.0.get(IDS + before..).unwrap_or_default();
        rest.split_first_chunk().map(|(length, urls)| (u16::from_le_bytes(*length), urls)).map_or((&[], &[]), |it| {
            let (length, urls) = it;
            urls.split_at_checked(length.into()).unwrap_or_default()
        })
    }
}

fn id(bytes: &[u8], at: usize) -> Uuid {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().map(Uuid::from_bytes).unwrap_or_default()
}

fn text(url: &str) -> impl Iterator<Item = u8> {
    url.bytes().filter(|byte| !byte.is_ascii_control())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Intent::*, Verdict::*, *};

    const PLAIN: Parts<'static> = Parts {
        link: LinkId(Uuid::from_bytes([1; 16])),
        account: AccountId(Uuid::from_bytes([2; 16])),
        destination_url: "https://example.com/",
        starts_at: None,
        expires_at: None,
        expired_url: None,
        limit: None,
        forwards_query: None,
        program: None,
    };

    const PROGRAM: Program<'static> = Program { split_stops_at: 7, bytes: b"rules" };

    /// The order of decisions: disabled, not begun, ended, and then whether it is counted.
    #[test]
    fn a_request_is_judged_in_this_order() {
        let limit = |max, used| Some(Limit { max, used });
        let (past, future) = (Some(999), Some(1_001));
        let judged =
            |parts: &Parts<'_>| [Follow, Look, Confirm].map(|intent| Target::new(parts).judge(1_000, || intent));
        for (parts, verdicts) in [
            (PLAIN, [Redirect; 3]),
            (Parts { expired_url: Some("https://example.com/over"), ..PLAIN }, [Redirect; 3]),
            (Parts { forwards_query: Some(true), ..PLAIN }, [Redirect; 3]),
            (Parts { forwards_query: Some(false), expires_at: past, ..PLAIN }, [Ended; 3]),
            (Parts { program: Some(PROGRAM), ..PLAIN }, [Redirect; 3]),
            (Parts { program: Some(PROGRAM), expires_at: past, ..PLAIN }, [Ended; 3]),
            (Parts { program: Some(PROGRAM), limit: limit(1, 0), ..PLAIN }, [Ask, Ask, Count]),
            (Parts { starts_at: past, ..PLAIN }, [Redirect; 3]),
            (Parts { starts_at: Some(1_000), ..PLAIN }, [Redirect; 3]),
            (Parts { starts_at: future, ..PLAIN }, [NotBegun; 3]),
            (Parts { expires_at: future, ..PLAIN }, [Redirect; 3]),
            (Parts { expires_at: Some(1_000), ..PLAIN }, [Ended; 3]),
            (Parts { expires_at: past, ..PLAIN }, [Ended; 3]),
            (Parts { starts_at: past, expires_at: future, ..PLAIN }, [Redirect; 3]),
            (Parts { starts_at: future, expires_at: past, ..PLAIN }, [NotBegun; 3]),
            (Parts { limit: limit(2, 0), ..PLAIN }, [Count, Ask, Count]),
            (Parts { limit: limit(1, 0), ..PLAIN }, [Ask, Ask, Count]),
            (Parts { limit: limit(2, 2), ..PLAIN }, [Ended; 3]),
            (Parts { limit: limit(2, 3), ..PLAIN }, [Ended; 3]),
            (Parts { limit: limit(2, 1), expires_at: past, ..PLAIN }, [Ended; 3]),
            (Parts { limit: limit(2, 1), expires_at: future, ..PLAIN }, [Count, Ask, Count]),
            (Parts { limit: limit(2, 2), starts_at: future, ..PLAIN }, [NotBegun; 3]),
        ] {
            assert_eq!(judged(&parts), verdicts, "{parts:?}");
            assert_eq!(Target::new(&parts).disabled().judge(1_000, || Follow), Disabled);
        }
        assert!(Target::new(&PLAIN).is_plain() && !Target::new(&Parts { starts_at: past, ..PLAIN }).is_plain());
    }

    /// The memory of a million links: one byte more than their ids and their destination.
    #[test]
    fn a_plain_link_has_no_more_than_its_ids_its_destination_and_a_byte() {
        assert_eq!(Target::new(&PLAIN).as_bytes().len(), 1 + 16 + 16 + PLAIN.destination_url.len());
    }

    #[test]
    fn what_is_no_url_ends_no_header_field() {
        let url = "https://example.com/\r\nset-cookie: a\0";
        let target = Target::new(&Parts { destination_url: url, expired_url: Some(url), expires_at: Some(1), ..PLAIN });
        assert_eq!(target.location(), b"https://example.com/set-cookie: a");
        assert_eq!(target.expired_location(), target.location());
    }

    proptest! {
        #[test]
        fn a_target_has_the_parts_that_were_packed(
            link: [u8; 16], account: [u8; 16], destination_url in "https://[a-z/]{1,2000}",
            starts_at: Option<i64>, expires_at: Option<i64>, expired_url in prop::option::of("https://[a-z/]{1,2000}"),
            limit in prop::option::of((1_i64..10, 0_i64..10)), forwards_query: Option<bool>, now: i64,
            rules in prop::option::of((any::<i64>(), prop::collection::vec(any::<u8>(), 0..30_000))),
        ) {
            let limit = limit.map(|(max, used)| Limit { max, used });
            let parts = Parts {
                link: LinkId(Uuid::from_bytes(link)), account: AccountId(Uuid::from_bytes(account)),
                destination_url: &destination_url, starts_at, expires_at, expired_url: expired_url.as_deref(), limit,
                forwards_query,
                program: rules.as_ref().map(|(split_stops_at, bytes)| Program { split_stops_at: *split_stops_at, bytes }),
            };
            let target = Target::from_bytes(Target::new(&parts).as_bytes());
            prop_assert_eq!((target.link(), target.account()), (parts.link, parts.account));
            prop_assert_eq!(target.location(), destination_url.as_bytes());
            prop_assert_eq!(target.forwards_query(), forwards_query);
            prop_assert_eq!(target.program(), parts.program);
            let has_flags = starts_at.is_some()
                || expires_at.is_some()
                || limit.is_some()
                || forwards_query.is_some()
                || rules.is_some();
            let expired = expired_url.as_deref().filter(|_| has_flags).unwrap_or_default();
            prop_assert_eq!(target.expired_location(), expired.as_bytes());
            let verdict = target.judge(now, || Follow);
            let has_begun = starts_at.is_none_or(|at| at <= now);
            let has_ended = expires_at.is_some_and(|at| at <= now) || limit.is_some_and(Limit::is_used_up);
            prop_assert_eq!(verdict == NotBegun, !has_begun);
            prop_assert_eq!(verdict == Ended, has_begun && has_ended);
            prop_assert!(target.clone().disabled().location().is_empty());
        }
    }
}
