//! Explains where a link leads a visit that a caller describes.

use std::net::IpAddr;

use async_graphql::{Enum, InputObject, SimpleObject};
use compact_str::CompactString;
use link_rules::{Agent, Damaged, Judged, MAX_RULES, Visit, Visitor};

use super::{ops, ops::ShownRoutes, shown::number, types::LinkDestination};
use crate::{
    app::App,
    base::{
        clock::UnixMillis,
        error::{ApiError, Code, Violations},
        ids::{AccountId, LinkId},
    },
    clicks::{click::Area, texts::referrer_host},
    features::links::{create_ops::target, ops::shown, place::site},
    graphql::{
        directives::{Format, embedded, example, format, items, length},
        scalars::Timestamp,
    },
    platform::auth::client::ClientNet,
    records::links::{repo::ShownLink, state::LinkState},
    redirect::{
        app_link::AppLink,
        forward::forwarded,
        rules::{OWN, decided},
        target::{Intent, Program, Verdict},
        visit::facts,
    },
};

/// A visit, as far as the caller describes it.
#[derive(InputObject, Debug)]
pub(crate) struct ExplainRedirectInput {
    /// `User-Agent`. Absent: it has none, as some bots.
    #[graphql(
        directive = length::apply(0, 512),
        directive = example::apply("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0".into())
    )]
    pub(crate) user_agent: Option<String>,
    /// The client's address. Absent: it is unknown, and so is what else it tells.
    #[graphql(directive = length::apply(1, 45), directive = example::apply("192.0.2.7".into()))]
    pub(crate) address: Option<String>,
    /// Country, ISO 3166-1 alpha-2. Absent: that of the address.
    #[graphql(directive = length::apply(2, 2), directive = example::apply("DE".into()))]
    pub(crate) country: Option<String>,
    /// Region, ISO 3166-2. Absent: that of the address.
    #[graphql(directive = length::apply(1, 6), directive = example::apply("DE-BY".into()))]
    pub(crate) region: Option<String>,
    /// City, by its English name. Absent: that of the address.
    #[graphql(directive = length::apply(1, 200), directive = example::apply("Munich".into()))]
    pub(crate) city: Option<String>,
    /// `Accept-Language`. Absent: it has none.
    #[graphql(directive = length::apply(0, 512), directive = example::apply("de-CH,fr;q=0.8".into()))]
    pub(crate) accept_language: Option<String>,
    /// `Referer`: a URL. Absent: it has none.
    #[graphql(
        directive = length::apply(0, 2_048),
        directive = format::apply(Format::Line),
        directive = example::apply("https://news.example.org/".into())
    )]
    pub(crate) referrer: Option<String>,
    /// Query of the short URL, without its `?`. Absent: it has none.
    #[graphql(directive = length::apply(0, 2_048), directive = example::apply("utm_source=newsletter".into()))]
    pub(crate) query: Option<String>,
    /// The time. Absent: now.
    #[graphql(directive = example::apply("2026-12-24T17:00:00.000Z".into()))]
    pub(crate) at: Option<Timestamp>,
}

/// Results of a rule for a visit.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleResult {
    /// All of its conditions hold: it decides.
    Matched,
    /// A condition does not hold.
    Failed,
    /// An earlier rule decides.
    NotReached,
}

/// The result of a rule for the visit, and its reason.
#[derive(SimpleObject, Debug)]
pub(crate) struct ExplainedRule {
    /// Its place, from 1 on.
    #[graphql(directive = example::apply("1".into()))]
    number: i32,
    /// Its name. Null: it has none.
    #[graphql(directive = example::apply("Newsletter".into()))]
    name: Option<String>,
    /// The rule's result.
    #[graphql(directive = example::apply("\"MATCHED\"".into()))]
    result: RuleResult,
    /// The place, from 1 on, of the first condition that does not hold. Null: all hold, or it was not reached.
    #[graphql(directive = example::apply("null".into()))]
    failed_condition: Option<i32>,
}

/// Kind of the answer to a visitor.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VisitAnswer {
    /// A redirect to `finalUrl`.
    Redirect,
    /// A page that asks for the password, to continue, or to confirm a notice, or because the link can be followed once; whoever
    /// answers it is redirected to `finalUrl`.
    Question,
    /// The link's `card`, as messengers do.
    Card,
    /// The link's `app`: a redirect to it, or a page that opens it, offers its store, and leads to `finalUrl`.
    App,
    /// Neither: `state` says why.
    None,
}

