/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The token of an invitation. */
export type AcceptInvitationInput = {
  /** The token from the mail; it works once, for 7 days. */
  token: string;
};

/** A new passkey. */
export type AddPasskeyInput = {
  /** The challenge that `startPasskey` answered. */
  challenge: string;
  /** What `navigator.credentials.create` gave, by its `toJSON`, as text. */
  credential: string;
  /** Name for it, 1 to 100 characters. */
  name: string;
};

/** An Android app that is to open links of a host: those that its manifest names. */
export type AndroidAppInput = {
  /**
   * SHA-256 fingerprints of the certificates that sign it, in capital hexadecimal digits with colons between the bytes. Google Play shows that
   * of the app's signing key.
   */
  fingerprints: Array<string>;
  /** Name of its package. */
  packageName: string;
};

/** The next part of a file. */
export type AppendImportInput = {
  /** Its text. A file may be cut anywhere between two characters. */
  data: string;
  /** Whether it is the last one: the import runs then. Absent or null: false. */
  isLast?: boolean | null | undefined;
  /** Number of the part, from 1. A part that was sent before is taken again if it is the same. */
  number: number;
};

/** What to change of several links, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away. */
export type ChangeLinksInput = {
  /** Names of tags that each of them gets, if it lacks them. A link that would have more than 20 fails. */
  addTags?: Array<string> | null | undefined;
  /**
   * Apps that it opens on phones in place of its destination, and data for them; it replaces the `app` that the link has. Null: it opens
   * none.
   */
  app?: LinkAppInput | null | undefined;
  /** Whether a visitor gets a page with a button before being redirected. A new link has none unless this is true. */
  asksFirst?: boolean | null | undefined;
  /**
   * Card that messengers and social networks show when somebody posts the link, in place of its destination's page; it replaces the one
   * that the link has. Visitors do not see it. Null: none, and they show the destination's page.
   */
  card?: LinkCardInput | null | undefined;
  /** Where it redirects to from now on; the rules are those of a new link. */
  destinationUrl?: string | null | undefined;
  /** Where it redirects to after its end; the rules are those of `destinationUrl`. Null: it answers 410 then. */
  expiredUrl?: string | null | undefined;
  /**
   * When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Must be later than
   * `startsAt`. Null: never.
   */
  expiresAt?: string | null | undefined;
  /**
   * Whether it forwards the query of a visit: its parameters are added to the destination, except those that the destination has, and
   * `qr`. Null: as its host's settings say; the service's own host forwards none.
   */
  forwardsQuery?: boolean | null | undefined;
  /** Whether it redirects. A new link does unless this is false. */
  isActive?: boolean | null | undefined;
  /** Whether lists leave it out. It redirects as before. */
  isArchived?: boolean | null | undefined;
  /**
   * How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
   * of them. With 1, a visitor gets a page with a button that opens the link. Redirects that another limit of the link has counted count for
   * this one too. Null: there is no limit, and one that is set later begins with no clicks used.
   */
  maxClicks?: number | null | undefined;
  /** Text for people, 1 to 1,000 characters. Visitors do not see it. Null: it has no notes. */
  notes?: string | null | undefined;
  /** Text that a visitor confirms by a button before being redirected, 1 to 500 characters, such as an age limit. Null: none. */
  notice?: string | null | undefined;
  /** Password that a visitor has to enter before being redirected, 6 to 200 characters. It is stored as a hash, and never shown. Null: none. */
  password?: string | null | undefined;
  /** Names of tags that each of them loses, if it has them. */
  removeTags?: Array<string> | null | undefined;
  /** When it begins to redirect; before, it answers 404. Null: at once. */
  startsAt?: string | null | undefined;
  /** One line that names it, 1 to 200 characters. Null: it has no title. */
  title?: string | null | undefined;
  /** UTM parameters to write into the destination, the new one if there is one. Absent: those that it has stay. Null takes all of them away from the destination of a link that exists. */
  utm?: UtmInput | null | undefined;
};

/** A subdomain to claim. */
export type ClaimSubdomainInput = {
  /**
   * The label: 3–63 of A–Z, a–z and 0–9, with single hyphens between them; case does not matter. Some, such as `www`
   * and `mail`, are reserved.
   */
  subdomain: string;
};

/**
 * How visitors came: by the rules of the default channel group of Google Analytics 4, with channels of its own for messengers, assistants
 * and scanned codes.
 */
export type ClickChannel =
  /** A partner's link: `utm_medium` is `affiliate`. */
  | 'AFFILIATES'
  /** An assistant that answers by artificial intelligence. */
  | 'AI'
  /** Without a referrer, UTM parameters or an ad click: the address was typed, or followed in an app that tells nothing. */
  | 'DIRECT'
  /** A banner. */
  | 'DISPLAY'
  /** E-mail. */
  | 'EMAIL'
  /** A messenger, SMS or a push notification. */
  | 'MESSAGING'
  /** UTM parameters that no rule knows. */
  | 'OTHER'
  /** An ad of another kind. */
  | 'PAID_OTHER'
  /** An ad of a search engine: by `utm_medium`, such as `cpc`, or by `gclid`, `gbraid`, `wbraid` or `msclkid` in the visit's query. */
  | 'PAID_SEARCH'
  /** An ad of a social network. */
  | 'PAID_SOCIAL'
  /** A code that was scanned. */
  | 'QR'
  /** A link on another site. */
  | 'REFERRAL'
  /** A search engine. */
  | 'SEARCH'
  /** A shop. */
  | 'SHOPPING'
  /** A social network or a forum. */
  | 'SOCIAL'
  /** A site of videos. */
  | 'VIDEO';

/** One condition on clicks. All conditions of a filter must hold; the values of one are alternatives. */
export type ClickCondition = {
  /** The property of the click, or of its link, whose value is compared. */
  dimension: ClickDimension;
  /** How it is compared. */
  operator?: ConditionOperator;
  /** The values, as the fields of clicks and the lists of summaries have them. Null: the value is not known, or there is none. */
  values: Array<string | null | undefined>;
};

/** A property of a click, or of its link, that a condition compares. */
export type ClickDimension =
  /** `ClickEvent.browser`, such as `Firefox`. */
  | 'BROWSER'
  /** `ClickEvent.channel`, such as `SEARCH`. */
  | 'CHANNEL'
  /**
   * City of the visitor: the code of its country, a colon and its name, in English, such as `DE:Munich`; not known unless the service
   * has a file with cities.
   */
  | 'CITY'
  /** `ClickEvent.country`, such as `CH`. */
  | 'COUNTRY'
  /** `ClickEvent.destination`, such as `0`: numbers of destinations mean something on one link alone. */
  | 'DESTINATION'
  /** `ClickEvent.device`, such as `mobile`. */
  | 'DEVICE'
  /** The host of the link's short URL, such as `links.example.com`. An API key needs `links:read` to ask for it. */
  | 'DOMAIN'
  /** `ClickEvent.isBot`: `true` or `false`. */
  | 'IS_BOT'
  /** `ClickEvent.language`, such as `de-ch`. */
  | 'LANGUAGE'
  /** The link that was followed, by its id. */
  | 'LINK'
  /** `ClickEvent.os`, such as `Linux`. */
  | 'OS'
  /** `ClickEvent.referrerHost`, such as `news.example.org`. */
  | 'REFERRER'
  /** Region of the visitor, ISO 3166-2, such as `DE-BY`; not known unless the service has a file with cities. */
  | 'REGION'
  /** `ClickEvent.source`, such as `Google`. */
  | 'SOURCE'
  /** The tags that the link has now, by name. Not known: it has none. An API key needs `links:read` to ask for it. */
  | 'TAG'
  /** `ClickEvent.trigger`, such as `QR`. */
  | 'TRIGGER'
  /** `ClickEvent.utmCampaign`. */
  | 'UTM_CAMPAIGN'
  /** `ClickEvent.utmContent`. */
  | 'UTM_CONTENT'
  /** `ClickEvent.utmMedium`. */
  | 'UTM_MEDIUM'
  /** `ClickEvent.utmSource`. */
  | 'UTM_SOURCE'
  /** `ClickEvent.utmTerm`. */
  | 'UTM_TERM';

/** Kinds of addresses that visitors follow. */
export type ClickTrigger =
  /** The short URL, by an app that the link opens, which asked where it leads: never a bot. */
  | 'APP'
  /** The short URL, by a messenger or a social network that shows the link's `card`: always a bot. */
  | 'CARD'
  /** The short URL. */
  | 'LINK'
  /** A code of the short URL that was scanned: one that has the query `qr`. */
  | 'QR';

/** How the values of a condition are compared. */
export type ConditionOperator =
  /** The click's value has one of these texts in it; upper and lower case of `A` to `Z` are the same. Not for `LINK` and `IS_BOT`. */
  | 'CONTAINS'
  /** The click has one of the values. */
  | 'IS'
  /** The click has none of the values. */
  | 'IS_NOT';

/** What proves that the caller is the user. */
export type ConfirmAccessInput = {
  /** Six digits of the authenticator app, or a recovery code; of a user with a second factor. */
  code?: string | null | undefined;
  /** The password in force; of a user without a second factor. */
  currentPassword?: string | null | undefined;
  /** What a passkey answered to `startPasskeyProof`; in place of a code. */
  passkey?: PasskeyInput | null | undefined;
};

/** A code of the new authenticator app. */
export type ConfirmTotpInput = {
  /** The six digits that the app shows. */
  code: string;
};

/** An annotation to create. */
export type CreateAnnotationInput = {
  /** Id of the link whose clicks it explains; the annotation goes with the link. Absent or null: it is about all links of the account. */
  linkId?: string | null | undefined;
  /** When it happened, or will happen. */
  occurredAt: string;
  /** A line of 1 to 200 characters that says what happened. */
  text: string;
};

/** A key to create. */
export type CreateApiKeyInput = {
  /**
   * The networks that it may be used from: addresses, or networks in CIDR notation. From any other address it is refused with FORBIDDEN and
   * the reason NETWORK_NOT_ALLOWED. Absent, null or empty: it may be used from everywhere. A key gives parts of its own networks alone.
   */
  allowedNetworks?: Array<string> | null | undefined;
  /** When it expires; a time in the past makes a key that is expired from the start. Absent or null: never. */
  expiresAt?: string | null | undefined;
  /**
   * Whether it is the caller's own. Absent or null: the account's, where the caller may manage members; for others it is always
   * the caller's own, and false fails with FORBIDDEN.
   */
  isPersonal?: boolean | null | undefined;
  /** Display name of 1 to 100 characters. */
  name: string;
  /** What the key may do. An empty list is allowed and opens nothing. A caller can grant only own scopes. Possible values: `links:read`, `links:write`, `analytics:read`, `api-keys:manage`, `domains:read`, `domains:manage`, `webhooks:read`, `webhooks:manage`, `billing:read`, `billing:manage`, `subdomain:read`, `subdomain:manage`. */
  scopes: Array<string>;
};

/** What to buy. */
export type CreateCheckoutInput = {
  /** How often it is paid. Possible values: `month`, `year`. */
  interval: string;
  /** The plan. Possible values: `pro`, `business`. */
  planId: string;
};

/** A custom domain to add. */
export type CreateDomainInput = {
  /**
   * Name of the domain, such as `go.example.com`. Not a public suffix such as `co.uk`, and not this service's own.
   * Names in other scripts are accepted, and stored in their ASCII form.
   */
  domain: string;
};

/** A link to create. Values that are absent are as if they were null. */
export type CreateLinkInput = {
  /**
   * Apps that it opens on phones in place of its destination, and data for them; it replaces the `app` that the link has. Null: it opens
   * none.
   */
  app?: LinkAppInput | null | undefined;
  /** Whether a visitor gets a page with a button before being redirected. A new link has none unless this is true. */
  asksFirst?: boolean | null | undefined;
  /**
   * Card that messengers and social networks show when somebody posts the link, in place of its destination's page; it replaces the one
   * that the link has. Visitors do not see it. Null: none, and they show the destination's page.
   */
  card?: LinkCardInput | null | undefined;
  /**
   * Where it redirects to: an absolute http or https URL of at most 2,048 characters, with a host, without
   * credentials, and not where this service serves links. Hosts in other scripts are stored in their ASCII form.
   */
  destinationUrl: string;
  /**
   * Host of the short link: the service's own, or an account's domain or subdomain that links are served on, else
   * NOT_FOUND. Absent or null: the service's own host.
   */
  domain?: string | null | undefined;
  /** Where it redirects to after its end; the rules are those of `destinationUrl`. Null: it answers 410 then. */
  expiredUrl?: string | null | undefined;
  /**
   * When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Must be later than
   * `startsAt`. Null: never.
   */
  expiresAt?: string | null | undefined;
  /** Its id in another system, 1 to 128 characters, unique in the account, else CONFLICT. Absent or null: it has none. */
  externalId?: string | null | undefined;
  /**
   * Whether it forwards the query of a visit: its parameters are added to the destination, except those that the destination has, and
   * `qr`. Null: as its host's settings say; the service's own host forwards none.
   */
  forwardsQuery?: boolean | null | undefined;
  /** What to do when the account has a link to this destination on this host. Absent or null: create another one. */
  ifExists?: IfExists | null | undefined;
  /** Whether it redirects. A new link does unless this is false. */
  isActive?: boolean | null | undefined;
  /**
   * How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
   * of them. With 1, a visitor gets a page with a button that opens the link. Redirects that another limit of the link has counted count for
   * this one too. Null: there is no limit, and one that is set later begins with no clicks used.
   */
  maxClicks?: number | null | undefined;
  /** Text for people, 1 to 1,000 characters. Visitors do not see it. Null: it has no notes. */
  notes?: string | null | undefined;
  /** Text that a visitor confirms by a button before being redirected, 1 to 500 characters, such as an age limit. Null: none. */
  notice?: string | null | undefined;
  /** Password that a visitor has to enter before being redirected, 6 to 200 characters. It is stored as a hash, and never shown. Null: none. */
  password?: string | null | undefined;
  /**
   * Path of the short link: 1–64 letters and digits of one script, emoji, `_` and `-`; Japanese, Korean and Chinese mix their scripts. On
   * a domain or subdomain it may have up to 5 segments, with `/` between them, and the last
   * may be `*`: `docs/*` leads `/docs/a/b` to `a/b` below the destination, where no link has the path or a longer pattern.
   * The slug is stored in NFC, and emoji without U+FE0F. Letters that only look like A–Z, a–z and 0–9 are refused (UTS 39). Case
   * matters, unless the host ignores that of A–Z. On the service's own host those are reserved, in any case, that its paths begin
   * with or may begin with later, such as `links`, `app` and `report`; a link that had one before keeps it. Absent or null: 7
   * random characters.
   */
  slug?: string | null | undefined;
  /** When it begins to redirect; before, it answers 404. Null: at once. */
  startsAt?: string | null | undefined;
  /**
   * Names of its tags, at most 20, each of 1 to 50 characters without commas; case does not matter. The account gets the tags that it
   * does not have. Absent or null: none.
   */
  tags?: Array<string> | null | undefined;
  /** One line that names it, 1 to 200 characters. Null: it has no title. */
  title?: string | null | undefined;
  /** UTM parameters to write into the destination, the new one if there is one. Absent: those that it has stay. Null takes all of them away from the destination of a link that exists. */
  utm?: UtmInput | null | undefined;
};

/** Up to 100 links to create. */
export type CreateLinksInput = {
  /** The links; each succeeds or fails alone. */
  links: Array<CreateLinksItemInput>;
};

/** One of several links to create; the rules are those of `CreateLinkInput`, and breaking one fails this link alone. */
export type CreateLinksItemInput = {
  /**
   * Apps that it opens on phones in place of its destination, and data for them; it replaces the `app` that the link has. Null: it opens
   * none.
   */
  app?: LinkAppInput | null | undefined;
  /** Whether a visitor gets a page with a button before being redirected. A new link has none unless this is true. */
  asksFirst?: boolean | null | undefined;
  /**
   * Card that messengers and social networks show when somebody posts the link, in place of its destination's page; it replaces the one
   * that the link has. Visitors do not see it. Null: none, and they show the destination's page.
   */
  card?: LinkCardInput | null | undefined;
  /** Where it redirects to; a link without it fails. */
  destinationUrl?: string | null | undefined;
  /**
   * Host of the short link: the service's own, or an account's domain or subdomain that links are served on, else
   * NOT_FOUND. Absent or null: the service's own host.
   */
  domain?: string | null | undefined;
  /** Where it redirects to after its end; the rules are those of `destinationUrl`. Null: it answers 410 then. */
  expiredUrl?: string | null | undefined;
  /**
   * When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Must be later than
   * `startsAt`. Null: never.
   */
  expiresAt?: string | null | undefined;
  /** Its id in another system, 1 to 128 characters, unique in the account, else CONFLICT. Absent or null: it has none. */
  externalId?: string | null | undefined;
  /**
   * Whether it forwards the query of a visit: its parameters are added to the destination, except those that the destination has, and
   * `qr`. Null: as its host's settings say; the service's own host forwards none.
   */
  forwardsQuery?: boolean | null | undefined;
  /** What to do when the account has a link to this destination on this host. Absent or null: create another one. */
  ifExists?: IfExists | null | undefined;
  /** Whether it redirects. A new link does unless this is false. */
  isActive?: boolean | null | undefined;
  /**
   * How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
   * of them. With 1, a visitor gets a page with a button that opens the link. Redirects that another limit of the link has counted count for
   * this one too. Null: there is no limit, and one that is set later begins with no clicks used.
   */
  maxClicks?: number | null | undefined;
  /** Text for people, 1 to 1,000 characters. Visitors do not see it. Null: it has no notes. */
  notes?: string | null | undefined;
  /** Text that a visitor confirms by a button before being redirected, 1 to 500 characters, such as an age limit. Null: none. */
  notice?: string | null | undefined;
  /** Password that a visitor has to enter before being redirected, 6 to 200 characters. It is stored as a hash, and never shown. Null: none. */
  password?: string | null | undefined;
  /**
   * Path of the short link: 1–64 letters and digits of one script, emoji, `_` and `-`; Japanese, Korean and Chinese mix their scripts. On
   * a domain or subdomain it may have up to 5 segments, with `/` between them, and the last
   * may be `*`: `docs/*` leads `/docs/a/b` to `a/b` below the destination, where no link has the path or a longer pattern.
   * The slug is stored in NFC, and emoji without U+FE0F. Letters that only look like A–Z, a–z and 0–9 are refused (UTS 39). Case
   * matters, unless the host ignores that of A–Z. On the service's own host those are reserved, in any case, that its paths begin
   * with or may begin with later, such as `links`, `app` and `report`; a link that had one before keeps it. Absent or null: 7
   * random characters.
   */
  slug?: string | null | undefined;
  /** When it begins to redirect; before, it answers 404. Null: at once. */
  startsAt?: string | null | undefined;
  /**
   * Names of its tags, at most 20, each of 1 to 50 characters without commas; case does not matter. The account gets the tags that it
   * does not have. Absent or null: none.
   */
  tags?: Array<string> | null | undefined;
  /** One line that names it, 1 to 200 characters. Null: it has no title. */
  title?: string | null | undefined;
  /** UTM parameters to write into the destination, the new one if there is one. Absent: those that it has stay. Null takes all of them away from the destination of a link that exists. */
  utm?: UtmInput | null | undefined;
};

/** A publishable key to create. */
export type CreatePublishableKeyInput = {
  /**
   * Hosts whose links it opens: domains and the subdomain of the account that are active, and the service's own host. Of the links on
   * that, it opens those of the account alone.
   */
  hosts: Array<string>;
  /** Its name, 1 to 100 characters. */
  name: string;
};

/** A report to create. */
export type CreateReportInput = {
  /** How many times its length the period is before the one that ends now. Absent, with a period: 0. */
  back?: number | null | undefined;
  /** Origins whose pages may show its page in a frame. Empty, or absent in a new report: none. */
  embedOrigins?: Array<string> | null | undefined;
  /** When its page ceases to be there. Null: no end. */
  expiresAt?: string | null | undefined;
  /** Only clicks of which all these conditions hold are counted. Empty, or absent in a new report: all are. */
  filter?: Array<ClickCondition> | null | undefined;
  /** Start of the time whose clicks are counted, instead of a period. Not without `to`, and earlier. */
  from?: string | null | undefined;
  /** Whether clicks of bots count. Absent in a new report: they don't. */
  includeBots?: boolean | null | undefined;
  /**
   * Whether it has a page. False ends the page at once, and a report that is shared again has another URL. Absent in a new report: it
   * has one.
   */
  isShared?: boolean | null | undefined;
  /** Id of the link whose clicks it counts; the report goes with the link. Absent or null: those on all links of the account. */
  linkId?: string | null | undefined;
  /** Its name of 1 to 100 characters, which its page has as its title. */
  name: string;
  /** The lists on its page, in this order. Absent in a new report: `COUNTRIES`, `SOURCES`, `DEVICES`. */
  panels?: Array<ReportPanel> | null | undefined;
  /** Password that its page asks for, 6 to 200 characters. It is stored as a hash, and never shown. Null: none. */
  password?: string | null | undefined;
  /** The period whose clicks are counted; it takes the place of `from` and `to`. Absent in a new report without these: `LAST_30_DAYS`. */
  period?: ReportPeriod | null | undefined;
  /** Whether its page says where links lead. Absent in a new report: it doesn't. */
  showsDestinations?: boolean | null | undefined;
  /** By whose calendar and clocks days begin. Absent in a new report: `UTC`. */
  timeZone?: string | null | undefined;
  /** End of that time. Not without `from`. */
  to?: string | null | undefined;
};

/** A tag to create. */
export type CreateTagInput = {
  /** Its name of 1 to 50 characters without commas, unique in the account in any case, else CONFLICT. */
  name: string;
};

/** A UTM template to create: a name, and a parameter or more of at most 200 characters each. */
export type CreateUtmTemplateInput = {
  /** `utm_campaign`: of which campaign. */
  campaign?: string | null | undefined;
  /** `utm_content`: by which of several links or texts. */
  content?: string | null | undefined;
  /** `utm_medium`: by what means. */
  medium?: string | null | undefined;
  /** Its name of 1 to 100 characters, unique in the account in any case, else CONFLICT. */
  name: string;
  /** `utm_source`: where visitors come from. */
  source?: string | null | undefined;
  /** `utm_term`: by which search term. */
  term?: string | null | undefined;
};

/** A webhook to create. */
export type CreateWebhookInput = {
  /** Whether events are sent in batches, as `Webhook.batch` says. */
  batch?: boolean;
  /** Names of the events to send; a name that stands twice counts once. Possible values: `link.created`, `link.updated`, `link.expired`, `link.used_up`, `link.deleted`, `link.clicked`, `import.finished`, `domain.created`, `domain.activated`, `domain.failing`, `domain.updated`, `domain.deleted`, `subdomain.claimed`, `subdomain.activated`, `subdomain.updated`, `subdomain.released`, `api_key.created`, `api_key.revoked`, `subscription.updated`, `invoice.paid`, `webhook.disabled`, `webhook.test`. */
  events: Array<string>;
  /** Whether clicks of bots are left out of `link.clicked`. */
  excludeBots?: boolean;
  /**
   * Ids of links of the account: of the events about links only those about these are sent. Null: all links. An id that stands
   * twice counts once.
   */
  linkIds?: Array<string> | null | undefined;
  /** Display name of 1 to 100 characters. */
  name: string;
  /** Where events are sent: an absolute http or https URL whose host has public addresses only. */
  url: string;
};

/** The order of day, month and year in dates that are written with numbers alone. */
export type DateFormat =
  /** Day, month, year: `13/02/2024`. */
  | 'DMY'
  /** Month, day, year: `2/13/2024`. */
  | 'MDY'
  /** Year, month, day: `24-02-13`. */
  | 'YMD';

/** Links to delete. */
export type DeleteLinksInput = {
  /** Ids of the links, from 1 to 100. */
  ids: Array<string>;
};

/** What it takes to delete the user who calls. */
export type DeleteMeInput = {
  /** The password in force: a stolen token is not enough. Of a user without a password any text, with a fresh proof. */
  currentPassword: string;
};

/** How far a delivery is. */
export type DeliveryStatus =
  /** All attempts failed, or the receiver is gone. */
  | 'FAILED'
  /** Not attempted yet, or asked for again. */
  | 'PENDING'
  /** An attempt failed, and another will follow. */
  | 'RETRYING'
  /** The receiver answered with a 2xx status. */
  | 'SUCCEEDED';

/** Kinds of DNS records. */
export type DnsRecordType =
  /** An IPv4 address. */
  | 'A'
  /** An IPv6 address. */
  | 'AAAA'
  /** Another name for a host. */
  | 'CNAME'
  /** Text. */
  | 'TXT';

/** Whether links are served on a custom domain. */
export type DomainStatus =
  /** DNS proved it: links are served. */
  | 'ACTIVE'
  /** Proved before, but not by the last checks: links are served for 14 days. */
  | 'FAILING'
  /** DNS has not proved it yet: no link is served. */
  | 'PENDING'
  /** Failing for 14 days, or proved by another account: no link is served, until a check is good again. */
  | 'SUSPENDED';

/** Kind of an error, for programs: the text of `extensions.code` in GraphQL's errors and of `error.code` in REST's. */
export type ErrorCode =
  /** The body is not JSON, or not an object. */
  | 'BAD_REQUEST'
  /** A slug, domain, subdomain or e-mail address is taken; `details.path` names the field. Or a request with the same idempotency key, which `details.path` names then, is being executed; `Retry-After` says in how many seconds to come back. */
  | 'CONFLICT'
  /** The API key, or the member's role, lacks a scope, which `details.scope` names; or only a user may, and `details.credential` is `USER`; or `details.reason` is `ACCOUNT_SUSPENDED`, `REGISTRATION_CLOSED`, `ORIGIN_NOT_ALLOWED`, `PROOF_REQUIRED`, `OTHER_ADDRESS`, `PASSWORD_LOGIN_OFF`, `PASSKEYS_OFF`, `NETWORK_NOT_ALLOWED` or `PASSWORD_REQUIRED`. */
  | 'FORBIDDEN'
  /** GraphQL only: the document has a syntax error. */
  | 'GRAPHQL_PARSE_FAILED'
  /** GraphQL only: the document or its variables do not fit the schema. */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** The idempotency key was sent with another request, or by another credential of the account, in the last 24 hours; `details.path` names the key. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** A fault of ours; it is logged with the request id. */
  | 'INTERNAL_ERROR'
  /** The e-mail address is unknown or the password is wrong; the two look the same. */
  | 'INVALID_CREDENTIALS'
  /** The path exists, but not with this method; `Allow` lists those that do. */
  | 'METHOD_NOT_ALLOWED'
  /** The path is unknown, or the resource does not exist or belongs to another account. */
  | 'NOT_FOUND'
  /** The body is larger than 256 KiB, or a file in its place is larger than the operation says. */
  | 'PAYLOAD_TOO_LARGE'
  /** GraphQL only: the request names its document by a hash; send the document. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The account's plan allows no more of this resource; `details` has `limit`, `used` and `resource`. */
  | 'PLAN_LIMIT_REACHED'
  /** The resource is not as `If-Match` or `expectedUpdatedAt` expects it: it was changed after the caller read it. Nothing was changed. */
  | 'PRECONDITION_FAILED'
  /** GraphQL only: the document exceeds a limit; `details` has `limit` and `max`. */
  | 'QUERY_TOO_COMPLEX'
  /** An answer that reads single clicks would have to read too many of them; `details.limit` says how many it reads at most. A shorter range has fewer. */
  | 'RANGE_TOO_LARGE'
  /** Too many requests; `Retry-After` says in how many seconds to come back. */
  | 'RATE_LIMITED'
  /** The password is right, and the user has a second factor; `details.factors` says which: `TOTP`, `PASSKEY`. `details.challenge` and a code make a login, by `confirmSecondFactor`, or the challenge and a passkey, by `startPasskeyLogin`. */
  | 'SECOND_FACTOR_REQUIRED'
  /** The credential is absent, malformed, unknown, expired or revoked, or of a kind that is not taken here. */
  | 'UNAUTHENTICATED'
  /** A store is down or overloaded; `Retry-After` says in how many seconds to come back. */
  | 'UNAVAILABLE'
  /** The body is not `application/json`. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** A field, query parameter or path value is missing, of the wrong type, or breaks a rule; the violations are listed, at most 50 of them. */
  | 'VALIDATION_ERROR';

