//! The words of pages for visitors, in each language that they are written in.

use link_rules::most_preferred;

/// The words of pages in a language.
pub(crate) struct Language {
    /// Its tag (BCP 47).
    pub(super) tag: &'static str,
    /// Titles and texts of pages that are always the same.
    pub(super) not_found: [&'static str; 2],
    pub(super) disabled: [&'static str; 2],
    pub(super) expired: [&'static str; 2],
    pub(super) unavailable: [&'static str; 2],
    pub(super) asks: &'static str,
    pub(super) asks_for_password: &'static str,
    pub(super) is_limited: &'static str,
    pub(super) leads_on: &'static str,
    pub(super) password: &'static str,
    pub(super) open: &'static str,
    pub(super) wrong: &'static str,
    pub(super) too_many: fn(u32) -> String,
    pub(super) preview: &'static str,
    pub(super) leads_to: &'static str,
    pub(super) does_not_tell: &'static str,
    pub(super) elsewhere: &'static str,
    pub(super) made: fn(&str) -> String,
    pub(super) report: &'static str,
    pub(super) opens_app: [&'static str; 2],
    pub(super) open_app: &'static str,
    pub(super) get_app: &'static str,
    pub(super) website: &'static str,
}

pub(super) static ENGLISH: Language = Language {
    tag: "en",
    not_found: ["Link not found", "This short link does not exist, or it is switched off."],
    disabled: ["Link disabled", "This link has been disabled."],
    expired: ["Link expired", "This link has expired."],
    unavailable: ["Try again in a moment", "This short link can't be looked up just now."],
    asks: "Open this link?",
    asks_for_password: "This link needs a password",
    is_limited: "This link can be opened a limited number of times. Opening it now counts as one of them.",
    leads_on: "It leads to another website.",
    password: "Password",
    open: "Open the link",
    wrong: "This password is not right. Try again.",
    too_many: |minutes| {
        let plural = if minutes == 1 { "" } else { "s" };
        format!("Too many wrong passwords. Try again in {minutes} minute{plural}.")
    },
    preview: "Where this link leads",
    leads_to: "It leads to:",
    does_not_tell: "It does not tell where it leads before it is opened.",
    elsewhere: "Some visitors are led elsewhere, for example by their device, country or language.",
    made: |day| format!("It was made on <time>{day}</time>."),
    report: "Report this link",
    opens_app: ["Open in the app", "If nothing happens, the app is not on this device."],
    open_app: "Open the app",
    get_app: "Get the app",
    website: "Continue to the website",
};

pub(super) static GERMAN: Language = Language {
    tag: "de",
    not_found: ["Link nicht gefunden", "Diesen Kurzlink gibt es nicht, oder er ist ausgeschaltet."],
    disabled: ["Link gesperrt", "Dieser Link ist gesperrt worden."],
    expired: ["Link abgelaufen", "Dieser Link ist abgelaufen."],
    unavailable: ["Gleich noch einmal", "Dieser Kurzlink kann gerade nicht nachgeschlagen werden."],
    asks: "Diesen Link öffnen?",
    asks_for_password: "Dieser Link braucht ein Passwort",
    is_limited: "Dieser Link lässt sich nur einige Male öffnen. Ihn jetzt zu öffnen zählt als eines davon.",
    leads_on: "Er führt zu einer anderen Website.",
    password: "Passwort",
    open: "Den Link öffnen",
    wrong: "Dieses Passwort ist nicht richtig. Bitte noch einmal.",
    too_many: |minutes| {
        let plural = if minutes == 1 { "" } else { "n" };
        format!("Zu viele falsche Passwörter. In {minutes} Minute{plural} geht es wieder.")
    },
    preview: "Wohin dieser Link führt",
    leads_to: "Er führt zu:",
    does_not_tell: "Er sagt erst, wohin er führt, wenn er geöffnet wird.",
    elsewhere: "Manche Besucher führt er anderswohin, etwa nach Gerät, Land oder Sprache.",
    made: |day| format!("Es gibt ihn seit dem <time>{day}</time>."),
    report: "Diesen Link melden",
    opens_app: ["In der App öffnen", "Wenn nichts geschieht, ist die App nicht auf diesem Gerät."],
    open_app: "Die App öffnen",
    get_app: "Die App holen",
    website: "Weiter zur Website",
};

impl Language {
    /// The language of an `Accept-Language` field; English where none that it names is known.
    pub(crate) fn of(accept_language: &[u8]) -> &'static Self {
        let preferred = std::str::from_utf8(accept_language).ok();
        match preferred.and_then(|header| most_preferred(header, &[ENGLISH.tag, GERMAN.tag])) {
            Some("de") => &GERMAN,
            _ => &ENGLISH,
        }
    }
}
