//! The source of a visit and its channel: by which name a referrer, UTM parameters and the kind of an ad click are known, and how
//! the visitor came. The crate is independent of linkgraph's service.
//!
//! # The source
//!
//! The first of these that a visit has:
//!
//! 1. `utm_source`: the name of the source that it stands for, otherwise the parameter as it was written;
//! 2. the source to which the referrer's host belongs, otherwise the host, without `www.`;
//! 3. the network of which it has an ad click.
//!
//! # The channel
//!
//! The first rule that applies. Rules 3 to 9 are those of the [default channel group of Google Analytics 4][ga4], in its order,
//! which [Plausible's channels][plausible] follow. Letters may be in any case. A *tag* is one of `utm_source`, `utm_medium` and
//! `utm_campaign`; `(none)`, `(not set)` and, as a source, `direct` are none.
//!
//! 1. The code of a link was scanned, or the medium is `qr`, `qrcode` or `qr code`: [`Channel::Qr`].
//! 2. Nothing is known of the visit: [`Channel::Direct`].
//! 3. It is paid, if the medium contains `cp`, begins with `paid`, or is `ppc` or `retargeting`; `utm_source` is a name for ads of a
//!    source (`fb-ads`); or it has an ad click that [only ads have](AdClick): [`Channel::PaidSearch`], [`Channel::PaidSocial`] by the
//!    kind of the source. Otherwise rule 4, then [`Channel::PaidOther`], which has the paid videos and shops of both definitions.
//! 4. The medium is `display`, `banner`, `expandable`, `interstitial` or `cpm`, or the source is a network of ads:
//!    [`Channel::Display`].
//! 5. The source is a shop, a social network, a site of videos or a search engine: [`Channel::Shopping`], [`Channel::Social`],
//!    [`Channel::Video`], [`Channel::Search`]. An assistant, a mail program or a messenger: [`Channel::Ai`], [`Channel::Email`],
//!    [`Channel::Messaging`]; of these, the definitions have mail alone.
//! 6. The medium is `social`, `social-network`, `social-media`, `social network`, `social media` or `sm`: [`Channel::Social`];
//!    contains `video`: [`Channel::Video`]; is `organic`: [`Channel::Search`].
//! 7. The medium is `referral`, `app` or `link`: [`Channel::Referral`].
//! 8. The medium or `utm_source` is `email`, `e-mail`, `e_mail`, `e mail` or `newsletter` (as Plausible has it): [`Channel::Email`].
//!    The medium is `affiliate` or `affiliates`: [`Channel::Affiliates`].
//! 9. The medium or `utm_source` is `sms`, the medium ends with `push` or contains `mobile` or `notification`, or `utm_source` is
//!    `firebase`: [`Channel::Messaging`], which SMS and push notifications of the definitions are part of.
//! 10. The source is any other that the table has, or a referrer of a visit without medium and `utm_source`: [`Channel::Referral`].
//! 11. Any other visit has tags that no rule knows: [`Channel::Other`], the definitions' *unassigned*.
//!
//! Neither definition's *cross-network* is told, since a campaign's name says it there, nor are shops by the names of campaigns;
//! *audio* is [`Channel::Other`].
//!
//! [ga4]: https://support.google.com/analytics/answer/9756891
//! [plausible]: https://plausible.io/docs/top-referrers

mod table;
mod visit;

pub use self::visit::{AdClick, Channel, Visit, classify};