/** A visit, as far as the caller describes it. */
export type ExplainRedirectInput = {
  /** `Accept-Language`. Absent: it has none. */
  acceptLanguage?: string | null | undefined;
  /** The client's address. Absent: it is unknown, and so is what else it tells. */
  address?: string | null | undefined;
  /** The time. Absent: now. */
  at?: string | null | undefined;
  /** City, by its English name. Absent: that of the address. */
  city?: string | null | undefined;
  /** Country, ISO 3166-1 alpha-2. Absent: that of the address. */
  country?: string | null | undefined;
  /** Query of the short URL, without its `?`. Absent: it has none. */
  query?: string | null | undefined;
  /** `Referer`: a URL. Absent: it has none. */
  referrer?: string | null | undefined;
  /** Region, ISO 3166-2. Absent: that of the address. */
  region?: string | null | undefined;
  /** `User-Agent`. Absent: it has none, as some bots. */
  userAgent?: string | null | undefined;
};

/** Whose password is forgotten. */
export type ForgotPasswordInput = {
  /** E-mail address of the user. The answer does not tell whether there is one. */
  email: string;
};

/** A page that visitors see on a host where no link leads on at once. */
export type HostPage =
  /** The link asks before it leads on. */
  | 'CONFIRMATION'
  /** The link is over. */
  | 'EXPIRED'
  /** The link shows its notice before it leads on. */
  | 'NOTICE'
  /** There is no such link, or it is switched off. */
  | 'NOT_FOUND'
  /** The link asks for its password. */
  | 'PASSWORD';

/** A text of the account on a page, in the place of the service's. */
export type HostPageTextInput = {
  /** Its language (BCP 47): `fr`, `pt-BR`. A page has one text in each language. Visitors get the one that they prefer, or else the first. */
  language: string;
  /** The page. */
  page: HostPage;
  /** The text below, at most 500 characters. A link with a notice shows that in its place. Absent or null: the service's. */
  text?: string | null | undefined;
  /** Title of the page, 1 to 100 characters. */
  title: string;
};

/** What to do when the account has a link to the same destination on the same host. */
export type IfExists =
  /** Create another one. */
  | 'CREATE'
  /**
   * Answer the oldest of these links as it is, and change nothing: of those that redirect now, have neither `expiresAt` nor
   * `maxClicks`, rules nor a split, and ask visitors for nothing. Where a slug is asked for, of those that have it. Create a link if
   * there is none, or if the new one is to ask visitors. An API key without the scope `links:read` gets CONFLICT if there is one.
   */
  | 'RETURN';

/** What a column of a file is about. */
export type ImportColumnInput = {
  /**
   * Its name in the file's header, where capitals, spaces and punctuation need not be the same, or its number from 1 on; in JSON, the
   * name of a member, such as `meta.validUntil`.
   */
  column: string;
  /** What it is about; no two columns may have the same. Absent or null: it is left out. */
  field?: ImportField | null | undefined;
};

/** What a column of a file is about. */
export type ImportField =
  /** `androidPackage` of its `app`. Files of other services have none. */
  | 'APP_ANDROID_PACKAGE'
  /** `androidUri` of its `app`. Files of other services have none. */
  | 'APP_ANDROID_URI'
  /** `data` of its `app`. Files of other services have none. */
  | 'APP_DATA'
  /** `iosStoreUrl` of its `app`. Files of other services have none. */
  | 'APP_IOS_STORE_URL'
  /** `iosUri` of its `app`. Files of other services have none. */
  | 'APP_IOS_URI'
  /** Whether visitors are asked to continue. Files of other services have none. */
  | 'ASKS_FIRST'
  /** Description of its `card`. Files of other services have none. */
  | 'CARD_DESCRIPTION'
  /** URL of the image of its `card`. Files of other services have none. */
  | 'CARD_IMAGE_URL'
  /** Title of its `card`. Files of other services have none. */
  | 'CARD_TITLE'
  /** How often it was followed. */
  | 'CLICK_COUNT'
  /** When it was created. */
  | 'CREATED_AT'
  /** Where the link leads. In a table that a person made, `https://` may be missing. */
  | 'DESTINATION_URL'
  /** Host of the short link. */
  | 'DOMAIN'
  /** Where it leads after its end. */
  | 'EXPIRED_URL'
  /** When it ceases to redirect. */
  | 'EXPIRES_AT'
  /** Its `externalId`. Files of other services have none. */
  | 'EXTERNAL_ID'
  /** Whether the query of a visit is forwarded. */
  | 'FORWARDS_QUERY'
  /** Its id in another service, by which it is known again. Tables that a person made have none. */
  | 'ID'
  /** How often it was followed before it came to linkgraph. */
  | 'IMPORTED_CLICKS'
  /** Whether it redirects. */
  | 'IS_ACTIVE'
  /** Whether lists leave it out. */
  | 'IS_ARCHIVED'
  /** Whether it is kept from redirecting. */
  | 'IS_BANNED'
  /** How often it redirects at most. */
  | 'MAX_CLICKS'
  /** Notes about it. */
  | 'NOTES'
  /** Its `notice`. Files of other services have none. */
  | 'NOTICE'
  /** Its password, or whether it asks for one: the link gets the `password` of the import, and its row fails without one. */
  | 'PASSWORD'
  /** Its rules: the input of `setLinkRules` in JSON. Files of other services have none. */
  | 'RULES'
  /** The whole short link: its host and path are taken where no other column has them. */
  | 'SHORT_URL'
  /** Path of the short link; in a table that a person made, also the whole short link. */
  | 'SLUG'
  /** Its split: the input of `setLinkSplit` in JSON. Files of other services have none. */
  | 'SPLIT'
  /** When it begins to redirect. */
  | 'STARTS_AT'
  /** Names of its tags, between commas, semicolons or pipes. */
  | 'TAGS'
  /** Its title. */
  | 'TITLE'
  /** How many of these are used. Of other services all clicks count. */
  | 'USED_CLICKS';

/** A service whose links are known. */
export type ImportSource =
  /** Bitly: CSV, or JSON of its API. */
  | 'BITLY'
  /** Dub: CSV, or JSON of its API. */
  | 'DUB'
  /** Kutt: JSON of its API. */
  | 'KUTT'
  /** linkgraph's own export. */
  | 'LINKGRAPH'
  /** Rebrandly: CSV, or JSON of its API. */
  | 'REBRANDLY'
  /** Shlink: CSV, or JSON of its API. */
  | 'SHLINK'
  /** Short.io: CSV, or JSON of its API. */
  | 'SHORT_IO'
  /**
   * A table of no known service, such as a person makes one: CSV, or JSON, whose columns are found out by their names in
   * several languages and by their values.
   */
  | 'TABLE'
  /** YOURLS: CSV, or JSON of its API. */
  | 'YOURLS';

/** How far an import is. */
export type ImportState =
  /** It was cancelled. Links that it made before stay. */
  | 'CANCELLED'
  /** Its file can't be read, or the other service's API: `error` says why. */
  | 'FAILED'
  /** All its rows are done with. */
  | 'FINISHED'
  /** It takes parts of its file until the last. After a day without one it is cancelled. */
  | 'OPEN'
  /** It waits for its turn. */
  | 'QUEUED'
  /** Its rows are being taken. */
  | 'RUNNING';

/** Length of the parts that a series has. */
export type Interval =
  /** From midnight to midnight. */
  | 'DAY'
  /** From full hour to full hour. */
  | 'HOUR'
  /** From the first day of a month to that of the next. */
  | 'MONTH'
  /** From Monday to Monday. */
  | 'WEEK';

/** Who is invited. */
export type InviteMemberInput = {
  /** E-mail address that gets the invitation; the user who accepts it has it. */
  email: string;
  /** The role that the user gets. */
  role: Role;
};

/** An app of Apple's systems that is to open links of a host. */
export type IosAppInput = {
  /** Team and bundle id, such as `ABCDE12345.com.example.app`. */
  appId: string;
  /** Paths of the links that it is to open; `*` stands for any characters, and `?` for any one. Absent: all links. */
  paths?: Array<string> | null | undefined;
};

/** Apps that a link is to open on phones, in place of its destination, and data for them. One without any value opens none. */
export type LinkAppInput = {
  /**
   * Name of the app's package on Android. Where it is not installed, Google Play offers it, and hands it a token of the link when it is
   * installed, which `resolveLink` takes. Absent or null: the link leads to its destination then.
   */
  androidPackage?: string | null | undefined;
  /** URI that opens the app on Android; the rules are those of `iosUri`. Absent or null: the short URL opens the app of `androidPackage`. */
  androidUri?: string | null | undefined;
  /** Data for the app: the JSON text of an object, of at most 2,048 bytes in UTF-8. Absent or null: none. */
  data?: string | null | undefined;
  /** Page of the app in the App Store, at `https://apps.apple.com/`. Absent or null: none. */
  iosStoreUrl?: string | null | undefined;
  /**
   * URI that opens the app on an iPhone or iPad: with the scheme of an app, which is neither http nor https nor one of a browser's. The
   * visitor gets a page with a button, since iOS does not say whether the app is there. Absent or null: none.
   */
  iosUri?: string | null | undefined;
};

/** Card that a link gets: messengers and social networks show it in place of the destination's page. */
export type LinkCardInput = {
  /** Text below the title, 1 to 300 characters. Absent or null: none. */
  description?: string | null | undefined;
  /** URL of its image, http or https; messengers fetch it. 1,200 by 630 pixels suit all of them. Absent or null: none. */
  imageUrl?: string | null | undefined;
  /** One line, 1 to 200 characters. */
  title: string;
};

/** A rule: either `destinationUrl` or `split` says where it leads. */
export type LinkRuleInput = {
  /** Its conditions, all of which have to hold. */
  conditions: Array<RuleConditionInput>;
  /** Where it leads; the rules are those of a link's `destinationUrl`. */
  destinationUrl?: string | null | undefined;
  /** One line that names it. Absent or null: it has no name. */
  name?: string | null | undefined;
  /** 2 to 8 destinations among which it divides visitors. */
  split?: Array<SplitPartInput> | null | undefined;
};

/** Order of a list of links. */
export type LinkSort =
  /**
   * The link that was followed last comes first, bots included. Links that were never followed come after all others,
   * the newest first.
   */
  | 'LAST_CLICKED'
  /** The link that was followed most often comes first, bots and clicks before its import included; of several, the newest. */
  | 'MOST_CLICKED'
  /** The link that was created last comes first. */
  | 'NEWEST'
  /** The link that was created first comes first. */
  | 'OLDEST';

/** What becomes of a visitor who follows a link now. */
export type LinkState =
  /** It redirects to its destination. */
  | 'ACTIVE'
  /** The operator of the service has blocked it: it answers 410. */
  | 'BLOCKED'
  /** `expiresAt` has passed: it redirects to `expiredUrl`, or else answers 410. */
  | 'EXPIRED'
  /** It is switched off: it answers 404. */
  | 'INACTIVE'
  /** `startsAt` is in the future: until then it answers 404. */
  | 'SCHEDULED'
  /** It was followed `maxClicks` times: it redirects to `expiredUrl`, or else answers 410. */
  | 'USED_UP';

/** The tag that takes the place of another one. */
export type MergeTagInput = {
  /** Id of the tag that stays. */
  into: string;
};

/** What to give, and to whom. */
export type OfferTransferInput = {
  /** The id of a custom domain, which is given with its settings and all links on it. Null, or absent: links are given. */
  domainId?: string | null | undefined;
  /** Ids of links on the service's own host. Null, or absent: a domain is given. */
  linkIds?: Array<string> | null | undefined;
  /** The id of the account that gets it, which its members see as `account.id`. */
  toAccountId: string;
};

/** What a passkey answered. */
export type PasskeyInput = {
  /** The challenge that asked for it. */
  challenge: string;
  /** What `navigator.credentials.get` gave, by its `toJSON`, as text. */
  credential: string;
};

/** A file to look at. */
export type PreviewImportInput = {
  /** What columns of the file are about. Absent or null: all are found out. */
  columns?: Array<ImportColumnInput> | null | undefined;
  /** The file's beginning, of which the first 64 KiB are looked at. */
  data: string;
  /** The order of dates that are written with numbers alone. Absent or null: it is found out. */
  dateFormat?: DateFormat | null | undefined;
  /** The service that the links are from. Absent or null: it is found out. */
  source?: ImportSource | null | undefined;
};

/** What registering needs. */
export type RegisterInput = {
  /** E-mail address to log in with; it may have one user only. */
  email: string;
  /** The token of an invitation that was mailed to `email`. Absent or null: there is none, and the user gets an account. */
  invitationToken?: string | null | undefined;
  /** Display name of 1 to 100 characters. */
  name: string;
  /** Password of 8 to 200 characters. */
  password: string;
};

/** The people that may register. */
export type Registration =
  /** Nobody but the first user of all, and those who are invited. */
  | 'CLOSED'
  /** Anybody. */
  | 'OPEN';

/** Remarks on a rehearsed change: limits of clicks as its source, and effects that callers may not expect. */
export type RehearsalNote =
  /** Whether a visitor answers the question can't be told; none uses up a part of the limit here. */
  | 'ANSWERS_NOT_KEPT'
  /** The link becomes archived: lists leave it out, and it redirects as before. */
  | 'ARCHIVED_LINKS_REDIRECT'
  /** A click does not keep whether its bot is a messenger, which gets the new `card`. */
  | 'MESSENGERS_NOT_KEPT'
  /** The link does not redirect now: visits that were not redirected left no click, and are missing. */
  | 'ONLY_REDIRECTS_KEPT'
  /** A click does not keep the query of its visit, which `forwardsQuery` is about. */
  | 'QUERY_NOT_KEPT'
  /**
   * Rules or split were set, or the split stopped, after the first of these visits: they are led as they were then, and rules are
   * counted by those visits alone that came since.
   */
  | 'ROUTES_HAVE_CHANGED'
  /** Redirects that used up a part of the limit before count for the new `maxClicks`, too. */
  | 'USED_CLICKS_REMAIN';

/** A change of a link to rehearse, as JSON merge patch (RFC 7396). */
export type RehearseLinkInput = {
  /**
   * Apps that it opens on phones in place of its destination, and data for them; it replaces the `app` that the link has. Null: it opens
   * none.
   */
  app?: LinkAppInput | null | undefined;
  /** Whether a visitor gets a page with a button before being redirected. A new link has none unless this is true. */
  asksFirst?: boolean | null | undefined;
  /**
   * Card that messengers and social networks show when somebody posts the link, in place of its destination's page; it replaces the one
   * that the link has. Visitors do not see it. Null: none, and they show the destination's page.
   */
  card?: LinkCardInput | null | undefined;
  /** Visits of so many last UTC days are rehearsed, today's with them, from 1 to 30. */
  days?: number;
  /** Where it redirects to from now on; the rules are those of a new link. */
  destinationUrl?: string | null | undefined;
  /** Where it redirects to after its end; the rules are those of `destinationUrl`. Null: it answers 410 then. */
  expiredUrl?: string | null | undefined;
  /**
   * When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Must be later than
   * `startsAt`. Null: never.
   */
  expiresAt?: string | null | undefined;
  /**
   * Whether it forwards the query of a visit: its parameters are added to the destination, except those that the destination has, and
   * `qr`. Null: as its host's settings say; the service's own host forwards none.
   */
  forwardsQuery?: boolean | null | undefined;
  /** Whether it redirects. A new link does unless this is false. */
  isActive?: boolean | null | undefined;
  /** Whether lists leave it out. It redirects as before. */
  isArchived?: boolean | null | undefined;
  /**
   * How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
   * of them. With 1, a visitor gets a page with a button that opens the link. Redirects that another limit of the link has counted count for
   * this one too. Null: there is no limit, and one that is set later begins with no clicks used.
   */
  maxClicks?: number | null | undefined;
  /** Text for people, 1 to 1,000 characters. Visitors do not see it. Null: it has no notes. */
  notes?: string | null | undefined;
  /** Text that a visitor confirms by a button before being redirected, 1 to 500 characters, such as an age limit. Null: none. */
  notice?: string | null | undefined;
  /** Password that a visitor has to enter before being redirected, 6 to 200 characters. It is stored as a hash, and never shown. Null: none. */
  password?: string | null | undefined;
  /** When it begins to redirect; before, it answers 404. Null: at once. */
  startsAt?: string | null | undefined;
  /** One line that names it, 1 to 200 characters. Null: it has no title. */
  title?: string | null | undefined;
  /** UTM parameters to write into the destination, the new one if there is one. Absent: those that it has stay. Null takes all of them away from the destination of a link that exists. */
  utm?: UtmInput | null | undefined;
};

/** Rules to rehearse. */
export type RehearseRulesInput = {
  /** Visits of so many last UTC days are led anew, today's with them, from 1 to 30. */
  days?: number;
  /** The proposed rules, in their order; empty: what would happen without rules. */
  rules: Array<LinkRuleInput>;
};

/** A list of a report's page: the most frequent values of a dimension. */
export type ReportPanel =
  /** `TopStats.browsers`. */
  | 'BROWSERS'
  /** `TopStats.channels`. */
  | 'CHANNELS'
  /** `TopStats.cities`. */
  | 'CITIES'
  /** `TopStats.countries`. */
  | 'COUNTRIES'
  /** `TopStats.devices`. */
  | 'DEVICES'
  /** `TopStats.languages`. */
  | 'LANGUAGES'
  /** The links, with short URL and title. A report on one link has none. */
  | 'LINKS'
  /** `TopStats.operatingSystems`. */
  | 'OPERATING_SYSTEMS'
  /** `TopStats.referrers`. */
  | 'REFERRERS'
  /** `TopStats.regions`. */
  | 'REGIONS'
  /** `TopStats.sources`. */
  | 'SOURCES'
  /** `TopStats.triggers`. */
  | 'TRIGGERS'
  /** `TopStats.utmCampaigns`. */
  | 'UTM_CAMPAIGNS'
  /** `TopStats.utmMediums`. */
  | 'UTM_MEDIUMS'
  /** `TopStats.utmSources`. */
  | 'UTM_SOURCES';

/** A time that ends now, or that is some times its length before. */
export type ReportPeriod =
  /** From the day on that the link, or else the account, was created. It has no time before. */
  | 'ALL_TIME'
  /** Today and the 6 days before. */
  | 'LAST_7_DAYS'
  /** The month that is not over, and the 11 before. */
  | 'LAST_12_MONTHS'
  /** The hour that is not over, and the 23 before. */
  | 'LAST_24_HOURS'
  /** Today and the 29 days before. */
  | 'LAST_30_DAYS'
  /** Today and the 89 days before. */
  | 'LAST_90_DAYS'
  /** The month that is not over. */
  | 'THIS_MONTH'
  /** The quarter that is not over. */
  | 'THIS_QUARTER'
  /** The year that is not over. */
  | 'THIS_YEAR'
  /** The day that is not over. */
  | 'TODAY';

/** What setting a new password needs. */
export type ResetPasswordInput = {
  /** The new password, of 8 to 200 characters. All user tokens made before are refused from then on. */
  password: string;
  /**
   * Whether all API keys of the account are revoked as well: for when somebody else knew the password. Of a member who may not manage
   * members only the own ones are. Absent or null: no.
   */
  revokeApiKeys?: boolean | null | undefined;
  /** The token from the mail; it works once, for 30 minutes. */
  token: string;
};

/** What a member of an account may do. Over REST and in the database a role is written like `ADMIN`. */
export type Role =
  /** Everything but making owners, and removing them. */
  | 'ADMIN'
  /** Reads and changes what is paid. */
  | 'BILLING'
  /** Creates and changes links, and reads reports, domains and webhooks; has API keys for these. */
  | 'MEMBER'
  /** Everything, and makes other owners. An account has one at least. */
  | 'OWNER'
  /** Reads links, reports and domains. */
  | 'VIEWER';

/** A condition of a rule. */
export type RuleConditionInput = {
  /** Name of the query parameter, or time zone, of the kinds that have one. */
  key?: string | null | undefined;
  /** What it asks about. */
  kind: RuleKind;
  /** Whether it holds where it otherwise would not. */
  negated?: boolean;
  /** Alternatives: one of them has to be true. What they look like depends on the kind. */
  values?: Array<string>;
};

/** What a condition asks about a visit. Text behind the kinds says what values have to look like. */
export type RuleKind =
  /** The network of the visitor's address, such as `192.0.2.0/24` or `2001:db8::1`. */
  | 'ADDRESS'
  /** The browser, or the app that shows the page in itself, as clicks name it, such as `Instagram`. Case does not matter. */
  | 'BROWSER'
  /**
   * The city by its English name, such as `Springfield`, or with its country, such as `US:Springfield`, where the service has a file
   * that tells it. Case does not matter.
   */
  | 'CITY'
  /** The country, ISO 3166-1 alpha-2, such as `DE`. */
  | 'COUNTRY'
  /** The device: `MOBILE`, `TABLET`, `DESKTOP`. Browsers on iPads pretend to be on a Mac, so that most iPads are `DESKTOP`. */
  | 'DEVICE'
  /** A bot visits. Without values. */
  | 'IS_BOT'
  /**
   * The language that the visitor prefers among all that the link's rules name, such as `fr` or `pt-BR` (RFC 4647, look-up): `fr` is
   * true for `fr-CH`, too.
   */
  | 'LANGUAGE'
  /** The operating system, as clicks name it, such as `iOS`. Case does not matter. */
  | 'OS'
  /**
   * A parameter of the short URL's query, whose name is `key`. Without values: it is there. `=text`: it has this value. `~text`: its
   * value contains this.
   */
  | 'QUERY'
  /**
   * The host of the page that the visit comes from, such as `example.com`, which those below it are, too; `none`: the visit does not
   * say.
   */
  | 'REFERRER'
  /** The region, ISO 3166-2, such as `DE-BY`, where the service has a file that tells it. */
  | 'REGION'
  /**
   * A time from a moment until before another in the time zone `key`, such as `2026-12-01T00:00/2026-12-24T00:00`; `..` stands for
   * an open end.
   */
  | 'TIME_WINDOW'
  /** Hours of the week in the time zone `key`, such as `MON-FRI 09:00-17:30` or `FRI 22:00-02:00`. */
  | 'WEEKLY_HOURS';

/** Results of a rule for a visit. */
export type RuleResult =
  /** A condition does not hold. */
  | 'FAILED'
  /** All of its conditions hold: it decides. */
  | 'MATCHED'
  /** An earlier rule decides. */
  | 'NOT_REACHED';

/** Why a rule does not do what it seems to. */
export type RuleWarningReason =
  /** Browsers on iPads pretend to be on a Mac. */
  | 'IPADS_ARE_MACS'
  /** An earlier rule matches whenever this one would. */
  | 'NEVER_REACHED'
  /** The service has no data of regions and cities. */
  | 'NO_CITIES'
  /** The service has no data of countries. */
  | 'NO_COUNTRIES'
  /** A value is no name that visits are known by. */
  | 'UNKNOWN_NAME'
  /** Visits have the address of a proxy that the service does not trust. */
  | 'UNTRUSTED_PROXY'
  /** The time is over. */
  | 'WINDOW_OVER';

/** Apps that are to open the links of a host, in the place of all that it has. */
export type SetHostAppsInput = {
  /** Android apps. Absent: none. */
  androidApps?: Array<AndroidAppInput> | null | undefined;
  /**
   * The whole file `/.well-known/assetlinks.json`, for what `androidApps` can't say: JSON of at most 16 KiB, which is checked, and served
   * as it is. Absent or null: the file is made from `androidApps`.
   */
  androidFile?: string | null | undefined;
  /**
   * The whole file `/.well-known/apple-app-site-association`, for what `iosApps` can't say: JSON of at most 16 KiB, which is checked, and
   * served as it is. Absent or null: the file is made from `iosApps`.
   */
  appleFile?: string | null | undefined;
  /**
   * `updatedAt` of the apps as the caller read them. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: they are changed whoever changed them meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** Apps of Apple's systems. Absent: none. */
  iosApps?: Array<IosAppInput> | null | undefined;
};

/** Look and texts of a host's pages, in the place of all that it has. */
export type SetHostPagesInput = {
  /** Colour of buttons; letters on it are white or black. Absent or null: the service's. */
  accentColor?: string | null | undefined;
  /** Colour of the ground; letters on it are white or black. Absent or null: white or black, as the visitor's browser is set. */
  backgroundColor?: string | null | undefined;
  /**
   * `updatedAt` of the pages as the caller read them. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: they are changed whoever changed them meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** An uploaded image of the account, shown above the title at a height of at most 64 pixels. Absent or null: none. */
  logoImageId?: string | null | undefined;
  /** Texts by page and language, of at most 8 KiB together. Absent: none. */
  texts?: Array<HostPageTextInput> | null | undefined;
};

/** The rules that a link gets in the place of those that it has. */
export type SetLinkRulesInput = {
  /**
   * `updatedAt` of the link as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the rules are set whoever changed the link meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** In their order; an empty list takes all rules away. */
  rules: Array<LinkRuleInput>;
};

/** The split that a link gets in the place of the one that it has. */
export type SetLinkSplitInput = {
  /** From then on all of its visitors go to the link's own destination. Absent or null: it goes on until it is changed. */
  autoStopsAt?: string | null | undefined;
  /** As in `SetLinkRulesInput`. */
  expectedUpdatedAt?: string | null | undefined;
  /** 2 to 8 parts; an empty list takes the split away. */
  parts: Array<SplitPartInput>;
};

/** Whether a link can get a slug on a host. */
export type SlugState =
  /** A link can get it now. Nothing is reserved by the question: somebody else may be faster. */
  | 'FREE'
  /** The service itself answers at this path of its own host. */
  | 'RESERVED'
  /**
   * A link of this or another account has it. What a deleted account had on the service's own host stays taken for 90 days, and what
   * a blocked link has for as long as it is blocked.
   */
  | 'TAKEN';

/** A part of a split. */
export type SplitPartInput = {
  /**
   * Where its visitors are led; the rules are those of a link's `destinationUrl`. A URL to which the link has led before gets the
   * number that it had then, and its visitors with it.
   */
  destinationUrl: string;
  /** Its name for people. Absent or null: it has none. */
  label?: string | null | undefined;
  /** Its share of visitors, as a part of the sum of all weights; 0: none. */
  weight: number;
};

/** An import to begin of what another service's API answers. */
export type StartApiImportInput = {
  /**
   * Host that all links get: the service's own, or an account's domain or subdomain that links are served on, else NOT_FOUND.
   * Absent or null: each keeps the host that it had, if the account has it, and gets the service's own otherwise.
   */
  domain?: string | null | undefined;
  /** Whether to tell only what would become of each link, and to change nothing. Absent or null: false. */
  isDryRun?: boolean | null | undefined;
  /** Key of that API: an API key of Shlink, the signature token of YOURLS. It is never shown, and deleted when the import ends. */
  key: string;
  /**
   * Password for links that had one, 6 to 200 characters. It is never shown, and its hash is deleted when the import ends. Absent or null:
   * rows of such links fail, since the links would be open to all.
   */
  password?: string | null | undefined;
  /** The service. Possible values: `SHLINK`, `YOURLS`. */
  source: ImportSource;
  /** Where it serves its API: an http or https URL at a public address. */
  url: string;
};