/// Where a link leads a visit, and why.
#[derive(SimpleObject, Debug)]
pub(crate) struct Explanation {
    /// The link's state at that time: visitors are led to `finalUrl` only while it is `ACTIVE`.
    #[graphql(directive = example::apply("\"ACTIVE\"".into()))]
    state: LinkState,
    /// The answer to the visitor.
    #[graphql(directive = example::apply("\"REDIRECT\"".into()))]
    answer: VisitAnswer,
    /// The result of each rule, in their order.
    #[graphql(directive = embedded::apply(), directive = items::apply(0, MAX_RULES as i32))]
    rules: Vec<ExplainedRule>,
    /// The place, from 1 on, of the rule that decides. Null: none does.
    #[graphql(directive = example::apply("1".into()))]
    rule: Option<i32>,
    /// Whether a split chose the destination.
    #[graphql(directive = example::apply("false".into()))]
    is_split: bool,
    /// Where the visit is led.
    #[graphql(directive = embedded::apply())]
    destination: LinkDestination,
    /// The destination's URL, with parameters of the query if the link or its host forwards them.
    #[graphql(directive = example::apply("https://example.com/readers".into()))]
    final_url: String,
}

/// A visit that rules are asked about.
struct Described<'a> {
    app: &'a App,
    input: &'a ExplainRedirectInput,
    address: Option<IpAddr>,
    country: Option<[u8; 2]>,
    area: Area,
    referrer_host: String,
    now: UnixMillis,
}

impl<'a> Described<'a> {
    fn new(app: &'a App, input: &'a ExplainRedirectInput) -> Result<Self, ApiError> {
        let mut violations = Violations::default();
        let address = input.address.as_deref().map(|text| text.parse::<IpAddr>().map_err(|_| "must be an IP address"));
        let address = address.and_then(|address| violations.take("address", address));
        let country = input.country.as_deref().map(|text| {
            let code =
                <[u8; 2]>::try_from(text.as_bytes()).ok().filter(|code| code.iter().all(u8::is_ascii_alphabetic));
            code.map(|code| code.map(|letter| letter.to_ascii_uppercase())).ok_or("must be two letters of ISO 3166-1")
        });
        let country = country.and_then(|country| violations.take("country", country));
        violations.finish()?;
        let geoip = &app.clicks.geoip;
        let area = address.map(|address| geoip.area(address)).unwrap_or_default();
        let given = |text: &Option<String>| text.as_deref().map(CompactString::from);
        Ok(Described {
            app,
            input,
            address,
            country: country.or_else(|| geoip.country(address?)),
            area: Area {
                region: given(&input.region).map(|region| region.to_ascii_uppercase()).or(area.region),
                city: given(&input.city).or(area.city),
            },
            referrer_host: referrer_host(input.referrer.as_deref().unwrap_or_default().as_bytes()).into_owned(),
            now: input.at.map_or_else(|| app.clock.now(), |time| time.0),
        })
    }
}

impl Visit for Described<'_> {
    fn agent(&self) -> Agent<'_> {
        facts(self.app.clicks.agents.read(self.input.user_agent.as_deref().unwrap_or_default()))
    }

    fn country(&self) -> Option<[u8; 2]> {
        self.country
    }

    fn region(&self) -> Option<&str> {
        self.area.region.as_ref().map(CompactString::as_str)
    }

    fn city(&self) -> Option<&str> {
        self.area.city.as_ref().map(CompactString::as_str)
    }

    fn accept_language(&self) -> &str {
        self.input.accept_language.as_deref().unwrap_or_default()
    }

    fn query(&self) -> &str {
        self.input.query.as_deref().unwrap_or_default()
    }

    fn now(&self) -> UnixMillis {
        self.now
    }

    fn referrer_host(&self) -> Option<&str> {
        Some(&*self.referrer_host).filter(|host| !host.is_empty())
    }

    fn address(&self) -> Option<IpAddr> {
        self.address
    }

    fn visitor(&self) -> Visitor<'_> {
        let network = self.address.map_or([0; 16], |address| ClientNet::from(address).octets());
        Visitor { network, user_agent: self.input.user_agent.as_deref().unwrap_or_default().as_bytes() }
    }
}