/** An import of a file to begin. */
export type StartImportInput = {
  /**
   * What columns of the file are about. Columns that are not named are found out: of a known service as it calls them, of other
   * files by their names in several languages and by their values. Absent or null: all are found out.
   */
  columns?: Array<ImportColumnInput> | null | undefined;
  /** The whole file as text, if it is short. Absent or null: the file follows in parts. */
  data?: string | null | undefined;
  /**
   * The order of dates that are written with numbers alone, such as `3/4/2024`. A date that is no day in it fails with its row. Absent
   * or null: the only one in which all dates of the file are days; if there are several, rows with such dates fail, and
   * `hasUnsureDates` tells that. `2024-01-31` and `31.01.2024` need none.
   */
  dateFormat?: DateFormat | null | undefined;
  /**
   * Host that all links get: the service's own, or an account's domain or subdomain that links are served on, else NOT_FOUND.
   * Absent or null: each keeps the host that it had, if the account has it, and gets the service's own otherwise.
   */
  domain?: string | null | undefined;
  /**
   * The encoding that the file was in before its sender decoded it: a name of the Encoding Standard, such as `windows-1252`. It is
   * only shown again. Absent or null: unknown.
   */
  encoding?: string | null | undefined;
  /** Whether to tell only what would become of each row, and to change nothing. Absent or null: false. */
  isDryRun?: boolean | null | undefined;
  /**
   * Password for links that had one, 6 to 200 characters. It is never shown, and its hash is deleted when the import ends. Absent or null:
   * rows of such links fail, since the links would be open to all.
   */
  password?: string | null | undefined;
  /**
   * The service that the links are from. Absent or null: it is found out from the file's header, or from the first link of
   * its JSON, and is `TABLE` if they are those of no service.
   */
  source?: ImportSource | null | undefined;
};

/** Whether links are served on a subdomain. */
export type SubdomainStatus =
  /** Links are served. */
  | 'ACTIVE'
  /** It is the account's: no link is served. */
  | 'CLAIMED';

/** How a subscription stands with the payment provider. */
export type SubscriptionStatus =
  /** Paid. */
  | 'ACTIVE'
  /** Over. Seen in events alone: the account has no subscription then. */
  | 'CANCELED'
  /** A payment failed. The plan stays in force for 14 days; a payment restores it at any time. */
  | 'PAST_DUE'
  /** Not to be paid yet. */
  | 'TRIALING';

/** The account to work in. */
export type SwitchAccountInput = {
  /** The id of an account that the caller is a member of. */
  accountId: string;
};

/** How far a transfer is. Over REST and in the database a state is written like `OFFERED`. */
export type TransferState =
  /** All belongs to the other account. */
  | 'DONE'
  /** It is accepted, and its links become the other account's, one part after another. All of them redirect meanwhile. */
  | 'MOVING'
  /** It waits for the other account. */
  | 'OFFERED';

/** The token of a mail to the earlier e-mail address. */
export type UndoEmailChangeInput = {
  /** The token from the mail; it works once, for 7 days. */
  token: string;
};

/** Why a condition can't be told from clicks. */
export type UnknownReason =
  /** A click keeps the first language that the visitor prefers, and no others: those are taken for unknown. */
  | 'FIRST_LANGUAGE_ONLY'
  /** A click does not keep what the condition is about. */
  | 'NOT_KEPT';

/** What to change of the account. Fields that are absent stay as they are. */
export type UpdateAccountInput = {
  /**
   * `updatedAt` of the account as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the account is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** Display name of 1 to 100 characters. */
  name?: string | null | undefined;
};

/** The fields of an annotation that change; fields that are absent stay as they are. */
export type UpdateAnnotationInput = {
  /**
   * `updatedAt` of the annotation as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the annotation is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** When it happened. */
  occurredAt?: string | null | undefined;
  /** A line of 1 to 200 characters that says what happened. */
  text?: string | null | undefined;
};

/** What to change of a host's settings, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away. */
export type UpdateHostInput = {
  /**
   * Names of the tags that links get, beside their own, when they are created on this host: at most 20, each of 1 to 50 characters
   * without commas. They take the place of all that were there; an empty list takes them away. Links that are on the host already,
   * are moved there or are imported do not get them. The account gets a tag that it does not have with the first link.
   */
  defaultTags?: Array<string> | null | undefined;
  /**
   * `updatedAt` of the domain or subdomain as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the domain or subdomain is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** Where links lead after their end that have no `expiredUrl` of their own. The rules are those of `rootUrl`. Null: they answer 410. */
  expiredUrl?: string | null | undefined;
  /** Where `/favicon.ico` leads, the icon that browsers show. The rules are those of `rootUrl`. Null: there is none. */
  faviconUrl?: string | null | undefined;
  /** Whether links with a null `forwardsQuery` forward the query of a visit to their destination. The next visit of each follows. */
  forwardsQuery?: boolean | null | undefined;
  /**
   * Whether links are found by their slugs in any case of A–Z: `/SPRING` leads where `/Spring` does. Fails with CONFLICT, which names
   * slugs, while slugs of the host differ in case alone. Turned off, slugs are found as they are written again.
   */
  ignoresCase?: boolean | null | undefined;
  /**
   * Where an address leads at which there is no link, or one that is switched off or has not begun. The rules are those of
   * `rootUrl`. Null: it answers 404.
   */
  notFoundUrl?: string | null | undefined;
  /** The file `/robots.txt`, with rules for crawlers (RFC 9309), of at most 500 characters of ASCII. Null: crawlers may follow all links. */
  robotsText?: string | null | undefined;
  /**
   * Where `/` leads: an absolute http or https URL of at most 1,024 characters; the other rules are those of a link's
   * `destinationUrl`. It must not lead to one of the account's own domains either, proved or not. Null: as any address that leads nowhere.
   */
  rootUrl?: string | null | undefined;
  /**
   * Whom to tell of a vulnerability, in `/.well-known/security.txt` (RFC 9116): `mailto:` with an address, or an `https:` URL. Null: the
   * contact of the service's operator, if there is one.
   */
  securityContact?: string | null | undefined;
};

/** What to change of a link, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away. */
export type UpdateLinkInput = {
  /**
   * Apps that it opens on phones in place of its destination, and data for them; it replaces the `app` that the link has. Null: it opens
   * none.
   */
  app?: LinkAppInput | null | undefined;
  /** Whether a visitor gets a page with a button before being redirected. A new link has none unless this is true. */
  asksFirst?: boolean | null | undefined;
  /**
   * Card that messengers and social networks show when somebody posts the link, in place of its destination's page; it replaces the one
   * that the link has. Visitors do not see it. Null: none, and they show the destination's page.
   */
  card?: LinkCardInput | null | undefined;
  /** Where it redirects to from now on; the rules are those of a new link. */
  destinationUrl?: string | null | undefined;
  /**
   * Host to move to: the service's own, or an account's domain or subdomain that links are served on, else NOT_FOUND. The short
   * link on the old host answers 404 from now on. The link keeps its clicks and, unless `slug` is given, its slug, which must be
   * free on the new host.
   */
  domain?: string | null | undefined;
  /**
   * `updatedAt` of the link as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the link is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** Where it redirects to after its end; the rules are those of `destinationUrl`. Null: it answers 410 then. */
  expiredUrl?: string | null | undefined;
  /**
   * When it ceases to redirect; from then on it redirects to `expiredUrl`, or else answers 410. Must be later than
   * `startsAt`. Null: never.
   */
  expiresAt?: string | null | undefined;
  /** Its id in another system, 1 to 128 characters, unique in the account, else CONFLICT. Null: it has none, and another link may get this one. */
  externalId?: string | null | undefined;
  /**
   * Whether it forwards the query of a visit: its parameters are added to the destination, except those that the destination has, and
   * `qr`. Null: as its host's settings say; the service's own host forwards none.
   */
  forwardsQuery?: boolean | null | undefined;
  /** Whether it redirects. A new link does unless this is false. */
  isActive?: boolean | null | undefined;
  /** Whether lists leave it out. It redirects as before. */
  isArchived?: boolean | null | undefined;
  /**
   * How often it redirects at most, from 1 to 1,000,000. `HEAD` requests, pages that browsers fetch ahead and known bots use none
   * of them. With 1, a visitor gets a page with a button that opens the link. Redirects that another limit of the link has counted count for
   * this one too. Null: there is no limit, and one that is set later begins with no clicks used.
   */
  maxClicks?: number | null | undefined;
  /** Text for people, 1 to 1,000 characters. Visitors do not see it. Null: it has no notes. */
  notes?: string | null | undefined;
  /** Text that a visitor confirms by a button before being redirected, 1 to 500 characters, such as an age limit. Null: none. */
  notice?: string | null | undefined;
  /** Password that a visitor has to enter before being redirected, 6 to 200 characters. It is stored as a hash, and never shown. Null: none. */
  password?: string | null | undefined;
  /**
   * New path of the short link; the old one answers 404 from now on. The rules are those of `CreateLinkInput`, but the
   * slug that the link has is never refused.
   */
  slug?: string | null | undefined;
  /** When it begins to redirect; before, it answers 404. Null: at once. */
  startsAt?: string | null | undefined;
  /**
   * Names of its tags, at most 20, each of 1 to 50 characters without commas; case does not matter. The account gets the tags that it
   * does not have. They take the place of all tags that it has; an empty list takes them away.
   */
  tags?: Array<string> | null | undefined;
  /** One line that names it, 1 to 200 characters. Null: it has no title. */
  title?: string | null | undefined;
  /** UTM parameters to write into the destination, the new one if there is one. Absent: those that it has stay. Null takes all of them away from the destination of a link that exists. */
  utm?: UtmInput | null | undefined;
};

/** Links to change, and what to change of each. */
export type UpdateLinksInput = {
  /** What to change of each of them. */
  change: ChangeLinksInput;
  /** Ids of the links, from 1 to 100. */
  ids: Array<string>;
};

/** What to change of the user who calls. Fields that are absent stay as they are. */
export type UpdateMeInput = {
  /**
   * The password in force. Needed to change the e-mail address or the password; else ignored, as of a user without a password, who
   * needs a fresh proof instead.
   */
  currentPassword?: string | null | undefined;
  /**
   * New e-mail address; needs `currentPassword`. It waits as `pendingEmail` until `verifyEmail` has the token that is mailed to it; the
   * one in force drops an address that waits.
   */
  email?: string | null | undefined;
  /**
   * `updatedAt` of the user as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the user is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** New display name of 1 to 100 characters. */
  name?: string | null | undefined;
  /**
   * New password, of 8 to 200 characters; needs `currentPassword`. All user tokens made before are refused from then on; the
   * answer has a fresh one.
   */
  password?: string | null | undefined;
  /**
   * Whether a new password revokes all API keys of the account as well, or the own ones of a member who may not manage members. Without
   * a new password it is ignored.
   */
  revokeApiKeys?: boolean | null | undefined;
};

/** What to change of a member. Fields that are absent stay as they are. */
export type UpdateMemberInput = {
  /**
   * `updatedAt` of the member as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the member is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** The role from now on. */
  role?: Role | null | undefined;
};

/** Changes of a publishable key, as JSON merge patch (RFC 7396): fields that are absent stay as they are. */
export type UpdatePublishableKeyInput = {
  /**
   * `updatedAt` of the key as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the key is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** All hosts whose links it opens from now on; the rules are those of a new key. */
  hosts?: Array<string> | null | undefined;
  /** Its name from now on; the rules are those of a new key. */
  name?: string | null | undefined;
};

/** The fields of a report that change; fields that are absent stay as they are. */
export type UpdateReportInput = {
  /** How many times its length the period is before the one that ends now. Absent, with a period: 0. */
  back?: number | null | undefined;
  /** Origins whose pages may show its page in a frame. Empty, or absent in a new report: none. */
  embedOrigins?: Array<string> | null | undefined;
  /**
   * `updatedAt` of the report as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the report is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** When its page ceases to be there. Null: no end. */
  expiresAt?: string | null | undefined;
  /** Only clicks of which all these conditions hold are counted. Empty, or absent in a new report: all are. */
  filter?: Array<ClickCondition> | null | undefined;
  /** Start of the time whose clicks are counted, instead of a period. Not without `to`, and earlier. */
  from?: string | null | undefined;
  /** Whether clicks of bots count. Absent in a new report: they don't. */
  includeBots?: boolean | null | undefined;
  /**
   * Whether it has a page. False ends the page at once, and a report that is shared again has another URL. Absent in a new report: it
   * has one.
   */
  isShared?: boolean | null | undefined;
  /** Its name from now on. */
  name?: string | null | undefined;
  /** The lists on its page, in this order. Absent in a new report: `COUNTRIES`, `SOURCES`, `DEVICES`. */
  panels?: Array<ReportPanel> | null | undefined;
  /** Password that its page asks for, 6 to 200 characters. It is stored as a hash, and never shown. Null: none. */
  password?: string | null | undefined;
  /** The period whose clicks are counted; it takes the place of `from` and `to`. Absent in a new report without these: `LAST_30_DAYS`. */
  period?: ReportPeriod | null | undefined;
  /** Whether its page says where links lead. Absent in a new report: it doesn't. */
  showsDestinations?: boolean | null | undefined;
  /** By whose calendar and clocks days begin. Absent in a new report: `UTC`. */
  timeZone?: string | null | undefined;
  /** End of that time. Not without `from`. */
  to?: string | null | undefined;
};

/** What to change of a tag. Fields that are absent stay as they are. */
export type UpdateTagInput = {
  /**
   * `updatedAt` of the tag as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the tag is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** Its name from now on; the rules are those of a new tag. */
  name?: string | null | undefined;
};

/**
 * What to change of a UTM template, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a parameter away,
 * but for the last one.
 */
export type UpdateUtmTemplateInput = {
  /** `utm_campaign`: of which campaign. */
  campaign?: string | null | undefined;
  /** `utm_content`: by which of several links or texts. */
  content?: string | null | undefined;
  /**
   * `updatedAt` of the template as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the template is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** `utm_medium`: by what means. */
  medium?: string | null | undefined;
  /** Its name from now on; the rules are those of a new template. */
  name?: string | null | undefined;
  /** `utm_source`: where visitors come from. */
  source?: string | null | undefined;
  /** `utm_term`: by which search term. */
  term?: string | null | undefined;
};

/** What to change of a webhook, as JSON merge patch (RFC 7396): fields that are absent stay as they are, and null takes a value away. */
export type UpdateWebhookInput = {
  /** Whether events are sent in batches from now on, as `Webhook.batch` says. */
  batch?: boolean | null | undefined;
  /** Names of the events to send from now on. Possible values: `link.created`, `link.updated`, `link.expired`, `link.used_up`, `link.deleted`, `link.clicked`, `import.finished`, `domain.created`, `domain.activated`, `domain.failing`, `domain.updated`, `domain.deleted`, `subdomain.claimed`, `subdomain.activated`, `subdomain.updated`, `subdomain.released`, `api_key.created`, `api_key.revoked`, `subscription.updated`, `invoice.paid`, `webhook.disabled`, `webhook.test`. */
  events?: Array<string> | null | undefined;
  /** Whether clicks of bots are left out of `link.clicked` from now on. */
  excludeBots?: boolean | null | undefined;
  /**
   * `updatedAt` of the webhook as the caller read it. Where it is another one by now, nothing is changed, and the request fails with
   * PRECONDITION_FAILED. Absent: the webhook is changed whoever changed it meanwhile.
   */
  expectedUpdatedAt?: string | null | undefined;
  /** Whether events are sent. True also takes back that the service disabled it, and deliveries that wait go on. */
  isActive?: boolean | null | undefined;
  /**
   * Ids of the links that it is for from now on, those that it has and links of the account: of the events about links only
   * those about these are sent. Null: all links.
   */
  linkIds?: Array<string> | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
  /** Where events are sent from now on, those that wait included. */
  url?: string | null | undefined;
};

/**
 * UTM parameters to write into a destination, each of 1 to 200 characters. One that is absent stays in the destination as it is; null takes
 * it away.
 */
export type UtmInput = {
  /** `utm_campaign`: of which campaign. */
  campaign?: string | null | undefined;
  /** `utm_content`: by which of several links or texts. */
  content?: string | null | undefined;
  /** `utm_medium`: by what means. */
  medium?: string | null | undefined;
  /** `utm_source`: where visitors come from. */
  source?: string | null | undefined;
  /** `utm_term`: by which search term. */
  term?: string | null | undefined;
};

/** The token of a mail that proves an e-mail address. */
export type VerifyEmailInput = {
  /** The token from the mail; it works once, for 24 hours. */
  token: string;
};

/** Kind of the answer to a visitor. */
export type VisitAnswer =
  /** The link's `app`: a redirect to it, or a page that opens it, offers its store, and leads to `finalUrl`. */
  | 'APP'
  /** The link's `card`, as messengers do. */
  | 'CARD'
  /** Neither: `state` says why. */
  | 'NONE'
  /**
   * A page that asks for the password, to continue, or to confirm a notice, or because the link can be followed once; whoever
   * answers it is redirected to `finalUrl`.
   */
  | 'QUESTION'
  /** A redirect to `finalUrl`. */
  | 'REDIRECT';

/** Outcomes of a visit after a change of its link. */
export type VisitOutcome =
  /** The link's `app`, as phones do. */
  | 'APP'
  /** The link's `card`, as messengers do. */
  | 'CARD'
  /** `expiredUrl`, its host's URL for that, or 410: the link has ended, is used up, or is blocked by the operator. */
  | 'ENDED'
  /** 404, or its host's URL for that: the link is switched off, or has not begun. */
  | 'NOT_FOUND'
  /** A redirect to the link's own destination, which the change replaces. */
  | 'OTHER_DESTINATION'
  /** A page that asks for the password, to continue, or to confirm a notice, or because the link can be followed once. */
  | 'QUESTION'
  /** A redirect to the same destination as then; the link's own is compared as it is now. */
  | 'SAME_DESTINATION';

/** Why the service disabled a webhook. */
export type WebhookDisabledReason =
  /** Nothing but failures for 5 days, and at least 20 of them. */
  | 'FAILING'
  /** Its receiver answered 410 Gone. */
  | 'GONE';

export type RegisterMutationVariables = Exact<{
  input: RegisterInput;
}>;


export type RegisterMutation = { register: { user: { id: string } } };

export type ForgotPasswordMutationVariables = Exact<{
  input: ForgotPasswordInput;
}>;


export type ForgotPasswordMutation = { forgotPassword: { message: string } };

export type ProofQueryVariables = Exact<{ [key: string]: never; }>;


export type ProofQuery = { security: { totpSince: string | null, hasPassword: boolean }, identities: { identities: Array<{ id: string }> }, passkeys: { passkeys: Array<{ id: string }> }, instance: { needsSetup: boolean, registration: Registration, hasPasswordLogin: boolean, hasPasskeys: boolean, companySignIn: string | null } };

export type StartPasskeyProofMutationVariables = Exact<{ [key: string]: never; }>;


export type StartPasskeyProofMutation = { startPasskeyProof: { challenge: string, options: string } };

export type ConfirmAccessMutationVariables = Exact<{
  input: ConfirmAccessInput;
}>;


export type ConfirmAccessMutation = { confirmAccess: { accessToken: string, expiresIn: number, user: { id: string, email: string, name: string, createdAt: string, emailVerifiedAt: string | null, pendingEmail: string | null } } };

export type ResetPasswordMutationVariables = Exact<{
  input: ResetPasswordInput;
}>;


export type ResetPasswordMutation = { resetPassword: { message: string } };

export type SetupInstanceQueryVariables = Exact<{ [key: string]: never; }>;


export type SetupInstanceQuery = { instance: { baseUrl: string, isMailConfigured: boolean, version: string, needsSetup: boolean, registration: Registration, hasPasswordLogin: boolean, hasPasskeys: boolean, companySignIn: string | null } };

export type UndoEmailChangeMutationVariables = Exact<{
  input: UndoEmailChangeInput;
}>;


export type UndoEmailChangeMutation = { undoEmailChange: { message: string } };

export type SendVerificationMutationVariables = Exact<{ [key: string]: never; }>;


export type SendVerificationMutation = { sendVerification: { message: string } };

export type VerifyEmailMutationVariables = Exact<{
  input: VerifyEmailInput;
}>;


export type VerifyEmailMutation = { verifyEmail: { message: string } };

export type WaysInFragment = { needsSetup: boolean, registration: Registration, hasPasswordLogin: boolean, hasPasskeys: boolean, companySignIn: string | null };

export type SignInInstanceQueryVariables = Exact<{ [key: string]: never; }>;


export type SignInInstanceQuery = { instance: { needsSetup: boolean, registration: Registration, hasPasswordLogin: boolean, hasPasskeys: boolean, companySignIn: string | null } };

export type BreakdownPlacesFragment = { regions: { values: Array<{ clicks: number }> }, cities: { values: Array<{ clicks: number }> } };

export type BreakdownQueryVariables = Exact<{
  id: string;
  isOfAll: boolean;
  isOfLink: boolean;
  linkId?: string | null | undefined;
  dimension: ClickDimension;
  from: string;
  to?: string | null | undefined;
  timeZone: string;
  includeBots: boolean;
  filter?: Array<ClickCondition> | ClickCondition | null | undefined;
  found?: Array<ClickCondition> | ClickCondition | null | undefined;
  search?: string | null | undefined;
  page: number;
  pageSize: number;
  yearFrom: string;
  yearTo: string;
  withYear: boolean;
  withPrevious: boolean;
}>;


export type BreakdownQuery = { clickBreakdown: { isExact: boolean, total: number, page: number, pageSize: number, totalPages: number, data: Array<{ value: string | null, clicks: number, uniques: number, bots: number }> }, ofAll?: { totals: { clicks: number, uniques: number, bots: number }, previous?: { clicks: number, uniques: number, bots: number }, top: { regions: { values: Array<{ clicks: number }> }, cities: { values: Array<{ clicks: number }> } } }, ofLink?: { totals: { clicks: number, uniques: number, bots: number }, previous?: { clicks: number, uniques: number, bots: number }, top: { regions: { values: Array<{ clicks: number }> }, cities: { values: Array<{ clicks: number }> } } }, yearOfAll?: { totals: { clicks: number, uniques: number, bots: number } }, yearOfLink?: { totals: { clicks: number, uniques: number, bots: number } }, me: { id: string, account: { id: string, createdAt: string } }, link?: { id: string, shortUrl: string, destinationUrl: string, createdAt: string }, linkRules?: { id: string, destinations: Array<{ number: number, url: string, label: string | null }> } };

export type BreakdownLinksQueryVariables = Exact<{
  from: string;
  to?: string | null | undefined;
  includeBots: boolean;
  filter?: Array<ClickCondition> | ClickCondition | null | undefined;
  limit: number;
}>;


export type BreakdownLinksQuery = { accountClickSummary: { links: Array<{ linkId: string, link: { id: string, slug: string, shortUrl: string, title: string | null } | null }> } };

export type SummaryTotalsFragment = { clicks: number, uniques: number, bots: number };

export type SummaryTopsFragment = { countries: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, regions: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, cities: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, languages: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, sources: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, channels: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, referrers: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmSources: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmMediums: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmCampaigns: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, devices: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, browsers: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, operatingSystems: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> } };

export type SummaryTopFragment = { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> };

export type CountryDataQueryVariables = Exact<{ [key: string]: never; }>;


export type CountryDataQuery = { instance: { countryData: { name: string, builtAt: string | null, isBuiltIn: boolean } } };

export type ClicksByHourQueryVariables = Exact<{
  id: string;
  isOfAll: boolean;
  isOfLink: boolean;
  from: string;
  to?: string | null | undefined;
  timeZone: string;
  includeBots: boolean;
  filter?: Array<ClickCondition> | ClickCondition | null | undefined;
}>;


export type ClicksByHourQuery = { ofAll?: { from: string, series: Array<{ start: string, clicks: number }> }, ofLink?: { from: string, series: Array<{ start: string, clicks: number }> } };

export type ConditionLinkQueryVariables = Exact<{
  id: string;
}>;


export type ConditionLinkQuery = { link: { id: string, slug: string, shortUrl: string, title: string | null } };

export type NotesFragment = { total: number, data: Array<{ id: string, occurredAt: string, text: string, updatedAt: string }> };

export type NoteFragment = { id: string, occurredAt: string, text: string, updatedAt: string };

export type CreateAnnotationMutationVariables = Exact<{
  input: CreateAnnotationInput;
}>;


export type CreateAnnotationMutation = { createAnnotation: { id: string } };

export type UpdateAnnotationMutationVariables = Exact<{
  id: string;
  input: UpdateAnnotationInput;
}>;


export type UpdateAnnotationMutation = { updateAnnotation: { id: string } };

export type DeleteAnnotationMutationVariables = Exact<{
  id: string;
}>;


export type DeleteAnnotationMutation = { deleteAnnotation: string };

export type ClicksByCountryQueryVariables = Exact<{
  id: string;
  isOfAll: boolean;
  isOfLink: boolean;
  from: string;
  to?: string | null | undefined;
  timeZone: string;
  includeBots: boolean;
  filter?: Array<ClickCondition> | ClickCondition | null | undefined;
}>;


export type ClicksByCountryQuery = { ofAll?: { totals: { clicks: number }, top: { countries: { values: Array<{ value: string, clicks: number }> } } }, ofLink?: { totals: { clicks: number }, top: { countries: { values: Array<{ value: string, clicks: number }> } } } };

export type HostAppsQueryVariables = Exact<{
  host: string;
}>;


export type HostAppsQuery = { hostApps: { host: string, appleFile: string | null, androidFile: string | null, updatedAt: string | null, iosApps: Array<{ appId: string, paths: Array<string> }>, androidApps: Array<{ packageName: string, fingerprints: Array<string> }> } };

export type SetHostAppsMutationVariables = Exact<{
  host: string;
  input: SetHostAppsInput;
}>;


export type SetHostAppsMutation = { setHostApps: { updatedAt: string | null } };

export type CreatePublishableKeyMutationVariables = Exact<{
  input: CreatePublishableKeyInput;
}>;


export type CreatePublishableKeyMutation = { createPublishableKey: { id: string } };

export type UpdatePublishableKeyMutationVariables = Exact<{
  id: string;
  input: UpdatePublishableKeyInput;
}>;


export type UpdatePublishableKeyMutation = { updatePublishableKey: { id: string } };

export type DeletePublishableKeyMutationVariables = Exact<{
  id: string;
}>;


export type DeletePublishableKeyMutation = { deletePublishableKey: string };

export type LinkAppPageQueryVariables = Exact<{
  id: string;
}>;


export type LinkAppPageQuery = { link: { id: string, shortUrl: string, updatedAt: string, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

export type LinkAppsFragment = { app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null };

export type SetLinkAppMutationVariables = Exact<{
  id: string;
  input: UpdateLinkInput;
}>;


export type SetLinkAppMutation = { updateLink: { id: string, updatedAt: string, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

export type AppsPageQueryVariables = Exact<{ [key: string]: never; }>;


export type AppsPageQuery = { publishableKeys: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, name: string, key: string, hosts: Array<string>, updatedAt: string }> }, instance: { baseUrl: string, subdomainHost: string }, domains: { data: Array<{ id: string, domain: string, status: DomainStatus }> }, subdomain: { id: string, host: string, status: SubdomainStatus } | null };

export type BillingQueryVariables = Exact<{ [key: string]: never; }>;


export type BillingQuery = { me: { id: string, account: { id: string, plan: string } }, plans: { plans: Array<{ id: string, name: string, currency: string, monthlyPrice: number | null, yearlyPrice: number | null, intervals: Array<string>, limits: { links: number | null, domains: number | null, webhooks: number | null, apiKeys: number | null, requestsPerMinute: number | null, retentionDays: number | null } }> }, usage: { periodStart: string, periodEnd: string, links: { used: number, limit: number | null }, clicks: { used: number }, domains: { used: number, limit: number | null }, webhooks: { used: number, limit: number | null }, apiKeys: { used: number, limit: number | null }, apiCalls: { used: number } }, subscription: { id: string, planId: string, status: SubscriptionStatus, interval: string, currentPeriodEnd: string, cancelAtPeriodEnd: boolean, gracePeriodEnd: string | null, createdAt: string } | null, invoices: { invoices: Array<{ id: string, number: string | null, status: string, currency: string, amountDue: number, createdAt: string, hostedUrl: string | null, pdfUrl: string | null }> } };

export type InvoiceRowFragment = { id: string, number: string | null, status: string, currency: string, amountDue: number, createdAt: string, hostedUrl: string | null, pdfUrl: string | null };

export type PlanCardFragment = { id: string, name: string, currency: string, monthlyPrice: number | null, yearlyPrice: number | null, intervals: Array<string>, limits: { links: number | null, domains: number | null, webhooks: number | null, apiKeys: number | null, requestsPerMinute: number | null, retentionDays: number | null } };

export type CreateCheckoutMutationVariables = Exact<{
  input: CreateCheckoutInput;
}>;


export type CreateCheckoutMutation = { createCheckout: { checkoutUrl: string } };

export type CreateBillingPortalMutationVariables = Exact<{ [key: string]: never; }>;


export type CreateBillingPortalMutation = { createBillingPortal: { portalUrl: string } };

export type SubscriptionStateFragment = { id: string, planId: string, status: SubscriptionStatus, interval: string, currentPeriodEnd: string, cancelAtPeriodEnd: boolean, gracePeriodEnd: string | null, createdAt: string };

export type UsageBarsFragment = { periodStart: string, periodEnd: string, links: { used: number, limit: number | null }, clicks: { used: number }, domains: { used: number, limit: number | null }, webhooks: { used: number, limit: number | null }, apiKeys: { used: number, limit: number | null }, apiCalls: { used: number } };

export type CardTextsFragment = { card: { title: string, description: string | null, imageUrl: string | null } | null };

export type CardPageQueryVariables = Exact<{
  id: string;
}>;


export type CardPageQuery = { link: { id: string, domain: string, shortUrl: string, destinationUrl: string, updatedAt: string, card: { title: string, description: string | null, imageUrl: string | null } | null } };

export type PageMetadataQueryVariables = Exact<{
  url: string;
}>;


export type PageMetadataQuery = { fetchMetadata: { title: string | null, description: string | null, imageUrl: string | null } };

export type SetCardMutationVariables = Exact<{
  id: string;
  input: UpdateLinkInput;
}>;


export type SetCardMutation = { updateLink: { id: string, updatedAt: string, card: { title: string, description: string | null, imageUrl: string | null } | null } };

export type DeliveryLineFragment = { id: string, messageId: string, event: string, batchSize: number | null, status: DeliveryStatus, attemptCount: number, nextAttemptAt: string | null, createdAt: string, completedAt: string | null, attempts: Array<{ attemptedAt: string, statusCode: number | null, durationMs: number, responseStart: string | null, error: string | null }> };

export type RedeliverMutationVariables = Exact<{
  webhookId: string;
  deliveryId: string;
}>;


export type RedeliverMutation = { redeliver: { id: string } };

export type CreateApiKeyMutationVariables = Exact<{
  input: CreateApiKeyInput;
}>;


export type CreateApiKeyMutation = { createApiKey: { key: string, apiKey: { id: string, scopes: Array<string> } } };

export type ApiKeysQueryVariables = Exact<{
  page: number;
  pageSize: number;
}>;


export type ApiKeysQuery = { apiKeys: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, name: string, prefix: string, scopes: Array<string>, allowedNetworks: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null }> }, usage: { apiKeys: { used: number, limit: number | null } } };

export type RevokeApiKeyMutationVariables = Exact<{
  id: string;
}>;


export type RevokeApiKeyMutation = { revokeApiKey: string };

export type LinksToPickQueryVariables = Exact<{
  search: string;
}>;


export type LinksToPickQuery = { links: { data: Array<{ id: string, shortUrl: string }> } };

export type LinkNameQueryVariables = Exact<{
  id: string;
}>;


export type LinkNameQuery = { link: { id: string, shortUrl: string } };

type SentEvent_ApiKeyCreatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, name: string, prefix: string, isPersonal: boolean, scopes: Array<string>, allowedNetworks: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } };

type SentEvent_ApiKeyRevokedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, name: string, prefix: string, isPersonal: boolean, scopes: Array<string>, allowedNetworks: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } };

type SentEvent_DomainActivatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_DomainCreatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_DomainDeletedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_DomainFailingEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_DomainUpdatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_ImportFinishedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, source: ImportSource | null, encoding: string | null, hasHeader: boolean | null, dateFormat: DateFormat | null, hasUnsureDates: boolean, isDryRun: boolean, total: number | null, done: number, created: number, skipped: number, failed: number, resultRows: number, error: string | null, createdAt: string, finishedAt: string | null, domain_Import: string | null, state_Import: ImportState, columns: Array<{ name: string, field: ImportField }> | null } };

type SentEvent_InvoicePaidEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, number: string | null, currency: string, amountDue: number, amountPaid: number, createdAt: string, hostedUrl: string | null, pdfUrl: string | null, status_Invoice: string } };

type SentEvent_LinkClickedEventPayload_Fragment = { type: string, timestamp: string, data: { click: { id: string, clickedAt: string, browser: string | null, os: string | null, device: string | null, isBot: boolean, referrerHost: string | null, country: string | null, language: string | null, utmSource: string | null, utmMedium: string | null, utmCampaign: string | null, utmTerm: string | null, utmContent: string | null, trigger: ClickTrigger, destination: number, rule: number | null, source: string | null, channel: ClickChannel, linkId: string }, link: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } } };

type SentEvent_LinkCreatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

type SentEvent_LinkDeletedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

type SentEvent_LinkExpiredEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

type SentEvent_LinkUpdatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

type SentEvent_LinkUsedUpEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

type SentEvent_SubdomainActivatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_SubdomainClaimedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_SubdomainReleasedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_SubdomainUpdatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

type SentEvent_SubscriptionUpdatedEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, planId: string, interval: string, currentPeriodStart: string, currentPeriodEnd: string, cancelAtPeriodEnd: boolean, gracePeriodEnd: string | null, createdAt: string, status_Subscription: SubscriptionStatus } };

type SentEvent_WebhookDisabledEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } };

type SentEvent_WebhookTestEventPayload_Fragment = { type: string, timestamp: string, data: { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } };

export type SentEventFragment =
  | SentEvent_ApiKeyCreatedEventPayload_Fragment
  | SentEvent_ApiKeyRevokedEventPayload_Fragment
  | SentEvent_DomainActivatedEventPayload_Fragment
  | SentEvent_DomainCreatedEventPayload_Fragment
  | SentEvent_DomainDeletedEventPayload_Fragment
  | SentEvent_DomainFailingEventPayload_Fragment
  | SentEvent_DomainUpdatedEventPayload_Fragment
  | SentEvent_ImportFinishedEventPayload_Fragment
  | SentEvent_InvoicePaidEventPayload_Fragment
  | SentEvent_LinkClickedEventPayload_Fragment
  | SentEvent_LinkCreatedEventPayload_Fragment
  | SentEvent_LinkDeletedEventPayload_Fragment
  | SentEvent_LinkExpiredEventPayload_Fragment
  | SentEvent_LinkUpdatedEventPayload_Fragment
  | SentEvent_LinkUsedUpEventPayload_Fragment
  | SentEvent_SubdomainActivatedEventPayload_Fragment
  | SentEvent_SubdomainClaimedEventPayload_Fragment
  | SentEvent_SubdomainReleasedEventPayload_Fragment
  | SentEvent_SubdomainUpdatedEventPayload_Fragment
  | SentEvent_SubscriptionUpdatedEventPayload_Fragment
  | SentEvent_WebhookDisabledEventPayload_Fragment
  | SentEvent_WebhookTestEventPayload_Fragment
;

export type SentLinkFragment = { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null };

export type SentLinkClickPayloadFragment = { click: { id: string, clickedAt: string, browser: string | null, os: string | null, device: string | null, isBot: boolean, referrerHost: string | null, country: string | null, language: string | null, utmSource: string | null, utmMedium: string | null, utmCampaign: string | null, utmTerm: string | null, utmContent: string | null, trigger: ClickTrigger, destination: number, rule: number | null, source: string | null, channel: ClickChannel, linkId: string }, link: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } };

export type SentImportFragment = { id: string, source: ImportSource | null, encoding: string | null, hasHeader: boolean | null, dateFormat: DateFormat | null, hasUnsureDates: boolean, isDryRun: boolean, total: number | null, done: number, created: number, skipped: number, failed: number, resultRows: number, error: string | null, createdAt: string, finishedAt: string | null, domain_Import: string | null, state_Import: ImportState, columns: Array<{ name: string, field: ImportField }> | null };

export type SentCustomDomainFragment = { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } };

export type SentSubdomainClaimFragment = { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } };

export type SentApiKeyFragment = { id: string, name: string, prefix: string, isPersonal: boolean, scopes: Array<string>, allowedNetworks: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null };

export type SentSubscriptionFragment = { id: string, planId: string, interval: string, currentPeriodStart: string, currentPeriodEnd: string, cancelAtPeriodEnd: boolean, gracePeriodEnd: string | null, createdAt: string, status_Subscription: SubscriptionStatus };

export type SentInvoiceFragment = { id: string, number: string | null, currency: string, amountDue: number, amountPaid: number, createdAt: string, hostedUrl: string | null, pdfUrl: string | null, status_Invoice: string };

export type SentWebhookFragment = { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null };

export type DeliveryPayloadQueryVariables = Exact<{
  webhookId: string;
  page: number;
  status?: DeliveryStatus | null | undefined;
}>;


export type DeliveryPayloadQuery = { webhookDeliveries: { total: number, deliveries: Array<{ id: string, batchSize: number | null, payloads: { data: Array<
          | { type: string, timestamp: string, data: { id: string, name: string, prefix: string, isPersonal: boolean, scopes: Array<string>, allowedNetworks: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } }
          | { type: string, timestamp: string, data: { id: string, name: string, prefix: string, isPersonal: boolean, scopes: Array<string>, allowedNetworks: Array<string>, createdAt: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null } }
          | { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, verificationToken: string, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, domain_CustomDomain: string, status_CustomDomain: DomainStatus, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, source: ImportSource | null, encoding: string | null, hasHeader: boolean | null, dateFormat: DateFormat | null, hasUnsureDates: boolean, isDryRun: boolean, total: number | null, done: number, created: number, skipped: number, failed: number, resultRows: number, error: string | null, createdAt: string, finishedAt: string | null, domain_Import: string | null, state_Import: ImportState, columns: Array<{ name: string, field: ImportField }> | null } }
          | { type: string, timestamp: string, data: { id: string, number: string | null, currency: string, amountDue: number, amountPaid: number, createdAt: string, hostedUrl: string | null, pdfUrl: string | null, status_Invoice: string } }
          | { type: string, timestamp: string, data: { click: { id: string, clickedAt: string, browser: string | null, os: string | null, device: string | null, isBot: boolean, referrerHost: string | null, country: string | null, language: string | null, utmSource: string | null, utmMedium: string | null, utmCampaign: string | null, utmTerm: string | null, utmContent: string | null, trigger: ClickTrigger, destination: number, rule: number | null, source: string | null, channel: ClickChannel, linkId: string }, link: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } } }
          | { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } }
          | { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } }
          | { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } }
          | { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } }
          | { type: string, timestamp: string, data: { id: string, destinationUrl: string, slug: string, shortUrl: string, isActive: boolean, title: string | null, notes: string | null, tags: Array<string>, externalId: string | null, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, blockedAt: string | null, clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, updatedAt: string, domain_Link: string, state_Link: LinkState, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null, card: { title: string, description: string | null, imageUrl: string | null } | null, app: { iosUri: string | null, iosStoreUrl: string | null, androidUri: string | null, androidPackage: string | null, data: string | null } | null } }
          | { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, subdomain: string, host: string, claimedAt: string, updatedAt: string, activatedAt: string | null, status_SubdomainClaim: SubdomainStatus, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } }
          | { type: string, timestamp: string, data: { id: string, planId: string, interval: string, currentPeriodStart: string, currentPeriodEnd: string, cancelAtPeriodEnd: boolean, gracePeriodEnd: string | null, createdAt: string, status_Subscription: SubscriptionStatus } }
          | { type: string, timestamp: string, data: { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } }
          | { type: string, timestamp: string, data: { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } }
        > } }> } };

export type TestWebhookMutationVariables = Exact<{
  id: string;
}>;


export type TestWebhookMutation = { testWebhook: { id: string } };

export type RotateWebhookSecretMutationVariables = Exact<{
  id: string;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string } };

export type DeleteWebhookMutationVariables = Exact<{
  id: string;
}>;


export type DeleteWebhookMutation = { deleteWebhook: string };

export type WebhookStateFragment = { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null };

export type UpdateWebhookMutationVariables = Exact<{
  id: string;
  input: UpdateWebhookInput;
}>;


export type UpdateWebhookMutation = { updateWebhook: { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { createWebhook: { secret: string, webhook: { id: string } } };

export type WebhookPageQueryVariables = Exact<{
  id: string;
  page: number;
  pageSize: number;
  status?: DeliveryStatus | null | undefined;
}>;


export type WebhookPageQuery = { webhook: { id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null, deliveries: { total: number, page: number, pageSize: number, totalPages: number, deliveries: Array<{ id: string, messageId: string, event: string, batchSize: number | null, status: DeliveryStatus, attemptCount: number, nextAttemptAt: string | null, createdAt: string, completedAt: string | null, attempts: Array<{ attemptedAt: string, statusCode: number | null, durationMs: number, responseStart: string | null, error: string | null }> }> } } };

export type DeliveryChangedSubscriptionVariables = Exact<{
  webhookId: string;
}>;


export type DeliveryChangedSubscription = { deliveryChanged: { id: string, messageId: string, event: string, batchSize: number | null, status: DeliveryStatus, attemptCount: number, nextAttemptAt: string | null, createdAt: string, completedAt: string | null, attempts: Array<{ attemptedAt: string, statusCode: number | null, durationMs: number, responseStart: string | null, error: string | null }> } };

export type WebhooksQueryVariables = Exact<{
  page: number;
  pageSize: number;
}>;


export type WebhooksQuery = { webhooks: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, name: string, url: string, events: Array<string>, batch: boolean, linkIds: Array<string> | null, excludeBots: boolean, isActive: boolean, createdAt: string, updatedAt: string, failingSince: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null }> }, usage: { webhooks: { used: number, limit: number | null } } };

export type CreateDomainMutationVariables = Exact<{
  input: CreateDomainInput;
}>;


export type CreateDomainMutation = { createDomain: { id: string } };

export type DeleteDomainMutationVariables = Exact<{
  id: string;
}>;


export type DeleteDomainMutation = { deleteDomain: string };

export type LinksOnDomainQueryVariables = Exact<{
  domain: string;
}>;


export type LinksOnDomainQuery = { links: { total: number } };

export type VerifyDomainMutationVariables = Exact<{
  id: string;
}>;


export type VerifyDomainMutation = { verifyDomain: { id: string, domain: string, status: DomainStatus, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

export type DomainStateFragment = { id: string, domain: string, status: DomainStatus, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } };

export type DomainPageQueryVariables = Exact<{
  id: string;
}>;


export type DomainPageQuery = { domain: { id: string, domain: string, status: DomainStatus, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

export type DomainChangedSubscriptionVariables = Exact<{
  domainId: string;
}>;


export type DomainChangedSubscription = { domainChanged: { id: string, domain: string, status: DomainStatus, createdAt: string, updatedAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, dnsRecords: Array<{ type: DnsRecordType, name: string, value: string, found: Array<string>, isSet: boolean | null, problem: string | null }>, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

export type UpdateDomainMutationVariables = Exact<{
  id: string;
  input: UpdateHostInput;
}>;


export type UpdateDomainMutation = { updateDomain: { id: string } };

export type DomainsQueryVariables = Exact<{
  page: number;
  pageSize: number;
}>;


export type DomainsQuery = { domains: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, domain: string, status: DomainStatus, createdAt: string, activatedAt: string | null, failingSince: string | null, checkedAt: string | null, dnsRecords: Array<{ type: DnsRecordType, isSet: boolean | null, problem: string | null }> }> }, usage: { domains: { used: number, limit: number | null } }, instance: { baseUrl: string, subdomainHost: string }, subdomain: { id: string, host: string, status: SubdomainStatus, activatedAt: string | null, updatedAt: string, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } | null };

export type SubdomainCardFragment = { id: string, host: string, status: SubdomainStatus, activatedAt: string | null, updatedAt: string, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } };

export type ClaimHostFragment = { baseUrl: string, subdomainHost: string };

export type ClaimSubdomainMutationVariables = Exact<{
  input: ClaimSubdomainInput;
}>;


export type ClaimSubdomainMutation = { claimSubdomain: { id: string, host: string, status: SubdomainStatus, activatedAt: string | null, updatedAt: string, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

export type ActivateSubdomainMutationVariables = Exact<{ [key: string]: never; }>;


export type ActivateSubdomainMutation = { activateSubdomain: { id: string, host: string, status: SubdomainStatus, activatedAt: string | null, updatedAt: string, settings: { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean } } };

export type UpdateSubdomainMutationVariables = Exact<{
  input: UpdateHostInput;
}>;


export type UpdateSubdomainMutation = { updateSubdomain: { id: string } };

export type ReleaseSubdomainMutationVariables = Exact<{ [key: string]: never; }>;


export type ReleaseSubdomainMutation = { releaseSubdomain: string };

export type HostFactsFragment = { rootUrl: string | null, notFoundUrl: string | null, expiredUrl: string | null, faviconUrl: string | null, robotsText: string | null, securityContact: string | null, ignoresCase: boolean, defaultTags: Array<string>, forwardsQuery: boolean };

export type ImportErrorsFragment = { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ row: number, code: ErrorCode, column: string | null, message: string, slug: string | null }> };

export type ImportPageQueryVariables = Exact<{
  id: string;
  page: number;
  pageSize: number;
}>;


export type ImportPageQuery = { import: { id: string, source: ImportSource | null, encoding: string | null, hasHeader: boolean | null, dateFormat: DateFormat | null, hasUnsureDates: boolean, resultRows: number, domain: string | null, isDryRun: boolean, state: ImportState, total: number | null, done: number, created: number, skipped: number, failed: number, error: string | null, createdAt: string, finishedAt: string | null, columns: Array<{ name: string, field: ImportField }> | null }, importErrors: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ row: number, code: ErrorCode, column: string | null, message: string, slug: string | null }> }, instance: { baseUrl: string, subdomainHost: string } };

export type PreviewImportMutationVariables = Exact<{
  input: PreviewImportInput;
}>;


export type PreviewImportMutation = { previewImport: { source: ImportSource, hasHeader: boolean | null, dateFormat: DateFormat | null, hasUnsureDates: boolean, columns: Array<{ name: string, field: ImportField | null, values: Array<string> }> } };

export type StartImportMutationVariables = Exact<{
  input: StartImportInput;
}>;


export type StartImportMutation = { startImport: { id: string } };

export type StartApiImportMutationVariables = Exact<{
  input: StartApiImportInput;
}>;


export type StartApiImportMutation = { startApiImport: { id: string } };

export type AppendImportMutationVariables = Exact<{
  id: string;
  input: AppendImportInput;
}>;


export type AppendImportMutation = { appendImport: { id: string } };

export type CancelImportMutationVariables = Exact<{
  id: string;
}>;


export type CancelImportMutation = { cancelImport: { id: string } };

export type ImportFactsFragment = { id: string, source: ImportSource | null, encoding: string | null, hasHeader: boolean | null, dateFormat: DateFormat | null, hasUnsureDates: boolean, resultRows: number, domain: string | null, isDryRun: boolean, state: ImportState, total: number | null, done: number, created: number, skipped: number, failed: number, error: string | null, createdAt: string, finishedAt: string | null, columns: Array<{ name: string, field: ImportField }> | null };

export type ImportsQueryVariables = Exact<{ [key: string]: never; }>;


export type ImportsQuery = { imports: { data: Array<{ id: string, source: ImportSource | null, encoding: string | null, hasHeader: boolean | null, dateFormat: DateFormat | null, hasUnsureDates: boolean, resultRows: number, domain: string | null, isDryRun: boolean, state: ImportState, total: number | null, done: number, created: number, skipped: number, failed: number, error: string | null, createdAt: string, finishedAt: string | null, columns: Array<{ name: string, field: ImportField }> | null }> }, instance: { baseUrl: string, subdomainHost: string }, domains: { data: Array<{ id: string, domain: string, status: DomainStatus }> }, subdomain: { id: string, host: string, status: SubdomainStatus } | null };

export type LinkCoreFragment = { id: string, slug: string, domain: string, shortUrl: string, destinationUrl: string, title: string | null, notes: string | null, externalId: string | null, tags: Array<string>, isActive: boolean, state: LinkState, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, updatedAt: string, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null };

export type UpdateLinkMutationVariables = Exact<{
  id: string;
  input: UpdateLinkInput;
}>;


export type UpdateLinkMutation = { updateLink: { id: string, slug: string, shortUrl: string, destinationUrl: string, isActive: boolean } };

export type LinkPageQueryVariables = Exact<{
  id: string;
}>;


export type LinkPageQuery = { link: { clickCount: number, importedClicks: number | null, lastClickedAt: string | null, createdAt: string, id: string, slug: string, domain: string, shortUrl: string, destinationUrl: string, title: string | null, notes: string | null, externalId: string | null, tags: Array<string>, isActive: boolean, state: LinkState, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, updatedAt: string, app: { data: string | null } | null, card: { title: string } | null, clicks: { data: Array<{ id: string, clickedAt: string }> }, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null }, linkRules: { id: string, rules: Array<{ number: number }>, destinations: Array<{ number: number, url: string, label: string | null }> }, linkSplit: { id: string, parts: Array<{ weight: number }> } };

export type LinkClickedSubscriptionVariables = Exact<{
  linkId: string;
}>;


export type LinkClickedSubscription = { clickRecorded: { id: string, clickedAt: string, browser: string | null, os: string | null, device: string | null, isBot: boolean, referrerHost: string | null, country: string | null } };

export type LinkHostsFragment = { instance: { baseUrl: string, subdomainHost: string }, domains: { data: Array<{ id: string, domain: string, status: DomainStatus }> }, subdomain: { id: string, host: string, status: SubdomainStatus } | null };

export type LinkFormQueryVariables = Exact<{ [key: string]: never; }>;


export type LinkFormQuery = { utmTemplates: { data: Array<{ id: string, name: string, source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null, updatedAt: string }> }, instance: { baseUrl: string, subdomainHost: string }, domains: { data: Array<{ id: string, domain: string, status: DomainStatus }> }, subdomain: { id: string, host: string, status: SubdomainStatus } | null };

export type KnownLinksQueryVariables = Exact<{
  destinationUrl: string;
  domain: string;
}>;


export type KnownLinksQuery = { links: { data: Array<{ id: string, title: string | null, shortUrl: string, expiresAt: string | null, maxClicks: number | null }> } };

export type LinksQueryVariables = Exact<{
  page: number;
  pageSize: number;
  search?: string | null | undefined;
  state?: LinkState | null | undefined;
  isArchived?: boolean | null | undefined;
  domain?: string | null | undefined;
  destinationUrl?: string | null | undefined;
  externalId?: string | null | undefined;
  tags?: Array<string> | string | null | undefined;
  sort: LinkSort;
}>;


export type LinksQuery = { links: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ clickCount: number, importedClicks: number | null, createdAt: string, id: string, slug: string, domain: string, shortUrl: string, destinationUrl: string, title: string | null, notes: string | null, externalId: string | null, tags: Array<string>, isActive: boolean, state: LinkState, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, updatedAt: string, clickSeries: Array<{ clicks: number }>, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null }> }, instance: { baseUrl: string, subdomainHost: string }, domains: { data: Array<{ id: string, domain: string, status: DomainStatus }> }, subdomain: { id: string, host: string, status: SubdomainStatus } | null };

export type NewestLinkQueryVariables = Exact<{
  search?: string | null | undefined;
  state?: LinkState | null | undefined;
  isArchived?: boolean | null | undefined;
  domain?: string | null | undefined;
  destinationUrl?: string | null | undefined;
  externalId?: string | null | undefined;
  tags?: Array<string> | string | null | undefined;
}>;


export type NewestLinkQuery = { links: { total: number, data: Array<{ id: string }> } };

export type ArchivedLinksQueryVariables = Exact<{ [key: string]: never; }>;


export type ArchivedLinksQuery = { links: { total: number } };

export type LinksClicksSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type LinksClicksSubscription = { accountClicks: { links: Array<{ linkId: string, clicks: number }> } };

export type WhyNotFragment = { code: ErrorCode, message: string, validationErrors: Array<{ path: string, message: string }> };

export type ChosenLinksQueryVariables = Exact<{
  page: number;
  search?: string | null | undefined;
  state?: LinkState | null | undefined;
  isArchived?: boolean | null | undefined;
  domain?: string | null | undefined;
  destinationUrl?: string | null | undefined;
  externalId?: string | null | undefined;
  tags?: Array<string> | string | null | undefined;
}>;


export type ChosenLinksQuery = { links: { totalPages: number, data: Array<{ id: string, shortUrl: string, tags: Array<string>, isActive: boolean, isArchived: boolean }> } };

export type UpdateLinksMutationVariables = Exact<{
  input: UpdateLinksInput;
}>;


export type UpdateLinksMutation = { updateLinks: { results: Array<{ linkId: string, error: { code: ErrorCode, message: string, validationErrors: Array<{ path: string, message: string }> } | null }> } };

export type DeleteLinksMutationVariables = Exact<{
  input: DeleteLinksInput;
}>;


export type DeleteLinksMutation = { deleteLinks: { results: Array<{ linkId: string, error: { code: ErrorCode, message: string, validationErrors: Array<{ path: string, message: string }> } | null }> } };

export type CreateLinksMutationVariables = Exact<{
  input: CreateLinksInput;
}>;


export type CreateLinksMutation = { createLinks: { results: Array<{ link: { id: string, shortUrl: string, destinationUrl: string } | null, error: { code: ErrorCode, message: string, validationErrors: Array<{ path: string, message: string }> } | null }> } };

export type CreateLinkMutationVariables = Exact<{
  input: CreateLinkInput;
}>;


export type CreateLinkMutation = { createLink: { id: string, slug: string, domain: string, shortUrl: string, destinationUrl: string, title: string | null, notes: string | null, externalId: string | null, tags: Array<string>, isActive: boolean, state: LinkState, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, updatedAt: string, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null } };

export type NewLinkQueryVariables = Exact<{ [key: string]: never; }>;


export type NewLinkQuery = { utmTemplates: { data: Array<{ id: string, name: string, source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null, updatedAt: string }> }, usage: { links: { used: number, limit: number | null } }, instance: { baseUrl: string, subdomainHost: string }, domains: { data: Array<{ id: string, domain: string, status: DomainStatus }> }, subdomain: { id: string, host: string, status: SubdomainStatus } | null };

export type NewLinkClickedSubscriptionVariables = Exact<{
  linkId: string;
}>;


export type NewLinkClickedSubscription = { clickRecorded: { id: string } };

export type LinkRehearsalQueryVariables = Exact<{
  id: string;
  input: RehearseLinkInput;
}>;


export type LinkRehearsalQuery = { rehearseLink: { visits: number, bots: number, visitsPerDay: number, notes: Array<RehearsalNote>, phases: Array<{ startsAt: string | null, outcomes: Array<{ outcome: VisitOutcome, visits: number, bots: number }> }>, rules: Array<{ rule: number, name: string | null, visits: number, bots: number }> } };

export type LinkSummaryQueryVariables = Exact<{
  id: string;
  from: string;
  to?: string | null | undefined;
  interval: Interval;
  timeZone: string;
  includeBots: boolean;
  filter?: Array<ClickCondition> | ClickCondition | null | undefined;
  yearFrom: string;
  yearTo: string;
  withYear: boolean;
  withPrevious: boolean;
}>;