/// Explains where the link leads the visit.
pub(super) async fn explain(
    app: &App,
    account: AccountId,
    id: LinkId,
    input: ExplainRedirectInput,
) -> Result<Explanation, ApiError> {
    let visit = Described::new(app, &input)?;
    let link = shown(app, account, id).await?;
    let is_blocked = app.redirects.restrictions.blocked_at(site(&link.link), &link.link.slug).is_some();
    let state = LinkState::of(&link.link, link.limit(), is_blocked, visit.now);
    let answer = answer(&link, state, &visit);
    let routes = ops::routes_of(app, link.link).await?;
    let (rules, led) = judged(&routes, id, &visit)?;
    let forwards = match routes.link.forwards_query {
        Some(forwards) => forwards,
        None => host_forwards(app, &routes.link.host).await?,
    };
    let (destination, rule) = led.as_ref().map_or((OWN, None), |led| (led.0, led.2));
    let url = led.map_or_else(|| routes.link.destination_url.clone(), |led| led.1);
    let with_query = Some(visit.query()).filter(|query| forwards && !query.is_empty());
    let with_query = with_query.and_then(|query| String::from_utf8(forwarded(url.as_bytes(), query)?).ok());
    // As redirects do: a rule that leads a visit elsewhere knows better.
    let app_link = routes.link.app.as_deref().filter(|_| rule.is_none()).and_then(|it| AppLink::read(it.as_bytes()));
    let agent = app.clicks.agents.read(input.user_agent.as_deref().unwrap_or_default());
    let opens_app = app_link.is_some_and(|app_link| app_link.opens_on(agent.os));
    Ok(Explanation {
        state,
        answer: if opens_app && answer == VisitAnswer::Redirect { VisitAnswer::App } else { answer },
        is_split: is_split(&routes, destination, rule),
        rules,
        rule: rule.map(i32::from),
        destination: routes.destination(destination, &url),
        final_url: with_query.unwrap_or(url),
    })
}

/// The answer to the visit, as redirects judge it.
fn answer(link: &ShownLink, state: LinkState, visit: &Described<'_>) -> VisitAnswer {
    let agent = visit.app.clicks.agents.read(visit.input.user_agent.as_deref().unwrap_or_default());
    let intent = || if agent.is_bot { Intent::Look } else { Intent::Follow };
    match target(link).judge(visit.now, intent) {
        _ if state != LinkState::Active => VisitAnswer::None,
        Verdict::NotBegun | Verdict::Ended | Verdict::Disabled => VisitAnswer::None,
        _ if agent.is_unfurler && link.link.card.is_some() => VisitAnswer::Card,
        Verdict::Ask => VisitAnswer::Question,
        Verdict::Redirect | Verdict::Count => VisitAnswer::Redirect,
    }
}

/// Whether the destination is a part of the split that decided.
fn is_split(routes: &ShownRoutes, destination: u16, rule: Option<u8>) -> bool {
    let rule = rule.and_then(|number| routes.routes.rules.get(usize::from(number) - 1));
    match rule {
        Some(named) => matches!(named.rule.outcome, link_rules::Outcome::Split(_)),
        None => destination != OWN,
    }
}

/// The result of each rule, and number, URL and rule of the destination. `None`: the link's own destination.
type Judgement = (Vec<ExplainedRule>, Option<(u16, String, Option<u8>)>);

fn judged(routes: &ShownRoutes, id: LinkId, visit: &Described<'_>) -> Result<Judgement, ApiError> {
    let damaged = |Damaged| ApiError::internal("rules can't be run");
    let program = routes.routes.compile(id, &routes.link.destination_url);
    let program = program.map_err(|invalid| ApiError::internal(format!("{invalid:?}")))?;
    let explained = link_rules::explain(program.as_bytes(), visit).map_err(damaged)?;
    let program = Program { split_stops_at: routes.routes.stop(), bytes: program.as_bytes() };
    let led = decided(program, explained.decision, || visit.now).map_err(damaged)?;
    let rules = explained.rules.into_iter().zip(&routes.routes.rules).enumerate();
    let rules = rules.map(|(place, (judged, named))| ExplainedRule {
        number: number(place),
        name: named.name.clone(),
        result: match judged {
            Judged::Matched => RuleResult::Matched,
            Judged::Failed(_) => RuleResult::Failed,
            Judged::NotReached => RuleResult::NotReached,
        },
        failed_condition: match judged {
            Judged::Failed(condition) => Some(number(condition)),
            Judged::Matched | Judged::NotReached => None,
        },
    });
    let led = led.map(|led| {
        let url = String::from_utf8_lossy(led.location).into_owned();
        (led.destination, url, Some(led.rule).filter(|rule| *rule > 0))
    });
    Ok((rules.collect(), led))
}

/// Whether the host of a link forwards queries.
async fn host_forwards(app: &App, host: &str) -> Result<bool, ApiError> {
    if host.is_empty() {
        return Ok(false);
    }
    let served = crate::redirect::resolve::host(&app.redirects, host).await?;
    Ok(served.ok_or(Code::NotFound).is_ok_and(|served| served.forwards_query))
}