export type LinkSummaryQuery = { year?: { totals: { clicks: number, uniques: number, bots: number } }, annotations: { total: number, data: Array<{ id: string, occurredAt: string, text: string, updatedAt: string }> }, clickSummary: { isExact: boolean, from: string, to: string, totals: { clicks: number, uniques: number, bots: number }, previous?: { clicks: number, uniques: number, bots: number }, series: Array<{ start: string, clicks: number, uniques: number }>, top: { destinations: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, triggers: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, countries: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, regions: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, cities: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, languages: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, sources: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, channels: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, referrers: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmSources: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmMediums: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmCampaigns: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, devices: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, browsers: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, operatingSystems: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> } } }, clicks: { data: Array<{ id: string, clickedAt: string, browser: string | null, os: string | null, device: string | null, isBot: boolean, referrerHost: string | null, country: string | null }> } };

export type ClickLineFragment = { id: string, clickedAt: string, browser: string | null, os: string | null, device: string | null, isBot: boolean, referrerHost: string | null, country: string | null };

export type LinkRowFragment = { clickCount: number, importedClicks: number | null, createdAt: string, id: string, slug: string, domain: string, shortUrl: string, destinationUrl: string, title: string | null, notes: string | null, externalId: string | null, tags: Array<string>, isActive: boolean, state: LinkState, startsAt: string | null, expiresAt: string | null, expiredUrl: string | null, maxClicks: number | null, usedClicks: number | null, isArchived: boolean, forwardsQuery: boolean | null, hasPassword: boolean, asksFirst: boolean, notice: string | null, updatedAt: string, clickSeries: Array<{ clicks: number }>, utm: { source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null } | null };

export type SlugAvailabilityQueryVariables = Exact<{
  slug: string;
  domain: string;
  linkId?: string | null | undefined;
}>;


export type SlugAvailabilityQuery = { slugAvailability: { state: SlugState } };

export type InviteMemberMutationVariables = Exact<{
  input: InviteMemberInput;
}>;


export type InviteMemberMutation = { inviteMember: { id: string } };

export type UpdateMemberMutationVariables = Exact<{
  userId: string;
  input: UpdateMemberInput;
}>;


export type UpdateMemberMutation = { updateMember: { userId: string } };

export type RemoveMemberMutationVariables = Exact<{
  userId: string;
}>;


export type RemoveMemberMutation = { removeMember: string };

export type UpdateAccountMutationVariables = Exact<{
  input: UpdateAccountInput;
}>;


export type UpdateAccountMutation = { updateAccount: { id: string } };

export type LeaveAccountMutationVariables = Exact<{ [key: string]: never; }>;


export type LeaveAccountMutation = { leaveAccount: { message: string } };

export type AcceptInvitationMutationVariables = Exact<{
  input: AcceptInvitationInput;
}>;


export type AcceptInvitationMutation = { acceptInvitation: { account: { id: string } } };

export type MembersQueryVariables = Exact<{
  page: number;
  pageSize: number;
  isRead: boolean;
  isManaged: boolean;
}>;


export type MembersQuery = { me: { account: { id: string, name: string } }, members?: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ userId: string, name: string, email: string, role: Role, joinedAt: string }> }, invitations?: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, email: string, role: Role, expiresAt: string }> }, transfers?: { total: number, data: Array<{ id: string, domain: string | null, shortUrls: Array<string>, linkCount: number, movedLinks: number, state: TransferState, expiresAt: string, fromAccount: { id: string, name: string }, toAccount: { id: string, name: string } }> } };

export type RevokeInvitationMutationVariables = Exact<{
  id: string;
}>;


export type RevokeInvitationMutation = { revokeInvitation: string };

export type OverviewQueryVariables = Exact<{
  from: string;
  to?: string | null | undefined;
  interval: Interval;
  timeZone: string;
  includeBots: boolean;
  filter?: Array<ClickCondition> | ClickCondition | null | undefined;
  yearFrom: string;
  yearTo: string;
  withYear: boolean;
  withPrevious: boolean;
  isManaged: boolean;
}>;


export type OverviewQuery = { year?: { totals: { clicks: number, uniques: number, bots: number } }, annotations: { total: number, data: Array<{ id: string, occurredAt: string, text: string, updatedAt: string }> }, accountClickSummary: { isExact: boolean, from: string, to: string, linksOther: number, linksError: number, totals: { clicks: number, uniques: number, bots: number }, previous?: { clicks: number, uniques: number, bots: number }, series: Array<{ start: string, clicks: number, uniques: number }>, top: { countries: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, regions: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, cities: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, languages: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, sources: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, channels: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, referrers: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmSources: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmMediums: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, utmCampaigns: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, devices: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, browsers: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> }, operatingSystems: { unknown: number, other: number, error: number, values: Array<{ value: string, clicks: number }> } }, links: Array<{ linkId: string, clicks: number, link: { id: string, slug: string, shortUrl: string, title: string | null } | null }> }, me: { id: string, account: { id: string, createdAt: string } }, usage: { links: { used: number }, domains: { used: number }, apiKeys: { used: number } }, transfers?: { data: Array<{ id: string, state: TransferState, toAccount: { id: string } }> } };

export type OverviewClicksSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type OverviewClicksSubscription = { accountClicks: { total: number } };

export type CreateReportMutationVariables = Exact<{
  input: CreateReportInput;
}>;


export type CreateReportMutation = { createReport: { id: string, url: string | null } };

export type UpdateReportMutationVariables = Exact<{
  id: string;
  input: UpdateReportInput;
}>;


export type UpdateReportMutation = { updateReport: { id: string, url: string | null } };

export type ReportRowFragment = { id: string, name: string, linkId: string | null, period: ReportPeriod | null, back: number, from: string | null, to: string | null, includeBots: boolean, panels: Array<ReportPanel>, showsDestinations: boolean, embedOrigins: Array<string>, hasPassword: boolean, expiresAt: string | null, isShared: boolean, url: string | null, updatedAt: string, link: { id: string, slug: string, shortUrl: string, title: string | null } | null, filter: Array<{ dimension: ClickDimension, operator: ConditionOperator, values: Array<string | null> }> };

export type ReportsQueryVariables = Exact<{
  page: number;
  pageSize: number;
}>;


export type ReportsQuery = { reports: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, name: string, linkId: string | null, period: ReportPeriod | null, back: number, from: string | null, to: string | null, includeBots: boolean, panels: Array<ReportPanel>, showsDestinations: boolean, embedOrigins: Array<string>, hasPassword: boolean, expiresAt: string | null, isShared: boolean, url: string | null, updatedAt: string, link: { id: string, slug: string, shortUrl: string, title: string | null } | null, filter: Array<{ dimension: ClickDimension, operator: ConditionOperator, values: Array<string | null> }> }> } };

export type StopReportMutationVariables = Exact<{
  id: string;
}>;


export type StopReportMutation = { updateReport: { id: string } };

export type DeleteReportMutationVariables = Exact<{
  id: string;
}>;


export type DeleteReportMutation = { deleteReport: string };

export type RulesShownFragment = { id: string, updatedAt: string, rules: Array<{ number: number, name: string | null, conditions: Array<{ kind: RuleKind, values: Array<string>, key: string | null, negated: boolean }>, destination: { url: string } | null, split: Array<{ weight: number, destination: { url: string, label: string | null } }> }>, warnings: Array<{ rule: number, condition: number | null, reason: RuleWarningReason }> };

export type SplitShownFragment = { id: string, updatedAt: string, autoStopsAt: string | null, parts: Array<{ weight: number, destination: { url: string, label: string | null } }> };

export type RulesPageQueryVariables = Exact<{
  id: string;
}>;


export type RulesPageQuery = { link: { id: string, shortUrl: string, destinationUrl: string, updatedAt: string }, linkRules: { id: string, updatedAt: string, rules: Array<{ number: number, name: string | null, conditions: Array<{ kind: RuleKind, values: Array<string>, key: string | null, negated: boolean }>, destination: { url: string } | null, split: Array<{ weight: number, destination: { url: string, label: string | null } }> }>, warnings: Array<{ rule: number, condition: number | null, reason: RuleWarningReason }> }, linkSplit: { id: string, updatedAt: string, autoStopsAt: string | null, parts: Array<{ weight: number, destination: { url: string, label: string | null } }> } };

export type RehearsalQueryVariables = Exact<{
  id: string;
  input: RehearseRulesInput;
}>;


export type RehearsalQuery = { rehearseRules: { from: string, visits: number, outcomes: Array<{ rule: number | null, visits: number, bots: number, undecided: number }>, unknown: Array<{ rule: number, condition: number, reason: UnknownReason }> } };

export type SplitReportQueryVariables = Exact<{
  id: string;
  rule?: number | null | undefined;
}>;


export type SplitReportQuery = { splitReport: { from: string, isUneven: boolean, parts: Array<{ expectedShare: number, clicks: number, visitors: number, destination: { number: number, url: string, label: string | null }, share: { share: number, low: number, high: number } | null }> } };

export type SetLinkRulesMutationVariables = Exact<{
  id: string;
  input: SetLinkRulesInput;
}>;


export type SetLinkRulesMutation = { setLinkRules: { id: string, updatedAt: string, rules: Array<{ number: number, name: string | null, conditions: Array<{ kind: RuleKind, values: Array<string>, key: string | null, negated: boolean }>, destination: { url: string } | null, split: Array<{ weight: number, destination: { url: string, label: string | null } }> }>, warnings: Array<{ rule: number, condition: number | null, reason: RuleWarningReason }> } };

export type SetLinkSplitMutationVariables = Exact<{
  id: string;
  input: SetLinkSplitInput;
}>;


export type SetLinkSplitMutation = { setLinkSplit: { id: string, updatedAt: string, autoStopsAt: string | null, parts: Array<{ weight: number, destination: { url: string, label: string | null } }> } };

export type ExplainVisitQueryVariables = Exact<{
  id: string;
  input: ExplainRedirectInput;
}>;


export type ExplainVisitQuery = { explainRedirect: { state: LinkState, answer: VisitAnswer, rule: number | null, isSplit: boolean, finalUrl: string, rules: Array<{ number: number, name: string | null, result: RuleResult, failedCondition: number | null }> } };

export type SwitchAccountMutationVariables = Exact<{
  input: SwitchAccountInput;
}>;


export type SwitchAccountMutation = { switchAccount: { accessToken: string, expiresIn: number, user: { id: string, email: string, name: string, createdAt: string, emailVerifiedAt: string | null, pendingEmail: string | null } } };

export type SignedInFragment = { id: string, email: string, name: string, createdAt: string, emailVerifiedAt: string | null, pendingEmail: string | null };

export type WhatDiesQueryVariables = Exact<{
  hasBilling: boolean;
}>;


export type WhatDiesQuery = { usage: { links: { used: number }, domains: { used: number }, webhooks: { used: number }, apiKeys: { used: number } }, subscription?: { id: string, planId: string } | null, plans?: { plans: Array<{ id: string, name: string }> } };

export type DeleteMeMutationVariables = Exact<{
  input: DeleteMeInput;
}>;


export type DeleteMeMutation = { deleteMe: string };

export type ExportLinksFragment = { total: number, data: Array<{ id: string, shortUrl: string, clickCount: number }> };

export type IdentityRowFragment = { id: string, provider: string, email: string | null, createdAt: string, lastUsedAt: string };

export type RemoveIdentityMutationVariables = Exact<{
  id: string;
}>;


export type RemoveIdentityMutation = { removeIdentity: string };

export type PasskeyRowFragment = { id: string, name: string, createdAt: string, lastUsedAt: string | null };

export type StartPasskeyMutationVariables = Exact<{ [key: string]: never; }>;


export type StartPasskeyMutation = { startPasskey: { challenge: string, options: string } };

export type AddPasskeyMutationVariables = Exact<{
  input: AddPasskeyInput;
}>;


export type AddPasskeyMutation = { addPasskey: { recoveryCodes: Array<string> } };

export type RemovePasskeyMutationVariables = Exact<{
  id: string;
}>;


export type RemovePasskeyMutation = { removePasskey: string };

export type UpdateMeMutationVariables = Exact<{
  input: UpdateMeInput;
}>;


export type UpdateMeMutation = { updateMe: { accessToken: string | null, expiresIn: number | null, user: { id: string, email: string, name: string, createdAt: string, emailVerifiedAt: string | null, pendingEmail: string | null } } };

export type SecurityStateFragment = { totpSince: string | null, hasPassword: boolean, recoveryCodesLeft: number };

export type StartTotpMutationVariables = Exact<{ [key: string]: never; }>;


export type StartTotpMutation = { startTotp: { secret: string, uri: string } };

export type RemoveTotpMutationVariables = Exact<{ [key: string]: never; }>;


export type RemoveTotpMutation = { removeTotp: { message: string } };

export type RenewRecoveryCodesMutationVariables = Exact<{ [key: string]: never; }>;


export type RenewRecoveryCodesMutation = { renewRecoveryCodes: { recoveryCodes: Array<string> } };

export type SessionRowFragment = { id: string, browser: string | null, os: string | null, country: string | null, createdAt: string, lastSeenAt: string, isCurrent: boolean };

export type EndSessionMutationVariables = Exact<{
  id: string;
}>;


export type EndSessionMutation = { endSession: string };

export type EndOtherSessionsMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOtherSessionsMutation = { endOtherSessions: { endedCount: number } };

export type ConfirmTotpMutationVariables = Exact<{
  input: ConfirmTotpInput;
}>;


export type ConfirmTotpMutation = { confirmTotp: { recoveryCodes: Array<string> } };

export type SettingsQueryVariables = Exact<{
  hasLinks: boolean;
}>;


export type SettingsQuery = { me: { id: string, email: string, name: string, createdAt: string, emailVerifiedAt: string | null, pendingEmail: string | null }, security: { provedAt: string, totpSince: string | null, hasPassword: boolean, recoveryCodesLeft: number }, passkeys: { passkeys: Array<{ id: string, name: string, createdAt: string, lastUsedAt: string | null }> }, identities: { identities: Array<{ id: string, provider: string, email: string | null, createdAt: string, lastUsedAt: string }> }, instance: { companySignIn: string | null, hasPasskeys: boolean, hasPasswordLogin: boolean }, sessions: { sessions: Array<{ id: string, browser: string | null, os: string | null, country: string | null, createdAt: string, lastSeenAt: string, isCurrent: boolean }> }, links?: { total: number, data: Array<{ id: string, shortUrl: string, clickCount: number }> } };

export type MailQueryVariables = Exact<{ [key: string]: never; }>;


export type MailQuery = { instance: { isMailConfigured: boolean } };

export type PaletteLinksQueryVariables = Exact<{
  search: string;
}>;


export type PaletteLinksQuery = { links: { data: Array<{ id: string, shortUrl: string, destinationUrl: string, title: string | null }> } };

export type WorkspacesQueryVariables = Exact<{ [key: string]: never; }>;


export type WorkspacesQuery = { me: { account: { id: string, name: string }, memberships: Array<{ account: { id: string, name: string } }> } };

export type CreateTagMutationVariables = Exact<{
  input: CreateTagInput;
}>;


export type CreateTagMutation = { createTag: { id: string, name: string, linkCount: number, createdAt: string, updatedAt: string } };

export type RenameTagMutationVariables = Exact<{
  id: string;
  input: UpdateTagInput;
}>;


export type RenameTagMutation = { updateTag: { id: string, name: string, linkCount: number, createdAt: string, updatedAt: string } };

export type MergeTagMutationVariables = Exact<{
  id: string;
  input: MergeTagInput;
}>;


export type MergeTagMutation = { mergeTag: { id: string, name: string, linkCount: number, createdAt: string, updatedAt: string } };

export type DeleteTagMutationVariables = Exact<{
  id: string;
}>;


export type DeleteTagMutation = { deleteTag: string };

export type TagsNamedQueryVariables = Exact<{
  search: string;
  page: number;
}>;


export type TagsNamedQuery = { tags: { totalPages: number, data: Array<{ id: string, name: string }> } };

export type TagRowFragment = { id: string, name: string, linkCount: number, createdAt: string, updatedAt: string };

export type TagsQueryVariables = Exact<{
  page: number;
  pageSize: number;
  search?: string | null | undefined;
}>;


export type TagsQuery = { tags: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, name: string, linkCount: number, createdAt: string, updatedAt: string }> } };

export type SuggestedTagsQueryVariables = Exact<{
  search: string;
}>;


export type SuggestedTagsQuery = { tags: { data: Array<{ id: string, name: string }> } };

export type TransferChoicesQueryVariables = Exact<{
  domain?: string | null | undefined;
  isDomain: boolean;
}>;


export type TransferChoicesQuery = { me: { memberships: Array<{ account: { id: string, name: string } }> }, instance: { baseUrl: string }, links?: { total: number } };

export type OfferTransferMutationVariables = Exact<{
  input: OfferTransferInput;
}>;


export type OfferTransferMutation = { offerTransfer: { id: string, toAccount: { id: string, name: string } } };

export type TransferFactsFragment = { id: string, domain: string | null, shortUrls: Array<string>, linkCount: number, movedLinks: number, state: TransferState, expiresAt: string, fromAccount: { id: string, name: string }, toAccount: { id: string, name: string } };

export type TransfersFragment = { total: number, data: Array<{ id: string, domain: string | null, shortUrls: Array<string>, linkCount: number, movedLinks: number, state: TransferState, expiresAt: string, fromAccount: { id: string, name: string }, toAccount: { id: string, name: string } }> };

export type AcceptTransferMutationVariables = Exact<{
  id: string;
}>;


export type AcceptTransferMutation = { acceptTransfer: { id: string } };

export type DeleteTransferMutationVariables = Exact<{
  id: string;
}>;


export type DeleteTransferMutation = { deleteTransfer: string };

export type CreateUtmTemplateMutationVariables = Exact<{
  input: CreateUtmTemplateInput;
}>;


export type CreateUtmTemplateMutation = { createUtmTemplate: { id: string } };

export type UpdateUtmTemplateMutationVariables = Exact<{
  id: string;
  input: UpdateUtmTemplateInput;
}>;


export type UpdateUtmTemplateMutation = { updateUtmTemplate: { id: string } };

export type DeleteUtmTemplateMutationVariables = Exact<{
  id: string;
}>;


export type DeleteUtmTemplateMutation = { deleteUtmTemplate: string };

export type UtmTemplatesQueryVariables = Exact<{
  page: number;
  pageSize: number;
}>;


export type UtmTemplatesQuery = { utmTemplates: { total: number, page: number, pageSize: number, totalPages: number, data: Array<{ id: string, name: string, source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null, updatedAt: string }> } };

export type UtmTemplateFieldsFragment = { id: string, name: string, source: string | null, medium: string | null, campaign: string | null, term: string | null, content: string | null, updatedAt: string };

export type SetHostPagesMutationVariables = Exact<{
  host: string;
  input: SetHostPagesInput;
}>;


export type SetHostPagesMutation = { setHostPages: { updatedAt: string | null } };

export type VisitorPagesQueryVariables = Exact<{ [key: string]: never; }>;


export type VisitorPagesQuery = { instance: { baseUrl: string, subdomainHost: string }, domains: { data: Array<{ id: string, domain: string, status: DomainStatus }> }, subdomain: { id: string, host: string, status: SubdomainStatus } | null };

export type HostPagesQueryVariables = Exact<{
  host: string;
}>;


export type HostPagesQuery = { hostPages: { host: string, accentColor: string | null, backgroundColor: string | null, logoImageId: string | null, logoUrl: string | null, updatedAt: string | null, texts: Array<{ page: HostPage, language: string, title: string, text: string | null }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const WaysInFragmentDoc = new TypedDocumentString(`
    fragment WaysIn on Instance {
  needsSetup
  registration
  hasPasswordLogin
  hasPasskeys
  companySignIn
}
    `, {"fragmentName":"WaysIn"}) as unknown as TypedDocumentString<WaysInFragment, unknown>;
export const BreakdownPlacesFragmentDoc = new TypedDocumentString(`
    fragment BreakdownPlaces on TopStats {
  regions {
    values {
      clicks
    }
  }
  cities {
    values {
      clicks
    }
  }
}
    `, {"fragmentName":"BreakdownPlaces"}) as unknown as TypedDocumentString<BreakdownPlacesFragment, unknown>;
export const SummaryTotalsFragmentDoc = new TypedDocumentString(`
    fragment SummaryTotals on TotalStats {
  clicks
  uniques
  bots
}
    `, {"fragmentName":"SummaryTotals"}) as unknown as TypedDocumentString<SummaryTotalsFragment, unknown>;
export const SummaryTopFragmentDoc = new TypedDocumentString(`
    fragment SummaryTop on TopValuesStats {
  values {
    value
    clicks
  }
  unknown
  other
  error
}
    `, {"fragmentName":"SummaryTop"}) as unknown as TypedDocumentString<SummaryTopFragment, unknown>;
export const SummaryTopsFragmentDoc = new TypedDocumentString(`
    fragment SummaryTops on TopStats {
  countries {
    ...SummaryTop
  }
  regions {
    ...SummaryTop
  }
  cities {
    ...SummaryTop
  }
  languages {
    ...SummaryTop
  }
  sources {
    ...SummaryTop
  }
  channels {
    ...SummaryTop
  }
  referrers {
    ...SummaryTop
  }
  utmSources {
    ...SummaryTop
  }
  utmMediums {
    ...SummaryTop
  }
  utmCampaigns {
    ...SummaryTop
  }
  devices {
    ...SummaryTop
  }
  browsers {
    ...SummaryTop
  }
  operatingSystems {
    ...SummaryTop
  }
}
    fragment SummaryTop on TopValuesStats {
  values {
    value
    clicks
  }
  unknown
  other
  error
}`, {"fragmentName":"SummaryTops"}) as unknown as TypedDocumentString<SummaryTopsFragment, unknown>;
export const NoteFragmentDoc = new TypedDocumentString(`
    fragment Note on Annotation {
  id
  occurredAt
  text
  updatedAt
}
    `, {"fragmentName":"Note"}) as unknown as TypedDocumentString<NoteFragment, unknown>;
export const NotesFragmentDoc = new TypedDocumentString(`
    fragment Notes on AnnotationPageResult {
  total
  data {
    ...Note
  }
}
    fragment Note on Annotation {
  id
  occurredAt
  text
  updatedAt
}`, {"fragmentName":"Notes"}) as unknown as TypedDocumentString<NotesFragment, unknown>;
export const LinkAppsFragmentDoc = new TypedDocumentString(`
    fragment LinkApps on Link {
  app {
    iosUri
    iosStoreUrl
    androidUri
    androidPackage
    data
  }
}
    `, {"fragmentName":"LinkApps"}) as unknown as TypedDocumentString<LinkAppsFragment, unknown>;
export const InvoiceRowFragmentDoc = new TypedDocumentString(`
    fragment InvoiceRow on Invoice {
  id
  number
  status
  currency
  amountDue
  createdAt
  hostedUrl
  pdfUrl
}
    `, {"fragmentName":"InvoiceRow"}) as unknown as TypedDocumentString<InvoiceRowFragment, unknown>;
export const PlanCardFragmentDoc = new TypedDocumentString(`
    fragment PlanCard on Plan {
  id
  name
  currency
  monthlyPrice
  yearlyPrice
  intervals
  limits {
    links
    domains
    webhooks
    apiKeys
    requestsPerMinute
    retentionDays
  }
}
    `, {"fragmentName":"PlanCard"}) as unknown as TypedDocumentString<PlanCardFragment, unknown>;
export const SubscriptionStateFragmentDoc = new TypedDocumentString(`
    fragment SubscriptionState on Subscription {
  id
  planId
  status
  interval
  currentPeriodEnd
  cancelAtPeriodEnd
  gracePeriodEnd
  createdAt
}
    `, {"fragmentName":"SubscriptionState"}) as unknown as TypedDocumentString<SubscriptionStateFragment, unknown>;
export const UsageBarsFragmentDoc = new TypedDocumentString(`
    fragment UsageBars on UsageResult {
  periodStart
  periodEnd
  links {
    used
    limit
  }
  clicks {
    used
  }
  domains {
    used
    limit
  }
  webhooks {
    used
    limit
  }
  apiKeys {
    used
    limit
  }
  apiCalls {
    used
  }
}
    `, {"fragmentName":"UsageBars"}) as unknown as TypedDocumentString<UsageBarsFragment, unknown>;
export const CardTextsFragmentDoc = new TypedDocumentString(`
    fragment CardTexts on Link {
  card {
    title
    description
    imageUrl
  }
}
    `, {"fragmentName":"CardTexts"}) as unknown as TypedDocumentString<CardTextsFragment, unknown>;
export const DeliveryLineFragmentDoc = new TypedDocumentString(`
    fragment DeliveryLine on Delivery {
  id
  messageId
  event
  batchSize
  status
  attemptCount
  nextAttemptAt
  createdAt
  completedAt
  attempts {
    attemptedAt
    statusCode
    durationMs
    responseStart
    error
  }
}
    `, {"fragmentName":"DeliveryLine"}) as unknown as TypedDocumentString<DeliveryLineFragment, unknown>;
export const SentLinkFragmentDoc = new TypedDocumentString(`
    fragment SentLink on Link {
  id
  destinationUrl
  utm {
    source
    medium
    campaign
    term
    content
  }
  slug
  domain_Link: domain
  shortUrl
  isActive
  state_Link: state
  title
  notes
  tags
  externalId
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  card {
    title
    description
    imageUrl
  }
  app {
    iosUri
    iosStoreUrl
    androidUri
    androidPackage
    data
  }
  blockedAt
  clickCount
  importedClicks
  lastClickedAt
  createdAt
  updatedAt
}
    `, {"fragmentName":"SentLink"}) as unknown as TypedDocumentString<SentLinkFragment, unknown>;
export const SentLinkClickPayloadFragmentDoc = new TypedDocumentString(`
    fragment SentLinkClickPayload on LinkClickPayload {
  click {
    id
    clickedAt
    browser
    os
    device
    isBot
    referrerHost
    country
    language
    utmSource
    utmMedium
    utmCampaign
    utmTerm
    utmContent
    trigger
    destination
    rule
    source
    channel
    linkId
  }
  link {
    ...SentLink
  }
}
    fragment SentLink on Link {
  id
  destinationUrl
  utm {
    source
    medium
    campaign
    term
    content
  }
  slug
  domain_Link: domain
  shortUrl
  isActive
  state_Link: state
  title
  notes
  tags
  externalId
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  card {
    title
    description
    imageUrl
  }
  app {
    iosUri
    iosStoreUrl
    androidUri
    androidPackage
    data
  }
  blockedAt
  clickCount
  importedClicks
  lastClickedAt
  createdAt
  updatedAt
}`, {"fragmentName":"SentLinkClickPayload"}) as unknown as TypedDocumentString<SentLinkClickPayloadFragment, unknown>;
export const SentImportFragmentDoc = new TypedDocumentString(`
    fragment SentImport on Import {
  id
  source
  encoding
  hasHeader
  columns {
    name
    field
  }
  dateFormat
  hasUnsureDates
  domain_Import: domain
  isDryRun
  state_Import: state
  total
  done
  created
  skipped
  failed
  resultRows
  error
  createdAt
  finishedAt
}
    `, {"fragmentName":"SentImport"}) as unknown as TypedDocumentString<SentImportFragment, unknown>;
export const SentCustomDomainFragmentDoc = new TypedDocumentString(`
    fragment SentCustomDomain on CustomDomain {
  id
  domain_CustomDomain: domain
  status_CustomDomain: status
  verificationToken
  dnsRecords {
    type
    name
    value
    found
    isSet
    problem
  }
  createdAt
  updatedAt
  activatedAt
  failingSince
  checkedAt
  settings {
    rootUrl
    notFoundUrl
    expiredUrl
    faviconUrl
    robotsText
    securityContact
    ignoresCase
    defaultTags
    forwardsQuery
  }
}
    `, {"fragmentName":"SentCustomDomain"}) as unknown as TypedDocumentString<SentCustomDomainFragment, unknown>;
export const SentSubdomainClaimFragmentDoc = new TypedDocumentString(`
    fragment SentSubdomainClaim on SubdomainClaim {
  id
  subdomain
  host
  status_SubdomainClaim: status
  claimedAt
  updatedAt
  activatedAt
  settings {
    rootUrl
    notFoundUrl
    expiredUrl
    faviconUrl
    robotsText
    securityContact
    ignoresCase
    defaultTags
    forwardsQuery
  }
}
    `, {"fragmentName":"SentSubdomainClaim"}) as unknown as TypedDocumentString<SentSubdomainClaimFragment, unknown>;
export const SentApiKeyFragmentDoc = new TypedDocumentString(`
    fragment SentApiKey on ApiKey {
  id
  name
  prefix
  isPersonal
  scopes
  allowedNetworks
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}
    `, {"fragmentName":"SentApiKey"}) as unknown as TypedDocumentString<SentApiKeyFragment, unknown>;
export const SentSubscriptionFragmentDoc = new TypedDocumentString(`
    fragment SentSubscription on Subscription {
  id
  planId
  status_Subscription: status
  interval
  currentPeriodStart
  currentPeriodEnd
  cancelAtPeriodEnd
  gracePeriodEnd
  createdAt
}
    `, {"fragmentName":"SentSubscription"}) as unknown as TypedDocumentString<SentSubscriptionFragment, unknown>;
export const SentInvoiceFragmentDoc = new TypedDocumentString(`
    fragment SentInvoice on Invoice {
  id
  number
  status_Invoice: status
  currency
  amountDue
  amountPaid
  createdAt
  hostedUrl
  pdfUrl
}
    `, {"fragmentName":"SentInvoice"}) as unknown as TypedDocumentString<SentInvoiceFragment, unknown>;
export const SentWebhookFragmentDoc = new TypedDocumentString(`
    fragment SentWebhook on Webhook {
  id
  name
  url
  events
  batch
  linkIds
  excludeBots
  isActive
  createdAt
  updatedAt
  failingSince
  disabledAt
  disabledReason
}
    `, {"fragmentName":"SentWebhook"}) as unknown as TypedDocumentString<SentWebhookFragment, unknown>;
export const SentEventFragmentDoc = new TypedDocumentString(`
    fragment SentEvent on EventPayload {
  ... on LinkCreatedEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkExpiredEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkUsedUpEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkDeletedEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkClickedEventPayload {
    type
    timestamp
    data {
      ...SentLinkClickPayload
    }
  }
  ... on ImportFinishedEventPayload {
    type
    timestamp
    data {
      ...SentImport
    }
  }
  ... on DomainCreatedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainActivatedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainFailingEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainDeletedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on SubdomainClaimedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on SubdomainActivatedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on SubdomainUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on SubdomainReleasedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on ApiKeyCreatedEventPayload {
    type
    timestamp
    data {
      ...SentApiKey
    }
  }
  ... on ApiKeyRevokedEventPayload {
    type
    timestamp
    data {
      ...SentApiKey
    }
  }
  ... on SubscriptionUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentSubscription
    }
  }
  ... on InvoicePaidEventPayload {
    type
    timestamp
    data {
      ...SentInvoice
    }
  }
  ... on WebhookDisabledEventPayload {
    type
    timestamp
    data {
      ...SentWebhook
    }
  }
  ... on WebhookTestEventPayload {
    type
    timestamp
    data {
      ...SentWebhook
    }
  }
}
    fragment SentLink on Link {
  id
  destinationUrl
  utm {
    source
    medium
    campaign
    term
    content
  }
  slug
  domain_Link: domain
  shortUrl
  isActive
  state_Link: state
  title
  notes
  tags
  externalId
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  card {
    title
    description
    imageUrl
  }
  app {
    iosUri
    iosStoreUrl
    androidUri
    androidPackage
    data
  }
  blockedAt
  clickCount
  importedClicks
  lastClickedAt
  createdAt
  updatedAt
}
fragment SentLinkClickPayload on LinkClickPayload {
  click {
    id
    clickedAt
    browser
    os
    device
    isBot
    referrerHost
    country
    language
    utmSource
    utmMedium
    utmCampaign
    utmTerm
    utmContent
    trigger
    destination
    rule
    source
    channel
    linkId
  }
  link {
    ...SentLink
  }
}
fragment SentImport on Import {
  id
  source
  encoding
  hasHeader
  columns {
    name
    field
  }
  dateFormat
  hasUnsureDates
  domain_Import: domain
  isDryRun
  state_Import: state
  total
  done
  created
  skipped
  failed
  resultRows
  error
  createdAt
  finishedAt
}
fragment SentCustomDomain on CustomDomain {
  id
  domain_CustomDomain: domain
  status_CustomDomain: status
  verificationToken
  dnsRecords {
    type
    name
    value
    found
    isSet
    problem
  }
  createdAt
  updatedAt
  activatedAt
  failingSince
  checkedAt
  settings {
    rootUrl
    notFoundUrl
    expiredUrl
    faviconUrl
    robotsText
    securityContact
    ignoresCase
    defaultTags
    forwardsQuery
  }
}
fragment SentSubdomainClaim on SubdomainClaim {
  id
  subdomain
  host
  status_SubdomainClaim: status
  claimedAt
  updatedAt
  activatedAt
  settings {
    rootUrl
    notFoundUrl
    expiredUrl
    faviconUrl
    robotsText
    securityContact
    ignoresCase
    defaultTags
    forwardsQuery
  }
}
fragment SentApiKey on ApiKey {
  id
  name
  prefix
  isPersonal
  scopes
  allowedNetworks
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}
fragment SentSubscription on Subscription {
  id
  planId
  status_Subscription: status
  interval
  currentPeriodStart
  currentPeriodEnd
  cancelAtPeriodEnd
  gracePeriodEnd
  createdAt
}
fragment SentInvoice on Invoice {
  id
  number
  status_Invoice: status
  currency
  amountDue
  amountPaid
  createdAt
  hostedUrl
  pdfUrl
}
fragment SentWebhook on Webhook {
  id
  name
  url
  events
  batch
  linkIds
  excludeBots
  isActive
  createdAt
  updatedAt
  failingSince
  disabledAt
  disabledReason
}`, {"fragmentName":"SentEvent"}) as unknown as TypedDocumentString<SentEventFragment, unknown>;
export const WebhookStateFragmentDoc = new TypedDocumentString(`
    fragment WebhookState on Webhook {
  id
  name
  url
  events
  batch
  linkIds
  excludeBots
  isActive
  createdAt
  updatedAt
  failingSince
  disabledAt
  disabledReason
}
    `, {"fragmentName":"WebhookState"}) as unknown as TypedDocumentString<WebhookStateFragment, unknown>;
export const HostFactsFragmentDoc = new TypedDocumentString(`
    fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}
    `, {"fragmentName":"HostFacts"}) as unknown as TypedDocumentString<HostFactsFragment, unknown>;
export const DomainStateFragmentDoc = new TypedDocumentString(`
    fragment DomainState on CustomDomain {
  id
  domain
  status
  createdAt
  updatedAt
  activatedAt
  failingSince
  checkedAt
  dnsRecords {
    type
    name
    value
    found
    isSet
    problem
  }
  settings {
    ...HostFacts
  }
}
    fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`, {"fragmentName":"DomainState"}) as unknown as TypedDocumentString<DomainStateFragment, unknown>;
export const SubdomainCardFragmentDoc = new TypedDocumentString(`
    fragment SubdomainCard on SubdomainClaim {
  id
  host
  status
  activatedAt
  updatedAt
  settings {
    ...HostFacts
  }
}
    fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`, {"fragmentName":"SubdomainCard"}) as unknown as TypedDocumentString<SubdomainCardFragment, unknown>;
export const ClaimHostFragmentDoc = new TypedDocumentString(`
    fragment ClaimHost on Instance {
  baseUrl
  subdomainHost
}
    `, {"fragmentName":"ClaimHost"}) as unknown as TypedDocumentString<ClaimHostFragment, unknown>;
export const ImportErrorsFragmentDoc = new TypedDocumentString(`
    fragment ImportErrors on ImportErrorPageResult {
  total
  page
  pageSize
  totalPages
  data {
    row
    code
    column
    message
    slug
  }
}
    `, {"fragmentName":"ImportErrors"}) as unknown as TypedDocumentString<ImportErrorsFragment, unknown>;
export const ImportFactsFragmentDoc = new TypedDocumentString(`
    fragment ImportFacts on Import {
  id
  source
  encoding
  hasHeader
  columns {
    name
    field
  }
  dateFormat
  hasUnsureDates
  resultRows
  domain
  isDryRun
  state
  total
  done
  created
  skipped
  failed
  error
  createdAt
  finishedAt
}
    `, {"fragmentName":"ImportFacts"}) as unknown as TypedDocumentString<ImportFactsFragment, unknown>;
export const LinkHostsFragmentDoc = new TypedDocumentString(`
    fragment LinkHosts on Query {
  instance {
    baseUrl
    subdomainHost
  }
  domains(pageSize: 100) {
    data {
      id
      domain
      status
    }
  }
  subdomain {
    id
    host
    status
  }
}
    `, {"fragmentName":"LinkHosts"}) as unknown as TypedDocumentString<LinkHostsFragment, unknown>;
export const WhyNotFragmentDoc = new TypedDocumentString(`
    fragment WhyNot on ErrorPayload {
  code
  message
  validationErrors {
    path
    message
  }
}
    `, {"fragmentName":"WhyNot"}) as unknown as TypedDocumentString<WhyNotFragment, unknown>;
export const ClickLineFragmentDoc = new TypedDocumentString(`
    fragment ClickLine on ClickEvent {
  id
  clickedAt
  browser
  os
  device
  isBot
  referrerHost
  country
}
    `, {"fragmentName":"ClickLine"}) as unknown as TypedDocumentString<ClickLineFragment, unknown>;
export const LinkCoreFragmentDoc = new TypedDocumentString(`
    fragment LinkCore on Link {
  id
  slug
  domain
  shortUrl
  destinationUrl
  title
  notes
  externalId
  tags
  isActive
  state
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  updatedAt
  utm {
    source
    medium
    campaign
    term
    content
  }
}
    `, {"fragmentName":"LinkCore"}) as unknown as TypedDocumentString<LinkCoreFragment, unknown>;
export const LinkRowFragmentDoc = new TypedDocumentString(`
    fragment LinkRow on Link {
  ...LinkCore
  clickCount
  importedClicks
  createdAt
  clickSeries(days: 14) {
    clicks
  }
}
    fragment LinkCore on Link {
  id
  slug
  domain
  shortUrl
  destinationUrl
  title
  notes
  externalId
  tags
  isActive
  state
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  updatedAt
  utm {
    source
    medium
    campaign
    term
    content
  }
}`, {"fragmentName":"LinkRow"}) as unknown as TypedDocumentString<LinkRowFragment, unknown>;
export const ReportRowFragmentDoc = new TypedDocumentString(`
    fragment ReportRow on Report {
  id
  name
  linkId
  link {
    id
    slug
    shortUrl
    title
  }
  filter {
    dimension
    operator
    values
  }
  period
  back
  from
  to
  includeBots
  panels
  showsDestinations
  embedOrigins
  hasPassword
  expiresAt
  isShared
  url
  updatedAt
}
    `, {"fragmentName":"ReportRow"}) as unknown as TypedDocumentString<ReportRowFragment, unknown>;
export const RulesShownFragmentDoc = new TypedDocumentString(`
    fragment RulesShown on LinkRules {
  id
  updatedAt
  rules {
    number
    name
    conditions {
      kind
      values
      key
      negated
    }
    destination {
      url
    }
    split {
      destination {
        url
        label
      }
      weight
    }
  }
  warnings {
    rule
    condition
    reason
  }
}
    `, {"fragmentName":"RulesShown"}) as unknown as TypedDocumentString<RulesShownFragment, unknown>;
export const SplitShownFragmentDoc = new TypedDocumentString(`
    fragment SplitShown on LinkSplit {
  id
  updatedAt
  autoStopsAt
  parts {
    destination {
      url
      label
    }
    weight
  }
}
    `, {"fragmentName":"SplitShown"}) as unknown as TypedDocumentString<SplitShownFragment, unknown>;
export const SignedInFragmentDoc = new TypedDocumentString(`
    fragment SignedIn on User {
  id
  email
  name
  createdAt
  emailVerifiedAt
  pendingEmail
}
    `, {"fragmentName":"SignedIn"}) as unknown as TypedDocumentString<SignedInFragment, unknown>;
export const ExportLinksFragmentDoc = new TypedDocumentString(`
    fragment ExportLinks on LinkPageResult {
  total
  data {
    id
    shortUrl
    clickCount
  }
}
    `, {"fragmentName":"ExportLinks"}) as unknown as TypedDocumentString<ExportLinksFragment, unknown>;
export const IdentityRowFragmentDoc = new TypedDocumentString(`
    fragment IdentityRow on Identity {
  id
  provider
  email
  createdAt
  lastUsedAt
}
    `, {"fragmentName":"IdentityRow"}) as unknown as TypedDocumentString<IdentityRowFragment, unknown>;
export const PasskeyRowFragmentDoc = new TypedDocumentString(`
    fragment PasskeyRow on Passkey {
  id
  name
  createdAt
  lastUsedAt
}
    `, {"fragmentName":"PasskeyRow"}) as unknown as TypedDocumentString<PasskeyRowFragment, unknown>;
export const SecurityStateFragmentDoc = new TypedDocumentString(`
    fragment SecurityState on Security {
  totpSince
  hasPassword
  recoveryCodesLeft
}
    `, {"fragmentName":"SecurityState"}) as unknown as TypedDocumentString<SecurityStateFragment, unknown>;
export const SessionRowFragmentDoc = new TypedDocumentString(`
    fragment SessionRow on Session {
  id
  browser
  os
  country
  createdAt
  lastSeenAt
  isCurrent
}
    `, {"fragmentName":"SessionRow"}) as unknown as TypedDocumentString<SessionRowFragment, unknown>;
export const TagRowFragmentDoc = new TypedDocumentString(`
    fragment TagRow on Tag {
  id
  name
  linkCount
  createdAt
  updatedAt
}
    `, {"fragmentName":"TagRow"}) as unknown as TypedDocumentString<TagRowFragment, unknown>;
export const TransferFactsFragmentDoc = new TypedDocumentString(`
    fragment TransferFacts on Transfer {
  id
  fromAccount {
    id
    name
  }
  toAccount {
    id
    name
  }
  domain
  shortUrls
  linkCount
  movedLinks
  state
  expiresAt
}
    `, {"fragmentName":"TransferFacts"}) as unknown as TypedDocumentString<TransferFactsFragment, unknown>;
export const TransfersFragmentDoc = new TypedDocumentString(`
    fragment Transfers on TransferPageResult {
  total
  data {
    ...TransferFacts
  }
}
    fragment TransferFacts on Transfer {
  id
  fromAccount {
    id
    name
  }
  toAccount {
    id
    name
  }
  domain
  shortUrls
  linkCount
  movedLinks
  state
  expiresAt
}`, {"fragmentName":"Transfers"}) as unknown as TypedDocumentString<TransfersFragment, unknown>;
export const UtmTemplateFieldsFragmentDoc = new TypedDocumentString(`
    fragment UtmTemplateFields on UtmTemplate {
  id
  name
  source
  medium
  campaign
  term
  content
  updatedAt
}
    `, {"fragmentName":"UtmTemplateFields"}) as unknown as TypedDocumentString<UtmTemplateFieldsFragment, unknown>;
export const RegisterDocument = new TypedDocumentString(`
    mutation Register($input: RegisterInput!) {
  register(input: $input) {
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RegisterMutation, RegisterMutationVariables>;
export const ForgotPasswordDocument = new TypedDocumentString(`
    mutation ForgotPassword($input: ForgotPasswordInput!) {
  forgotPassword(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<ForgotPasswordMutation, ForgotPasswordMutationVariables>;
export const ProofDocument = new TypedDocumentString(`
    query Proof {
  security {
    totpSince
    hasPassword
  }
  identities {
    identities {
      id
    }
  }
  passkeys {
    passkeys {
      id
    }
  }
  instance {
    ...WaysIn
  }
}
    fragment WaysIn on Instance {
  needsSetup
  registration
  hasPasswordLogin
  hasPasskeys
  companySignIn
}`) as unknown as TypedDocumentString<ProofQuery, ProofQueryVariables>;
export const StartPasskeyProofDocument = new TypedDocumentString(`
    mutation StartPasskeyProof {
  startPasskeyProof {
    challenge
    options
  }
}
    `) as unknown as TypedDocumentString<StartPasskeyProofMutation, StartPasskeyProofMutationVariables>;
export const ConfirmAccessDocument = new TypedDocumentString(`
    mutation ConfirmAccess($input: ConfirmAccessInput!) {
  confirmAccess(input: $input) {
    user {
      ...SignedIn
    }
    accessToken
    expiresIn
  }
}
    fragment SignedIn on User {
  id
  email
  name
  createdAt
  emailVerifiedAt
  pendingEmail
}`) as unknown as TypedDocumentString<ConfirmAccessMutation, ConfirmAccessMutationVariables>;
export const ResetPasswordDocument = new TypedDocumentString(`
    mutation ResetPassword($input: ResetPasswordInput!) {
  resetPassword(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<ResetPasswordMutation, ResetPasswordMutationVariables>;
export const SetupInstanceDocument = new TypedDocumentString(`
    query SetupInstance {
  instance {
    ...WaysIn
    baseUrl
    isMailConfigured
    version
  }
}
    fragment WaysIn on Instance {
  needsSetup
  registration
  hasPasswordLogin
  hasPasskeys
  companySignIn
}`) as unknown as TypedDocumentString<SetupInstanceQuery, SetupInstanceQueryVariables>;
export const UndoEmailChangeDocument = new TypedDocumentString(`
    mutation UndoEmailChange($input: UndoEmailChangeInput!) {
  undoEmailChange(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<UndoEmailChangeMutation, UndoEmailChangeMutationVariables>;
export const SendVerificationDocument = new TypedDocumentString(`
    mutation SendVerification {
  sendVerification {
    message
  }
}
    `) as unknown as TypedDocumentString<SendVerificationMutation, SendVerificationMutationVariables>;
export const VerifyEmailDocument = new TypedDocumentString(`
    mutation VerifyEmail($input: VerifyEmailInput!) {
  verifyEmail(input: $input) {
    message
  }
}
    `) as unknown as TypedDocumentString<VerifyEmailMutation, VerifyEmailMutationVariables>;
export const SignInInstanceDocument = new TypedDocumentString(`
    query SignInInstance {
  instance {
    ...WaysIn
  }
}
    fragment WaysIn on Instance {
  needsSetup
  registration
  hasPasswordLogin
  hasPasskeys
  companySignIn
}`) as unknown as TypedDocumentString<SignInInstanceQuery, SignInInstanceQueryVariables>;
export const BreakdownDocument = new TypedDocumentString(`
    query Breakdown($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $linkId: ID, $dimension: ClickDimension!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!], $found: [ClickCondition!], $search: String, $page: Int!, $pageSize: Int!, $yearFrom: DateTime!, $yearTo: DateTime!, $withYear: Boolean!, $withPrevious: Boolean!) {
  clickBreakdown(
    linkId: $linkId
    dimension: $dimension
    from: $from
    to: $to
    includeBots: $includeBots
    filter: $found
    search: $search
    page: $page
    pageSize: $pageSize
  ) {
    isExact
    total
    page
    pageSize
    totalPages
    data {
      value
      clicks
      uniques
      bots
    }
  }
  ofAll: accountClickSummary(
    from: $from
    to: $to
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @skip(if: $isOfLink) {
    totals {
      ...SummaryTotals
    }
    previous @include(if: $withPrevious) {
      clicks
      uniques
      bots
    }
    top {
      ...BreakdownPlaces
    }
  }
  ofLink: clickSummary(
    linkId: $id
    from: $from
    to: $to
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @skip(if: $isOfAll) {
    totals {
      ...SummaryTotals
    }
    previous @include(if: $withPrevious) {
      clicks
      uniques
      bots
    }
    top {
      ...BreakdownPlaces
    }
  }
  yearOfAll: accountClickSummary(
    from: $yearFrom
    to: $yearTo
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @include(if: $withYear) @skip(if: $isOfLink) {
    totals {
      ...SummaryTotals
    }
  }
  yearOfLink: clickSummary(
    linkId: $id
    from: $yearFrom
    to: $yearTo
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @include(if: $withYear) @skip(if: $isOfAll) {
    totals {
      ...SummaryTotals
    }
  }
  me {
    id
    account {
      id
      createdAt
    }
  }
  link(id: $id) @skip(if: $isOfAll) {
    id
    shortUrl
    destinationUrl
    createdAt
  }
  linkRules(linkId: $id) @skip(if: $isOfAll) {
    id
    destinations {
      number
      url
      label
    }
  }
}
    fragment BreakdownPlaces on TopStats {
  regions {
    values {
      clicks
    }
  }
  cities {
    values {
      clicks
    }
  }
}
fragment SummaryTotals on TotalStats {
  clicks
  uniques
  bots
}`) as unknown as TypedDocumentString<BreakdownQuery, BreakdownQueryVariables>;
export const BreakdownLinksDocument = new TypedDocumentString(`
    query BreakdownLinks($from: DateTime!, $to: DateTime, $includeBots: Boolean!, $filter: [ClickCondition!], $limit: Int!) {
  accountClickSummary(
    from: $from
    to: $to
    includeBots: $includeBots
    filter: $filter
    limit: $limit
  ) {
    links {
      linkId
      link {
        id
        slug
        shortUrl
        title
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BreakdownLinksQuery, BreakdownLinksQueryVariables>;
export const CountryDataDocument = new TypedDocumentString(`
    query CountryData {
  instance {
    countryData {
      name
      builtAt
      isBuiltIn
    }
  }
}
    `) as unknown as TypedDocumentString<CountryDataQuery, CountryDataQueryVariables>;
export const ClicksByHourDocument = new TypedDocumentString(`
    query ClicksByHour($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {
  ofAll: accountClickSummary(
    from: $from
    to: $to
    interval: HOUR
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @skip(if: $isOfLink) {
    from
    series {
      start
      clicks
    }
  }
  ofLink: clickSummary(
    linkId: $id
    from: $from
    to: $to
    interval: HOUR
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @skip(if: $isOfAll) {
    from
    series {
      start
      clicks
    }
  }
}
    `) as unknown as TypedDocumentString<ClicksByHourQuery, ClicksByHourQueryVariables>;
export const ConditionLinkDocument = new TypedDocumentString(`
    query ConditionLink($id: ID!) {
  link(id: $id) {
    id
    slug
    shortUrl
    title
  }
}
    `) as unknown as TypedDocumentString<ConditionLinkQuery, ConditionLinkQueryVariables>;
export const CreateAnnotationDocument = new TypedDocumentString(`
    mutation CreateAnnotation($input: CreateAnnotationInput!) {
  createAnnotation(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateAnnotationMutation, CreateAnnotationMutationVariables>;
export const UpdateAnnotationDocument = new TypedDocumentString(`
    mutation UpdateAnnotation($id: ID!, $input: UpdateAnnotationInput!) {
  updateAnnotation(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateAnnotationMutation, UpdateAnnotationMutationVariables>;
export const DeleteAnnotationDocument = new TypedDocumentString(`
    mutation DeleteAnnotation($id: ID!) {
  deleteAnnotation(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteAnnotationMutation, DeleteAnnotationMutationVariables>;
export const ClicksByCountryDocument = new TypedDocumentString(`
    query ClicksByCountry($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {
  ofAll: accountClickSummary(
    from: $from
    to: $to
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 100
  ) @skip(if: $isOfLink) {
    totals {
      clicks
    }
    top {
      countries {
        values {
          value
          clicks
        }
      }
    }
  }
  ofLink: clickSummary(
    linkId: $id
    from: $from
    to: $to
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 100
  ) @skip(if: $isOfAll) {
    totals {
      clicks
    }
    top {
      countries {
        values {
          value
          clicks
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ClicksByCountryQuery, ClicksByCountryQueryVariables>;
export const HostAppsDocument = new TypedDocumentString(`
    query HostApps($host: String!) {
  hostApps(host: $host) {
    host
    iosApps {
      appId
      paths
    }
    androidApps {
      packageName
      fingerprints
    }
    appleFile
    androidFile
    updatedAt
  }
}
    `) as unknown as TypedDocumentString<HostAppsQuery, HostAppsQueryVariables>;
export const SetHostAppsDocument = new TypedDocumentString(`
    mutation SetHostApps($host: String!, $input: SetHostAppsInput!) {
  setHostApps(host: $host, input: $input) {
    updatedAt
  }
}
    `) as unknown as TypedDocumentString<SetHostAppsMutation, SetHostAppsMutationVariables>;
export const CreatePublishableKeyDocument = new TypedDocumentString(`
    mutation CreatePublishableKey($input: CreatePublishableKeyInput!) {
  createPublishableKey(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreatePublishableKeyMutation, CreatePublishableKeyMutationVariables>;
export const UpdatePublishableKeyDocument = new TypedDocumentString(`
    mutation UpdatePublishableKey($id: ID!, $input: UpdatePublishableKeyInput!) {
  updatePublishableKey(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdatePublishableKeyMutation, UpdatePublishableKeyMutationVariables>;
export const DeletePublishableKeyDocument = new TypedDocumentString(`
    mutation DeletePublishableKey($id: ID!) {
  deletePublishableKey(id: $id)
}
    `) as unknown as TypedDocumentString<DeletePublishableKeyMutation, DeletePublishableKeyMutationVariables>;
export const LinkAppPageDocument = new TypedDocumentString(`
    query LinkAppPage($id: ID!) {
  link(id: $id) {
    id
    shortUrl
    updatedAt
    ...LinkApps
  }
}
    fragment LinkApps on Link {
  app {
    iosUri
    iosStoreUrl
    androidUri
    androidPackage
    data
  }
}`) as unknown as TypedDocumentString<LinkAppPageQuery, LinkAppPageQueryVariables>;
export const SetLinkAppDocument = new TypedDocumentString(`
    mutation SetLinkApp($id: ID!, $input: UpdateLinkInput!) {
  updateLink(id: $id, input: $input) {
    id
    updatedAt
    ...LinkApps
  }
}
    fragment LinkApps on Link {
  app {
    iosUri
    iosStoreUrl
    androidUri
    androidPackage
    data
  }
}`) as unknown as TypedDocumentString<SetLinkAppMutation, SetLinkAppMutationVariables>;
export const AppsPageDocument = new TypedDocumentString(`
    query AppsPage {
  ...LinkHosts
  publishableKeys {
    total
    page
    pageSize
    totalPages
    data {
      id
      name
      key
      hosts
      updatedAt
    }
  }
}
    fragment LinkHosts on Query {
  instance {
    baseUrl
    subdomainHost
  }
  domains(pageSize: 100) {
    data {
      id
      domain
      status
    }
  }
  subdomain {
    id
    host
    status
  }
}`) as unknown as TypedDocumentString<AppsPageQuery, AppsPageQueryVariables>;
export const BillingDocument = new TypedDocumentString(`
    query Billing {
  me {
    id
    account {
      id
      plan
    }
  }
  plans {
    plans {
      ...PlanCard
    }
  }
  usage {
    ...UsageBars
  }
  subscription {
    ...SubscriptionState
  }
  invoices {
    invoices {
      ...InvoiceRow
    }
  }
}
    fragment InvoiceRow on Invoice {
  id
  number
  status
  currency
  amountDue
  createdAt
  hostedUrl
  pdfUrl
}
fragment PlanCard on Plan {
  id
  name
  currency
  monthlyPrice
  yearlyPrice
  intervals
  limits {
    links
    domains
    webhooks
    apiKeys
    requestsPerMinute
    retentionDays
  }
}
fragment SubscriptionState on Subscription {
  id
  planId
  status
  interval
  currentPeriodEnd
  cancelAtPeriodEnd
  gracePeriodEnd
  createdAt
}
fragment UsageBars on UsageResult {
  periodStart
  periodEnd
  links {
    used
    limit
  }
  clicks {
    used
  }
  domains {
    used
    limit
  }
  webhooks {
    used
    limit
  }
  apiKeys {
    used
    limit
  }
  apiCalls {
    used
  }
}`) as unknown as TypedDocumentString<BillingQuery, BillingQueryVariables>;
export const CreateCheckoutDocument = new TypedDocumentString(`
    mutation CreateCheckout($input: CreateCheckoutInput!) {
  createCheckout(input: $input) {
    checkoutUrl
  }
}
    `) as unknown as TypedDocumentString<CreateCheckoutMutation, CreateCheckoutMutationVariables>;
export const CreateBillingPortalDocument = new TypedDocumentString(`
    mutation CreateBillingPortal {
  createBillingPortal {
    portalUrl
  }
}
    `) as unknown as TypedDocumentString<CreateBillingPortalMutation, CreateBillingPortalMutationVariables>;
export const CardPageDocument = new TypedDocumentString(`
    query CardPage($id: ID!) {
  link(id: $id) {
    id
    domain
    shortUrl
    destinationUrl
    updatedAt
    ...CardTexts
  }
}
    fragment CardTexts on Link {
  card {
    title
    description
    imageUrl
  }
}`) as unknown as TypedDocumentString<CardPageQuery, CardPageQueryVariables>;
export const PageMetadataDocument = new TypedDocumentString(`
    query PageMetadata($url: String!) {
  fetchMetadata(url: $url) {
    title
    description
    imageUrl
  }
}
    `) as unknown as TypedDocumentString<PageMetadataQuery, PageMetadataQueryVariables>;
export const SetCardDocument = new TypedDocumentString(`
    mutation SetCard($id: ID!, $input: UpdateLinkInput!) {
  updateLink(id: $id, input: $input) {
    id
    updatedAt
    ...CardTexts
  }
}
    fragment CardTexts on Link {
  card {
    title
    description
    imageUrl
  }
}`) as unknown as TypedDocumentString<SetCardMutation, SetCardMutationVariables>;
export const RedeliverDocument = new TypedDocumentString(`
    mutation Redeliver($webhookId: ID!, $deliveryId: ID!) {
  redeliver(webhookId: $webhookId, deliveryId: $deliveryId) {
    id
  }
}
    `) as unknown as TypedDocumentString<RedeliverMutation, RedeliverMutationVariables>;
export const CreateApiKeyDocument = new TypedDocumentString(`
    mutation CreateApiKey($input: CreateApiKeyInput!) {
  createApiKey(input: $input) {
    key
    apiKey {
      id
      scopes
    }
  }
}
    `) as unknown as TypedDocumentString<CreateApiKeyMutation, CreateApiKeyMutationVariables>;
export const ApiKeysDocument = new TypedDocumentString(`
    query ApiKeys($page: Int!, $pageSize: Int!) {
  apiKeys(page: $page, pageSize: $pageSize) {
    total
    page
    pageSize
    totalPages
    data {
      id
      name
      prefix
      scopes
      allowedNetworks
      createdAt
      lastUsedAt
      expiresAt
      revokedAt
    }
  }
  usage {
    apiKeys {
      used
      limit
    }
  }
}
    `) as unknown as TypedDocumentString<ApiKeysQuery, ApiKeysQueryVariables>;
export const RevokeApiKeyDocument = new TypedDocumentString(`
    mutation RevokeApiKey($id: ID!) {
  revokeApiKey(id: $id)
}
    `) as unknown as TypedDocumentString<RevokeApiKeyMutation, RevokeApiKeyMutationVariables>;
export const LinksToPickDocument = new TypedDocumentString(`
    query LinksToPick($search: String!) {
  links(search: $search, pageSize: 6, sort: MOST_CLICKED) {
    data {
      id
      shortUrl
    }
  }
}
    `) as unknown as TypedDocumentString<LinksToPickQuery, LinksToPickQueryVariables>;
export const LinkNameDocument = new TypedDocumentString(`
    query LinkName($id: ID!) {
  link(id: $id) {
    id
    shortUrl
  }
}
    `) as unknown as TypedDocumentString<LinkNameQuery, LinkNameQueryVariables>;
export const DeliveryPayloadDocument = new TypedDocumentString(`
    query DeliveryPayload($webhookId: ID!, $page: Int!, $status: DeliveryStatus) {
  webhookDeliveries(
    webhookId: $webhookId
    page: $page
    pageSize: 1
    status: $status
  ) {
    total
    deliveries {
      id
      batchSize
      payloads(pageSize: 100) {
        data {
          ...SentEvent
        }
      }
    }
  }
}
    fragment SentEvent on EventPayload {
  ... on LinkCreatedEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkExpiredEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkUsedUpEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkDeletedEventPayload {
    type
    timestamp
    data {
      ...SentLink
    }
  }
  ... on LinkClickedEventPayload {
    type
    timestamp
    data {
      ...SentLinkClickPayload
    }
  }
  ... on ImportFinishedEventPayload {
    type
    timestamp
    data {
      ...SentImport
    }
  }
  ... on DomainCreatedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainActivatedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainFailingEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on DomainDeletedEventPayload {
    type
    timestamp
    data {
      ...SentCustomDomain
    }
  }
  ... on SubdomainClaimedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on SubdomainActivatedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on SubdomainUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on SubdomainReleasedEventPayload {
    type
    timestamp
    data {
      ...SentSubdomainClaim
    }
  }
  ... on ApiKeyCreatedEventPayload {
    type
    timestamp
    data {
      ...SentApiKey
    }
  }
  ... on ApiKeyRevokedEventPayload {
    type
    timestamp
    data {
      ...SentApiKey
    }
  }
  ... on SubscriptionUpdatedEventPayload {
    type
    timestamp
    data {
      ...SentSubscription
    }
  }
  ... on InvoicePaidEventPayload {
    type
    timestamp
    data {
      ...SentInvoice
    }
  }
  ... on WebhookDisabledEventPayload {
    type
    timestamp
    data {
      ...SentWebhook
    }
  }
  ... on WebhookTestEventPayload {
    type
    timestamp
    data {
      ...SentWebhook
    }
  }
}
fragment SentLink on Link {
  id
  destinationUrl
  utm {
    source
    medium
    campaign
    term
    content
  }
  slug
  domain_Link: domain
  shortUrl
  isActive
  state_Link: state
  title
  notes
  tags
  externalId
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  card {
    title
    description
    imageUrl
  }
  app {
    iosUri
    iosStoreUrl
    androidUri
    androidPackage
    data
  }
  blockedAt
  clickCount
  importedClicks
  lastClickedAt
  createdAt
  updatedAt
}
fragment SentLinkClickPayload on LinkClickPayload {
  click {
    id
    clickedAt
    browser
    os
    device
    isBot
    referrerHost
    country
    language
    utmSource
    utmMedium
    utmCampaign
    utmTerm
    utmContent
    trigger
    destination
    rule
    source
    channel
    linkId
  }
  link {
    ...SentLink
  }
}
fragment SentImport on Import {
  id
  source
  encoding
  hasHeader
  columns {
    name
    field
  }
  dateFormat
  hasUnsureDates
  domain_Import: domain
  isDryRun
  state_Import: state
  total
  done
  created
  skipped
  failed
  resultRows
  error
  createdAt
  finishedAt
}
fragment SentCustomDomain on CustomDomain {
  id
  domain_CustomDomain: domain
  status_CustomDomain: status
  verificationToken
  dnsRecords {
    type
    name
    value
    found
    isSet
    problem
  }
  createdAt
  updatedAt
  activatedAt
  failingSince
  checkedAt
  settings {
    rootUrl
    notFoundUrl
    expiredUrl
    faviconUrl
    robotsText
    securityContact
    ignoresCase
    defaultTags
    forwardsQuery
  }
}
fragment SentSubdomainClaim on SubdomainClaim {
  id
  subdomain
  host
  status_SubdomainClaim: status
  claimedAt
  updatedAt
  activatedAt
  settings {
    rootUrl
    notFoundUrl
    expiredUrl
    faviconUrl
    robotsText
    securityContact
    ignoresCase
    defaultTags
    forwardsQuery
  }
}
fragment SentApiKey on ApiKey {
  id
  name
  prefix
  isPersonal
  scopes
  allowedNetworks
  createdAt
  lastUsedAt
  expiresAt
  revokedAt
}
fragment SentSubscription on Subscription {
  id
  planId
  status_Subscription: status
  interval
  currentPeriodStart
  currentPeriodEnd
  cancelAtPeriodEnd
  gracePeriodEnd
  createdAt
}
fragment SentInvoice on Invoice {
  id
  number
  status_Invoice: status
  currency
  amountDue
  amountPaid
  createdAt
  hostedUrl
  pdfUrl
}
fragment SentWebhook on Webhook {
  id
  name
  url
  events
  batch
  linkIds
  excludeBots
  isActive
  createdAt
  updatedAt
  failingSince
  disabledAt
  disabledReason
}`) as unknown as TypedDocumentString<DeliveryPayloadQuery, DeliveryPayloadQueryVariables>;
export const TestWebhookDocument = new TypedDocumentString(`
    mutation TestWebhook($id: ID!) {
  testWebhook(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<TestWebhookMutation, TestWebhookMutationVariables>;
export const RotateWebhookSecretDocument = new TypedDocumentString(`
    mutation RotateWebhookSecret($id: ID!) {
  rotateWebhookSecret(id: $id) {
    secret
  }
}
    `) as unknown as TypedDocumentString<RotateWebhookSecretMutation, RotateWebhookSecretMutationVariables>;
export const DeleteWebhookDocument = new TypedDocumentString(`
    mutation DeleteWebhook($id: ID!) {
  deleteWebhook(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const UpdateWebhookDocument = new TypedDocumentString(`
    mutation UpdateWebhook($id: ID!, $input: UpdateWebhookInput!) {
  updateWebhook(id: $id, input: $input) {
    ...WebhookState
  }
}
    fragment WebhookState on Webhook {
  id
  name
  url
  events
  batch
  linkIds
  excludeBots
  isActive
  createdAt
  updatedAt
  failingSince
  disabledAt
  disabledReason
}`) as unknown as TypedDocumentString<UpdateWebhookMutation, UpdateWebhookMutationVariables>;
export const CreateWebhookDocument = new TypedDocumentString(`
    mutation CreateWebhook($input: CreateWebhookInput!) {
  createWebhook(input: $input) {
    webhook {
      id
    }
    secret
  }
}
    `) as unknown as TypedDocumentString<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const WebhookPageDocument = new TypedDocumentString(`
    query WebhookPage($id: ID!, $page: Int!, $pageSize: Int!, $status: DeliveryStatus) {
  webhook(id: $id) {
    ...WebhookState
    deliveries(page: $page, pageSize: $pageSize, status: $status) {
      total
      page
      pageSize
      totalPages
      deliveries {
        ...DeliveryLine
      }
    }
  }
}
    fragment DeliveryLine on Delivery {
  id
  messageId
  event
  batchSize
  status
  attemptCount
  nextAttemptAt
  createdAt
  completedAt
  attempts {
    attemptedAt
    statusCode
    durationMs
    responseStart
    error
  }
}
fragment WebhookState on Webhook {
  id
  name
  url
  events
  batch
  linkIds
  excludeBots
  isActive
  createdAt
  updatedAt
  failingSince
  disabledAt
  disabledReason
}`) as unknown as TypedDocumentString<WebhookPageQuery, WebhookPageQueryVariables>;
export const DeliveryChangedDocument = new TypedDocumentString(`
    subscription DeliveryChanged($webhookId: ID!) {
  deliveryChanged(webhookId: $webhookId) {
    ...DeliveryLine
  }
}
    fragment DeliveryLine on Delivery {
  id
  messageId
  event
  batchSize
  status
  attemptCount
  nextAttemptAt
  createdAt
  completedAt
  attempts {
    attemptedAt
    statusCode
    durationMs
    responseStart
    error
  }
}`) as unknown as TypedDocumentString<DeliveryChangedSubscription, DeliveryChangedSubscriptionVariables>;
export const WebhooksDocument = new TypedDocumentString(`
    query Webhooks($page: Int!, $pageSize: Int!) {
  webhooks(page: $page, pageSize: $pageSize) {
    total
    page
    pageSize
    totalPages
    data {
      ...WebhookState
    }
  }
  usage {
    webhooks {
      used
      limit
    }
  }
}
    fragment WebhookState on Webhook {
  id
  name
  url
  events
  batch
  linkIds
  excludeBots
  isActive
  createdAt
  updatedAt
  failingSince
  disabledAt
  disabledReason
}`) as unknown as TypedDocumentString<WebhooksQuery, WebhooksQueryVariables>;
export const CreateDomainDocument = new TypedDocumentString(`
    mutation CreateDomain($input: CreateDomainInput!) {
  createDomain(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateDomainMutation, CreateDomainMutationVariables>;
export const DeleteDomainDocument = new TypedDocumentString(`
    mutation DeleteDomain($id: ID!) {
  deleteDomain(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteDomainMutation, DeleteDomainMutationVariables>;
export const LinksOnDomainDocument = new TypedDocumentString(`
    query LinksOnDomain($domain: String!) {
  links(domain: $domain, isArchived: null, pageSize: 1) {
    total
  }
}
    `) as unknown as TypedDocumentString<LinksOnDomainQuery, LinksOnDomainQueryVariables>;
export const VerifyDomainDocument = new TypedDocumentString(`
    mutation VerifyDomain($id: ID!) {
  verifyDomain(id: $id) {
    ...DomainState
  }
}
    fragment DomainState on CustomDomain {
  id
  domain
  status
  createdAt
  updatedAt
  activatedAt
  failingSince
  checkedAt
  dnsRecords {
    type
    name
    value
    found
    isSet
    problem
  }
  settings {
    ...HostFacts
  }
}
fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`) as unknown as TypedDocumentString<VerifyDomainMutation, VerifyDomainMutationVariables>;
export const DomainPageDocument = new TypedDocumentString(`
    query DomainPage($id: ID!) {
  domain(id: $id) {
    ...DomainState
  }
}
    fragment DomainState on CustomDomain {
  id
  domain
  status
  createdAt
  updatedAt
  activatedAt
  failingSince
  checkedAt
  dnsRecords {
    type
    name
    value
    found
    isSet
    problem
  }
  settings {
    ...HostFacts
  }
}
fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`) as unknown as TypedDocumentString<DomainPageQuery, DomainPageQueryVariables>;
export const DomainChangedDocument = new TypedDocumentString(`
    subscription DomainChanged($domainId: ID!) {
  domainChanged(domainId: $domainId) {
    ...DomainState
  }
}
    fragment DomainState on CustomDomain {
  id
  domain
  status
  createdAt
  updatedAt
  activatedAt
  failingSince
  checkedAt
  dnsRecords {
    type
    name
    value
    found
    isSet
    problem
  }
  settings {
    ...HostFacts
  }
}
fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`) as unknown as TypedDocumentString<DomainChangedSubscription, DomainChangedSubscriptionVariables>;
export const UpdateDomainDocument = new TypedDocumentString(`
    mutation UpdateDomain($id: ID!, $input: UpdateHostInput!) {
  updateDomain(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateDomainMutation, UpdateDomainMutationVariables>;
export const DomainsDocument = new TypedDocumentString(`
    query Domains($page: Int!, $pageSize: Int!) {
  domains(page: $page, pageSize: $pageSize) {
    total
    page
    pageSize
    totalPages
    data {
      id
      domain
      status
      createdAt
      activatedAt
      failingSince
      checkedAt
      dnsRecords {
        type
        isSet
        problem
      }
    }
  }
  usage {
    domains {
      used
      limit
    }
  }
  instance {
    ...ClaimHost
  }
  subdomain {
    ...SubdomainCard
  }
}
    fragment SubdomainCard on SubdomainClaim {
  id
  host
  status
  activatedAt
  updatedAt
  settings {
    ...HostFacts
  }
}
fragment ClaimHost on Instance {
  baseUrl
  subdomainHost
}
fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`) as unknown as TypedDocumentString<DomainsQuery, DomainsQueryVariables>;
export const ClaimSubdomainDocument = new TypedDocumentString(`
    mutation ClaimSubdomain($input: ClaimSubdomainInput!) {
  claimSubdomain(input: $input) {
    ...SubdomainCard
  }
}
    fragment SubdomainCard on SubdomainClaim {
  id
  host
  status
  activatedAt
  updatedAt
  settings {
    ...HostFacts
  }
}
fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`) as unknown as TypedDocumentString<ClaimSubdomainMutation, ClaimSubdomainMutationVariables>;
export const ActivateSubdomainDocument = new TypedDocumentString(`
    mutation ActivateSubdomain {
  activateSubdomain {
    ...SubdomainCard
  }
}
    fragment SubdomainCard on SubdomainClaim {
  id
  host
  status
  activatedAt
  updatedAt
  settings {
    ...HostFacts
  }
}
fragment HostFacts on HostSettings {
  rootUrl
  notFoundUrl
  expiredUrl
  faviconUrl
  robotsText
  securityContact
  ignoresCase
  defaultTags
  forwardsQuery
}`) as unknown as TypedDocumentString<ActivateSubdomainMutation, ActivateSubdomainMutationVariables>;
export const UpdateSubdomainDocument = new TypedDocumentString(`
    mutation UpdateSubdomain($input: UpdateHostInput!) {
  updateSubdomain(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateSubdomainMutation, UpdateSubdomainMutationVariables>;
export const ReleaseSubdomainDocument = new TypedDocumentString(`
    mutation ReleaseSubdomain {
  releaseSubdomain
}
    `) as unknown as TypedDocumentString<ReleaseSubdomainMutation, ReleaseSubdomainMutationVariables>;
export const ImportPageDocument = new TypedDocumentString(`
    query ImportPage($id: ID!, $page: Int!, $pageSize: Int!) {
  import(id: $id) {
    ...ImportFacts
  }
  importErrors(importId: $id, page: $page, pageSize: $pageSize) {
    ...ImportErrors
  }
  instance {
    ...ClaimHost
  }
}
    fragment ClaimHost on Instance {
  baseUrl
  subdomainHost
}
fragment ImportErrors on ImportErrorPageResult {
  total
  page
  pageSize
  totalPages
  data {
    row
    code
    column
    message
    slug
  }
}
fragment ImportFacts on Import {
  id
  source
  encoding
  hasHeader
  columns {
    name
    field
  }
  dateFormat
  hasUnsureDates
  resultRows
  domain
  isDryRun
  state
  total
  done
  created
  skipped
  failed
  error
  createdAt
  finishedAt
}`) as unknown as TypedDocumentString<ImportPageQuery, ImportPageQueryVariables>;
export const PreviewImportDocument = new TypedDocumentString(`
    mutation PreviewImport($input: PreviewImportInput!) {
  previewImport(input: $input) {
    source
    hasHeader
    columns {
      name
      field
      values
    }
    dateFormat
    hasUnsureDates
  }
}
    `) as unknown as TypedDocumentString<PreviewImportMutation, PreviewImportMutationVariables>;
export const StartImportDocument = new TypedDocumentString(`
    mutation StartImport($input: StartImportInput!) {
  startImport(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<StartImportMutation, StartImportMutationVariables>;
export const StartApiImportDocument = new TypedDocumentString(`
    mutation StartApiImport($input: StartApiImportInput!) {
  startApiImport(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<StartApiImportMutation, StartApiImportMutationVariables>;
export const AppendImportDocument = new TypedDocumentString(`
    mutation AppendImport($id: ID!, $input: AppendImportInput!) {
  appendImport(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<AppendImportMutation, AppendImportMutationVariables>;
export const CancelImportDocument = new TypedDocumentString(`
    mutation CancelImport($id: ID!) {
  cancelImport(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<CancelImportMutation, CancelImportMutationVariables>;
export const ImportsDocument = new TypedDocumentString(`
    query Imports {
  imports(pageSize: 50) {
    data {
      ...ImportFacts
    }
  }
  ...LinkHosts
}
    fragment ImportFacts on Import {
  id
  source
  encoding
  hasHeader
  columns {
    name
    field
  }
  dateFormat
  hasUnsureDates
  resultRows
  domain
  isDryRun
  state
  total
  done
  created
  skipped
  failed
  error
  createdAt
  finishedAt
}
fragment LinkHosts on Query {
  instance {
    baseUrl
    subdomainHost
  }
  domains(pageSize: 100) {
    data {
      id
      domain
      status
    }
  }
  subdomain {
    id
    host
    status
  }
}`) as unknown as TypedDocumentString<ImportsQuery, ImportsQueryVariables>;
export const UpdateLinkDocument = new TypedDocumentString(`
    mutation UpdateLink($id: ID!, $input: UpdateLinkInput!) {
  updateLink(id: $id, input: $input) {
    id
    slug
    shortUrl
    destinationUrl
    isActive
  }
}
    `) as unknown as TypedDocumentString<UpdateLinkMutation, UpdateLinkMutationVariables>;
export const LinkPageDocument = new TypedDocumentString(`
    query LinkPage($id: ID!) {
  link(id: $id) {
    ...LinkCore
    clickCount
    importedClicks
    lastClickedAt
    createdAt
    app {
      data
    }
    card {
      title
    }
    clicks(limit: 20) {
      data {
        id
        clickedAt
      }
    }
  }
  linkRules(linkId: $id) {
    id
    rules {
      number
    }
    destinations {
      number
      url
      label
    }
  }
  linkSplit(linkId: $id) {
    id
    parts {
      weight
    }
  }
}
    fragment LinkCore on Link {
  id
  slug
  domain
  shortUrl
  destinationUrl
  title
  notes
  externalId
  tags
  isActive
  state
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  updatedAt
  utm {
    source
    medium
    campaign
    term
    content
  }
}`) as unknown as TypedDocumentString<LinkPageQuery, LinkPageQueryVariables>;
export const LinkClickedDocument = new TypedDocumentString(`
    subscription LinkClicked($linkId: ID!) {
  clickRecorded(linkId: $linkId) {
    ...ClickLine
  }
}
    fragment ClickLine on ClickEvent {
  id
  clickedAt
  browser
  os
  device
  isBot
  referrerHost
  country
}`) as unknown as TypedDocumentString<LinkClickedSubscription, LinkClickedSubscriptionVariables>;
export const LinkFormDocument = new TypedDocumentString(`
    query LinkForm {
  ...LinkHosts
  utmTemplates(pageSize: 100) {
    data {
      ...UtmTemplateFields
    }
  }
}
    fragment LinkHosts on Query {
  instance {
    baseUrl
    subdomainHost
  }
  domains(pageSize: 100) {
    data {
      id
      domain
      status
    }
  }
  subdomain {
    id
    host
    status
  }
}
fragment UtmTemplateFields on UtmTemplate {
  id
  name
  source
  medium
  campaign
  term
  content
  updatedAt
}`) as unknown as TypedDocumentString<LinkFormQuery, LinkFormQueryVariables>;
export const KnownLinksDocument = new TypedDocumentString(`
    query KnownLinks($destinationUrl: String!, $domain: String!) {
  links(
    destinationUrl: $destinationUrl
    domain: $domain
    state: ACTIVE
    isArchived: null
    sort: OLDEST
    pageSize: 20
  ) {
    data {
      id
      title
      shortUrl
      expiresAt
      maxClicks
    }
  }
}
    `) as unknown as TypedDocumentString<KnownLinksQuery, KnownLinksQueryVariables>;
export const LinksDocument = new TypedDocumentString(`
    query Links($page: Int!, $pageSize: Int!, $search: String, $state: LinkState, $isArchived: Boolean, $domain: String, $destinationUrl: String, $externalId: String, $tags: [String!], $sort: LinkSort!) {
  links(
    page: $page
    pageSize: $pageSize
    search: $search
    state: $state
    isArchived: $isArchived
    domain: $domain
    destinationUrl: $destinationUrl
    externalId: $externalId
    tags: $tags
    sort: $sort
  ) {
    total
    page
    pageSize
    totalPages
    data {
      ...LinkRow
    }
  }
  ...LinkHosts
}
    fragment LinkCore on Link {
  id
  slug
  domain
  shortUrl
  destinationUrl
  title
  notes
  externalId
  tags
  isActive
  state
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  updatedAt
  utm {
    source
    medium
    campaign
    term
    content
  }
}
fragment LinkHosts on Query {
  instance {
    baseUrl
    subdomainHost
  }
  domains(pageSize: 100) {
    data {
      id
      domain
      status
    }
  }
  subdomain {
    id
    host
    status
  }
}
fragment LinkRow on Link {
  ...LinkCore
  clickCount
  importedClicks
  createdAt
  clickSeries(days: 14) {
    clicks
  }
}`) as unknown as TypedDocumentString<LinksQuery, LinksQueryVariables>;
export const NewestLinkDocument = new TypedDocumentString(`
    query NewestLink($search: String, $state: LinkState, $isArchived: Boolean, $domain: String, $destinationUrl: String, $externalId: String, $tags: [String!]) {
  links(
    pageSize: 1
    search: $search
    state: $state
    isArchived: $isArchived
    domain: $domain
    destinationUrl: $destinationUrl
    externalId: $externalId
    tags: $tags
  ) {
    total
    data {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<NewestLinkQuery, NewestLinkQueryVariables>;
export const ArchivedLinksDocument = new TypedDocumentString(`
    query ArchivedLinks {
  links(isArchived: true, pageSize: 1) {
    total
  }
}
    `) as unknown as TypedDocumentString<ArchivedLinksQuery, ArchivedLinksQueryVariables>;
export const LinksClicksDocument = new TypedDocumentString(`
    subscription LinksClicks {
  accountClicks {
    links {
      linkId
      clicks
    }
  }
}
    `) as unknown as TypedDocumentString<LinksClicksSubscription, LinksClicksSubscriptionVariables>;
export const ChosenLinksDocument = new TypedDocumentString(`
    query ChosenLinks($page: Int!, $search: String, $state: LinkState, $isArchived: Boolean, $domain: String, $destinationUrl: String, $externalId: String, $tags: [String!]) {
  links(
    page: $page
    pageSize: 100
    search: $search
    state: $state
    isArchived: $isArchived
    domain: $domain
    destinationUrl: $destinationUrl
    externalId: $externalId
    tags: $tags
    sort: OLDEST
  ) {
    totalPages
    data {
      id
      shortUrl
      tags
      isActive
      isArchived
    }
  }
}
    `) as unknown as TypedDocumentString<ChosenLinksQuery, ChosenLinksQueryVariables>;
export const UpdateLinksDocument = new TypedDocumentString(`
    mutation UpdateLinks($input: UpdateLinksInput!) {
  updateLinks(input: $input) {
    results {
      linkId
      error {
        ...WhyNot
      }
    }
  }
}
    fragment WhyNot on ErrorPayload {
  code
  message
  validationErrors {
    path
    message
  }
}`) as unknown as TypedDocumentString<UpdateLinksMutation, UpdateLinksMutationVariables>;
export const DeleteLinksDocument = new TypedDocumentString(`
    mutation DeleteLinks($input: DeleteLinksInput!) {
  deleteLinks(input: $input) {
    results {
      linkId
      error {
        ...WhyNot
      }
    }
  }
}
    fragment WhyNot on ErrorPayload {
  code
  message
  validationErrors {
    path
    message
  }
}`) as unknown as TypedDocumentString<DeleteLinksMutation, DeleteLinksMutationVariables>;
export const CreateLinksDocument = new TypedDocumentString(`
    mutation CreateLinks($input: CreateLinksInput!) {
  createLinks(input: $input) {
    results {
      link {
        id
        shortUrl
        destinationUrl
      }
      error {
        ...WhyNot
      }
    }
  }
}
    fragment WhyNot on ErrorPayload {
  code
  message
  validationErrors {
    path
    message
  }
}`) as unknown as TypedDocumentString<CreateLinksMutation, CreateLinksMutationVariables>;
export const CreateLinkDocument = new TypedDocumentString(`
    mutation CreateLink($input: CreateLinkInput!) {
  createLink(input: $input) {
    ...LinkCore
  }
}
    fragment LinkCore on Link {
  id
  slug
  domain
  shortUrl
  destinationUrl
  title
  notes
  externalId
  tags
  isActive
  state
  startsAt
  expiresAt
  expiredUrl
  maxClicks
  usedClicks
  isArchived
  forwardsQuery
  hasPassword
  asksFirst
  notice
  updatedAt
  utm {
    source
    medium
    campaign
    term
    content
  }
}`) as unknown as TypedDocumentString<CreateLinkMutation, CreateLinkMutationVariables>;
export const NewLinkDocument = new TypedDocumentString(`
    query NewLink {
  ...LinkHosts
  utmTemplates(pageSize: 100) {
    data {
      ...UtmTemplateFields
    }
  }
  usage {
    links {
      used
      limit
    }
  }
}
    fragment LinkHosts on Query {
  instance {
    baseUrl
    subdomainHost
  }
  domains(pageSize: 100) {
    data {
      id
      domain
      status
    }
  }
  subdomain {
    id
    host
    status
  }
}
fragment UtmTemplateFields on UtmTemplate {
  id
  name
  source
  medium
  campaign
  term
  content
  updatedAt
}`) as unknown as TypedDocumentString<NewLinkQuery, NewLinkQueryVariables>;
export const NewLinkClickedDocument = new TypedDocumentString(`
    subscription NewLinkClicked($linkId: ID!) {
  clickRecorded(linkId: $linkId) {
    id
  }
}
    `) as unknown as TypedDocumentString<NewLinkClickedSubscription, NewLinkClickedSubscriptionVariables>;
export const LinkRehearsalDocument = new TypedDocumentString(`
    query LinkRehearsal($id: ID!, $input: RehearseLinkInput!) {
  rehearseLink(linkId: $id, input: $input) {
    visits
    bots
    visitsPerDay
    phases {
      startsAt
      outcomes {
        outcome
        visits
        bots
      }
    }
    rules {
      rule
      name
      visits
      bots
    }
    notes
  }
}
    `) as unknown as TypedDocumentString<LinkRehearsalQuery, LinkRehearsalQueryVariables>;
export const LinkSummaryDocument = new TypedDocumentString(`
    query LinkSummary($id: ID!, $from: DateTime!, $to: DateTime, $interval: Interval!, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!], $yearFrom: DateTime!, $yearTo: DateTime!, $withYear: Boolean!, $withPrevious: Boolean!) {
  year: clickSummary(
    linkId: $id
    from: $yearFrom
    to: $yearTo
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @include(if: $withYear) {
    totals {
      ...SummaryTotals
    }
  }
  annotations(linkId: $id, from: $from, to: $to, pageSize: 100) {
    ...Notes
  }
  clickSummary(
    linkId: $id
    from: $from
    to: $to
    interval: $interval
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 8
  ) {
    isExact
    from
    to
    totals {
      ...SummaryTotals
    }
    previous @include(if: $withPrevious) {
      clicks
      uniques
      bots
    }
    series {
      start
      clicks
      uniques
    }
    top {
      ...SummaryTops
      destinations {
        ...SummaryTop
      }
      triggers {
        ...SummaryTop
      }
    }
  }
  clicks(
    linkId: $id
    from: $from
    to: $to
    includeBots: $includeBots
    filter: $filter
    limit: 50
  ) {
    data {
      ...ClickLine
    }
  }
}
    fragment SummaryTotals on TotalStats {
  clicks
  uniques
  bots
}
fragment SummaryTops on TopStats {
  countries {
    ...SummaryTop
  }
  regions {
    ...SummaryTop
  }
  cities {
    ...SummaryTop
  }
  languages {
    ...SummaryTop
  }
  sources {
    ...SummaryTop
  }
  channels {
    ...SummaryTop
  }
  referrers {
    ...SummaryTop
  }
  utmSources {
    ...SummaryTop
  }
  utmMediums {
    ...SummaryTop
  }
  utmCampaigns {
    ...SummaryTop
  }
  devices {
    ...SummaryTop
  }
  browsers {
    ...SummaryTop
  }
  operatingSystems {
    ...SummaryTop
  }
}
fragment SummaryTop on TopValuesStats {
  values {
    value
    clicks
  }
  unknown
  other
  error
}
fragment Notes on AnnotationPageResult {
  total
  data {
    ...Note
  }
}
fragment Note on Annotation {
  id
  occurredAt
  text
  updatedAt
}
fragment ClickLine on ClickEvent {
  id
  clickedAt
  browser
  os
  device
  isBot
  referrerHost
  country
}`) as unknown as TypedDocumentString<LinkSummaryQuery, LinkSummaryQueryVariables>;
export const SlugAvailabilityDocument = new TypedDocumentString(`
    query SlugAvailability($slug: String!, $domain: String!, $linkId: ID) {
  slugAvailability(slug: $slug, domain: $domain, linkId: $linkId) {
    state
  }
}
    `) as unknown as TypedDocumentString<SlugAvailabilityQuery, SlugAvailabilityQueryVariables>;
export const InviteMemberDocument = new TypedDocumentString(`
    mutation InviteMember($input: InviteMemberInput!) {
  inviteMember(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<InviteMemberMutation, InviteMemberMutationVariables>;
export const UpdateMemberDocument = new TypedDocumentString(`
    mutation UpdateMember($userId: ID!, $input: UpdateMemberInput!) {
  updateMember(id: $userId, input: $input) {
    userId
  }
}
    `) as unknown as TypedDocumentString<UpdateMemberMutation, UpdateMemberMutationVariables>;
export const RemoveMemberDocument = new TypedDocumentString(`
    mutation RemoveMember($userId: ID!) {
  removeMember(id: $userId)
}
    `) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const UpdateAccountDocument = new TypedDocumentString(`
    mutation UpdateAccount($input: UpdateAccountInput!) {
  updateAccount(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateAccountMutation, UpdateAccountMutationVariables>;
export const LeaveAccountDocument = new TypedDocumentString(`
    mutation LeaveAccount {
  leaveAccount {
    message
  }
}
    `) as unknown as TypedDocumentString<LeaveAccountMutation, LeaveAccountMutationVariables>;
export const AcceptInvitationDocument = new TypedDocumentString(`
    mutation AcceptInvitation($input: AcceptInvitationInput!) {
  acceptInvitation(input: $input) {
    account {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<AcceptInvitationMutation, AcceptInvitationMutationVariables>;
export const MembersDocument = new TypedDocumentString(`
    query Members($page: Int!, $pageSize: Int!, $isRead: Boolean!, $isManaged: Boolean!) {
  me {
    account {
      id
      name
    }
  }
  members(page: $page, pageSize: $pageSize) @include(if: $isRead) {
    total
    page
    pageSize
    totalPages
    data {
      userId
      name
      email
      role
      joinedAt
    }
  }
  invitations(pageSize: 100) @include(if: $isManaged) {
    total
    page
    pageSize
    totalPages
    data {
      id
      email
      role
      expiresAt
    }
  }
  transfers(pageSize: 100) @include(if: $isManaged) {
    ...Transfers
  }
}
    fragment TransferFacts on Transfer {
  id
  fromAccount {
    id
    name
  }
  toAccount {
    id
    name
  }
  domain
  shortUrls
  linkCount
  movedLinks
  state
  expiresAt
}
fragment Transfers on TransferPageResult {
  total
  data {
    ...TransferFacts
  }
}`) as unknown as TypedDocumentString<MembersQuery, MembersQueryVariables>;
export const RevokeInvitationDocument = new TypedDocumentString(`
    mutation RevokeInvitation($id: ID!) {
  revokeInvitation(id: $id)
}
    `) as unknown as TypedDocumentString<RevokeInvitationMutation, RevokeInvitationMutationVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview($from: DateTime!, $to: DateTime, $interval: Interval!, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!], $yearFrom: DateTime!, $yearTo: DateTime!, $withYear: Boolean!, $withPrevious: Boolean!, $isManaged: Boolean!) {
  year: accountClickSummary(
    from: $yearFrom
    to: $yearTo
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 1
  ) @include(if: $withYear) {
    totals {
      ...SummaryTotals
    }
  }
  annotations(from: $from, to: $to, pageSize: 100) {
    ...Notes
  }
  accountClickSummary(
    from: $from
    to: $to
    interval: $interval
    timeZone: $timeZone
    includeBots: $includeBots
    filter: $filter
    limit: 8
  ) {
    isExact
    from
    to
    totals {
      ...SummaryTotals
    }
    previous @include(if: $withPrevious) {
      clicks
      uniques
      bots
    }
    series {
      start
      clicks
      uniques
    }
    top {
      ...SummaryTops
    }
    links {
      linkId
      clicks
      link {
        id
        slug
        shortUrl
        title
      }
    }
    linksOther
    linksError
  }
  me {
    id
    account {
      id
      createdAt
    }
  }
  usage {
    links {
      used
    }
    domains {
      used
    }
    apiKeys {
      used
    }
  }
  transfers(pageSize: 100) @include(if: $isManaged) {
    data {
      id
      state
      toAccount {
        id
      }
    }
  }
}
    fragment SummaryTotals on TotalStats {
  clicks
  uniques
  bots
}
fragment SummaryTops on TopStats {
  countries {
    ...SummaryTop
  }
  regions {
    ...SummaryTop
  }
  cities {
    ...SummaryTop
  }
  languages {
    ...SummaryTop
  }
  sources {
    ...SummaryTop
  }
  channels {
    ...SummaryTop
  }
  referrers {
    ...SummaryTop
  }
  utmSources {
    ...SummaryTop
  }
  utmMediums {
    ...SummaryTop
  }
  utmCampaigns {
    ...SummaryTop
  }
  devices {
    ...SummaryTop
  }
  browsers {
    ...SummaryTop
  }
  operatingSystems {
    ...SummaryTop
  }
}
fragment SummaryTop on TopValuesStats {
  values {
    value
    clicks
  }
  unknown
  other
  error
}
fragment Notes on AnnotationPageResult {
  total
  data {
    ...Note
  }
}
fragment Note on Annotation {
  id
  occurredAt
  text
  updatedAt
}`) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const OverviewClicksDocument = new TypedDocumentString(`
    subscription OverviewClicks {
  accountClicks {
    total
  }
}
    `) as unknown as TypedDocumentString<OverviewClicksSubscription, OverviewClicksSubscriptionVariables>;
export const CreateReportDocument = new TypedDocumentString(`
    mutation CreateReport($input: CreateReportInput!) {
  createReport(input: $input) {
    id
    url
  }
}
    `) as unknown as TypedDocumentString<CreateReportMutation, CreateReportMutationVariables>;
export const UpdateReportDocument = new TypedDocumentString(`
    mutation UpdateReport($id: ID!, $input: UpdateReportInput!) {
  updateReport(id: $id, input: $input) {
    id
    url
  }
}
    `) as unknown as TypedDocumentString<UpdateReportMutation, UpdateReportMutationVariables>;
export const ReportsDocument = new TypedDocumentString(`
    query Reports($page: Int!, $pageSize: Int!) {
  reports(page: $page, pageSize: $pageSize) {
    total
    page
    pageSize
    totalPages
    data {
      ...ReportRow
    }
  }
}
    fragment ReportRow on Report {
  id
  name
  linkId
  link {
    id
    slug
    shortUrl
    title
  }
  filter {
    dimension
    operator
    values
  }
  period
  back
  from
  to
  includeBots
  panels
  showsDestinations
  embedOrigins
  hasPassword
  expiresAt
  isShared
  url
  updatedAt
}`) as unknown as TypedDocumentString<ReportsQuery, ReportsQueryVariables>;
export const StopReportDocument = new TypedDocumentString(`
    mutation StopReport($id: ID!) {
  updateReport(id: $id, input: {isShared: false}) {
    id
  }
}
    `) as unknown as TypedDocumentString<StopReportMutation, StopReportMutationVariables>;
export const DeleteReportDocument = new TypedDocumentString(`
    mutation DeleteReport($id: ID!) {
  deleteReport(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteReportMutation, DeleteReportMutationVariables>;
export const RulesPageDocument = new TypedDocumentString(`
    query RulesPage($id: ID!) {
  link(id: $id) {
    id
    shortUrl
    destinationUrl
    updatedAt
  }
  linkRules(linkId: $id) {
    ...RulesShown
  }
  linkSplit(linkId: $id) {
    ...SplitShown
  }
}
    fragment RulesShown on LinkRules {
  id
  updatedAt
  rules {
    number
    name
    conditions {
      kind
      values
      key
      negated
    }
    destination {
      url
    }
    split {
      destination {
        url
        label
      }
      weight
    }
  }
  warnings {
    rule
    condition
    reason
  }
}
fragment SplitShown on LinkSplit {
  id
  updatedAt
  autoStopsAt
  parts {
    destination {
      url
      label
    }
    weight
  }
}`) as unknown as TypedDocumentString<RulesPageQuery, RulesPageQueryVariables>;
export const RehearsalDocument = new TypedDocumentString(`
    query Rehearsal($id: ID!, $input: RehearseRulesInput!) {
  rehearseRules(linkId: $id, input: $input) {
    from
    visits
    outcomes {
      rule
      visits
      bots
      undecided
    }
    unknown {
      rule
      condition
      reason
    }
  }
}
    `) as unknown as TypedDocumentString<RehearsalQuery, RehearsalQueryVariables>;
export const SplitReportDocument = new TypedDocumentString(`
    query SplitReport($id: ID!, $rule: Int) {
  splitReport(linkId: $id, rule: $rule) {
    from
    isUneven
    parts {
      destination {
        number
        url
        label
      }
      expectedShare
      clicks
      visitors
      share {
        share
        low
        high
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SplitReportQuery, SplitReportQueryVariables>;
export const SetLinkRulesDocument = new TypedDocumentString(`
    mutation SetLinkRules($id: ID!, $input: SetLinkRulesInput!) {
  setLinkRules(linkId: $id, input: $input) {
    ...RulesShown
  }
}
    fragment RulesShown on LinkRules {
  id
  updatedAt
  rules {
    number
    name
    conditions {
      kind
      values
      key
      negated
    }
    destination {
      url
    }
    split {
      destination {
        url
        label
      }
      weight
    }
  }
  warnings {
    rule
    condition
    reason
  }
}`) as unknown as TypedDocumentString<SetLinkRulesMutation, SetLinkRulesMutationVariables>;
export const SetLinkSplitDocument = new TypedDocumentString(`
    mutation SetLinkSplit($id: ID!, $input: SetLinkSplitInput!) {
  setLinkSplit(linkId: $id, input: $input) {
    ...SplitShown
  }
}
    fragment SplitShown on LinkSplit {
  id
  updatedAt
  autoStopsAt
  parts {
    destination {
      url
      label
    }
    weight
  }
}`) as unknown as TypedDocumentString<SetLinkSplitMutation, SetLinkSplitMutationVariables>;
export const ExplainVisitDocument = new TypedDocumentString(`
    query ExplainVisit($id: ID!, $input: ExplainRedirectInput!) {
  explainRedirect(linkId: $id, input: $input) {
    state
    answer
    rule
    isSplit
    finalUrl
    rules {
      number
      name
      result
      failedCondition
    }
  }
}
    `) as unknown as TypedDocumentString<ExplainVisitQuery, ExplainVisitQueryVariables>;
export const SwitchAccountDocument = new TypedDocumentString(`
    mutation SwitchAccount($input: SwitchAccountInput!) {
  switchAccount(input: $input) {
    accessToken
    expiresIn
    user {
      ...SignedIn
    }
  }
}
    fragment SignedIn on User {
  id
  email
  name
  createdAt
  emailVerifiedAt
  pendingEmail
}`) as unknown as TypedDocumentString<SwitchAccountMutation, SwitchAccountMutationVariables>;
export const WhatDiesDocument = new TypedDocumentString(`
    query WhatDies($hasBilling: Boolean!) {
  usage {
    links {
      used
    }
    domains {
      used
    }
    webhooks {
      used
    }
    apiKeys {
      used
    }
  }
  subscription @include(if: $hasBilling) {
    id
    planId
  }
  plans @include(if: $hasBilling) {
    plans {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<WhatDiesQuery, WhatDiesQueryVariables>;
export const DeleteMeDocument = new TypedDocumentString(`
    mutation DeleteMe($input: DeleteMeInput!) {
  deleteMe(input: $input)
}
    `) as unknown as TypedDocumentString<DeleteMeMutation, DeleteMeMutationVariables>;
export const RemoveIdentityDocument = new TypedDocumentString(`
    mutation RemoveIdentity($id: ID!) {
  removeIdentity(id: $id)
}
    `) as unknown as TypedDocumentString<RemoveIdentityMutation, RemoveIdentityMutationVariables>;
export const StartPasskeyDocument = new TypedDocumentString(`
    mutation StartPasskey {
  startPasskey {
    challenge
    options
  }
}
    `) as unknown as TypedDocumentString<StartPasskeyMutation, StartPasskeyMutationVariables>;
export const AddPasskeyDocument = new TypedDocumentString(`
    mutation AddPasskey($input: AddPasskeyInput!) {
  addPasskey(input: $input) {
    recoveryCodes
  }
}
    `) as unknown as TypedDocumentString<AddPasskeyMutation, AddPasskeyMutationVariables>;
export const RemovePasskeyDocument = new TypedDocumentString(`
    mutation RemovePasskey($id: ID!) {
  removePasskey(id: $id)
}
    `) as unknown as TypedDocumentString<RemovePasskeyMutation, RemovePasskeyMutationVariables>;
export const UpdateMeDocument = new TypedDocumentString(`
    mutation UpdateMe($input: UpdateMeInput!) {
  updateMe(input: $input) {
    user {
      ...SignedIn
    }
    accessToken
    expiresIn
  }
}
    fragment SignedIn on User {
  id
  email
  name
  createdAt
  emailVerifiedAt
  pendingEmail
}`) as unknown as TypedDocumentString<UpdateMeMutation, UpdateMeMutationVariables>;
export const StartTotpDocument = new TypedDocumentString(`
    mutation StartTotp {
  startTotp {
    secret
    uri
  }
}
    `) as unknown as TypedDocumentString<StartTotpMutation, StartTotpMutationVariables>;
export const RemoveTotpDocument = new TypedDocumentString(`
    mutation RemoveTotp {
  removeTotp {
    message
  }
}
    `) as unknown as TypedDocumentString<RemoveTotpMutation, RemoveTotpMutationVariables>;
export const RenewRecoveryCodesDocument = new TypedDocumentString(`
    mutation RenewRecoveryCodes {
  renewRecoveryCodes {
    recoveryCodes
  }
}
    `) as unknown as TypedDocumentString<RenewRecoveryCodesMutation, RenewRecoveryCodesMutationVariables>;
export const EndSessionDocument = new TypedDocumentString(`
    mutation EndSession($id: ID!) {
  endSession(id: $id)
}
    `) as unknown as TypedDocumentString<EndSessionMutation, EndSessionMutationVariables>;
export const EndOtherSessionsDocument = new TypedDocumentString(`
    mutation EndOtherSessions {
  endOtherSessions {
    endedCount
  }
}
    `) as unknown as TypedDocumentString<EndOtherSessionsMutation, EndOtherSessionsMutationVariables>;
export const ConfirmTotpDocument = new TypedDocumentString(`
    mutation ConfirmTotp($input: ConfirmTotpInput!) {
  confirmTotp(input: $input) {
    recoveryCodes
  }
}
    `) as unknown as TypedDocumentString<ConfirmTotpMutation, ConfirmTotpMutationVariables>;
export const SettingsDocument = new TypedDocumentString(`
    query Settings($hasLinks: Boolean!) {
  me {
    ...SignedIn
  }
  security {
    ...SecurityState
    provedAt
  }
  passkeys {
    passkeys {
      ...PasskeyRow
    }
  }
  identities {
    identities {
      ...IdentityRow
    }
  }
  instance {
    companySignIn
    hasPasskeys
    hasPasswordLogin
  }
  sessions {
    sessions {
      ...SessionRow
    }
  }
  links(isArchived: null, pageSize: 100, sort: MOST_CLICKED) @include(if: $hasLinks) {
    ...ExportLinks
  }
}
    fragment SignedIn on User {
  id
  email
  name
  createdAt
  emailVerifiedAt
  pendingEmail
}
fragment ExportLinks on LinkPageResult {
  total
  data {
    id
    shortUrl
    clickCount
  }
}
fragment IdentityRow on Identity {
  id
  provider
  email
  createdAt
  lastUsedAt
}
fragment PasskeyRow on Passkey {
  id
  name
  createdAt
  lastUsedAt
}
fragment SecurityState on Security {
  totpSince
  hasPassword
  recoveryCodesLeft
}
fragment SessionRow on Session {
  id
  browser
  os
  country
  createdAt
  lastSeenAt
  isCurrent
}`) as unknown as TypedDocumentString<SettingsQuery, SettingsQueryVariables>;
export const MailDocument = new TypedDocumentString(`
    query Mail {
  instance {
    isMailConfigured
  }
}
    `) as unknown as TypedDocumentString<MailQuery, MailQueryVariables>;
export const PaletteLinksDocument = new TypedDocumentString(`
    query PaletteLinks($search: String!) {
  links(search: $search, pageSize: 8, sort: MOST_CLICKED) {
    data {
      id
      shortUrl
      destinationUrl
      title
    }
  }
}
    `) as unknown as TypedDocumentString<PaletteLinksQuery, PaletteLinksQueryVariables>;
export const WorkspacesDocument = new TypedDocumentString(`
    query Workspaces {
  me {
    account {
      id
      name
    }
    memberships {
      account {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkspacesQuery, WorkspacesQueryVariables>;
export const CreateTagDocument = new TypedDocumentString(`
    mutation CreateTag($input: CreateTagInput!) {
  createTag(input: $input) {
    ...TagRow
  }
}
    fragment TagRow on Tag {
  id
  name
  linkCount
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<CreateTagMutation, CreateTagMutationVariables>;
export const RenameTagDocument = new TypedDocumentString(`
    mutation RenameTag($id: ID!, $input: UpdateTagInput!) {
  updateTag(id: $id, input: $input) {
    ...TagRow
  }
}
    fragment TagRow on Tag {
  id
  name
  linkCount
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<RenameTagMutation, RenameTagMutationVariables>;
export const MergeTagDocument = new TypedDocumentString(`
    mutation MergeTag($id: ID!, $input: MergeTagInput!) {
  mergeTag(id: $id, input: $input) {
    ...TagRow
  }
}
    fragment TagRow on Tag {
  id
  name
  linkCount
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<MergeTagMutation, MergeTagMutationVariables>;
export const DeleteTagDocument = new TypedDocumentString(`
    mutation DeleteTag($id: ID!) {
  deleteTag(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteTagMutation, DeleteTagMutationVariables>;
export const TagsNamedDocument = new TypedDocumentString(`
    query TagsNamed($search: String!, $page: Int!) {
  tags(search: $search, page: $page, pageSize: 100) {
    totalPages
    data {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<TagsNamedQuery, TagsNamedQueryVariables>;
export const TagsDocument = new TypedDocumentString(`
    query Tags($page: Int!, $pageSize: Int!, $search: String) {
  tags(page: $page, pageSize: $pageSize, search: $search) {
    total
    page
    pageSize
    totalPages
    data {
      ...TagRow
    }
  }
}
    fragment TagRow on Tag {
  id
  name
  linkCount
  createdAt
  updatedAt
}`) as unknown as TypedDocumentString<TagsQuery, TagsQueryVariables>;
export const SuggestedTagsDocument = new TypedDocumentString(`
    query SuggestedTags($search: String!) {
  tags(search: $search, pageSize: 20) {
    data {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<SuggestedTagsQuery, SuggestedTagsQueryVariables>;
export const TransferChoicesDocument = new TypedDocumentString(`
    query TransferChoices($domain: String, $isDomain: Boolean!) {
  me {
    memberships {
      account {
        id
        name
      }
    }
  }
  instance {
    baseUrl
  }
  links(domain: $domain, isArchived: null, pageSize: 1) @include(if: $isDomain) {
    total
  }
}
    `) as unknown as TypedDocumentString<TransferChoicesQuery, TransferChoicesQueryVariables>;
export const OfferTransferDocument = new TypedDocumentString(`
    mutation OfferTransfer($input: OfferTransferInput!) {
  offerTransfer(input: $input) {
    id
    toAccount {
      id
      name
    }
  }
}
    `) as unknown as TypedDocumentString<OfferTransferMutation, OfferTransferMutationVariables>;
export const AcceptTransferDocument = new TypedDocumentString(`
    mutation AcceptTransfer($id: ID!) {
  acceptTransfer(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<AcceptTransferMutation, AcceptTransferMutationVariables>;
export const DeleteTransferDocument = new TypedDocumentString(`
    mutation DeleteTransfer($id: ID!) {
  deleteTransfer(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteTransferMutation, DeleteTransferMutationVariables>;
export const CreateUtmTemplateDocument = new TypedDocumentString(`
    mutation CreateUtmTemplate($input: CreateUtmTemplateInput!) {
  createUtmTemplate(input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<CreateUtmTemplateMutation, CreateUtmTemplateMutationVariables>;
export const UpdateUtmTemplateDocument = new TypedDocumentString(`
    mutation UpdateUtmTemplate($id: ID!, $input: UpdateUtmTemplateInput!) {
  updateUtmTemplate(id: $id, input: $input) {
    id
  }
}
    `) as unknown as TypedDocumentString<UpdateUtmTemplateMutation, UpdateUtmTemplateMutationVariables>;
export const DeleteUtmTemplateDocument = new TypedDocumentString(`
    mutation DeleteUtmTemplate($id: ID!) {
  deleteUtmTemplate(id: $id)
}
    `) as unknown as TypedDocumentString<DeleteUtmTemplateMutation, DeleteUtmTemplateMutationVariables>;
export const UtmTemplatesDocument = new TypedDocumentString(`
    query UtmTemplates($page: Int!, $pageSize: Int!) {
  utmTemplates(page: $page, pageSize: $pageSize) {
    total
    page
    pageSize
    totalPages
    data {
      ...UtmTemplateFields
    }
  }
}
    fragment UtmTemplateFields on UtmTemplate {
  id
  name
  source
  medium
  campaign
  term
  content
  updatedAt
}`) as unknown as TypedDocumentString<UtmTemplatesQuery, UtmTemplatesQueryVariables>;
export const SetHostPagesDocument = new TypedDocumentString(`
    mutation SetHostPages($host: String!, $input: SetHostPagesInput!) {
  setHostPages(host: $host, input: $input) {
    updatedAt
  }
}
    `) as unknown as TypedDocumentString<SetHostPagesMutation, SetHostPagesMutationVariables>;
export const VisitorPagesDocument = new TypedDocumentString(`
    query VisitorPages {
  ...LinkHosts
}
    fragment LinkHosts on Query {
  instance {
    baseUrl
    subdomainHost
  }
  domains(pageSize: 100) {
    data {
      id
      domain
      status
    }
  }
  subdomain {
    id
    host
    status
  }
}`) as unknown as TypedDocumentString<VisitorPagesQuery, VisitorPagesQueryVariables>;
export const HostPagesDocument = new TypedDocumentString(`
    query HostPages($host: String!) {
  hostPages(host: $host) {
    host
    accentColor
    backgroundColor
    logoImageId
    logoUrl
    texts {
      page
      language
      title
      text
    }
    updatedAt
  }
}
    `) as unknown as TypedDocumentString<HostPagesQuery, HostPagesQueryVariables>;