//! The matrix of access: every root field and every field with an access rule × every kind of caller × each door. What is expected is computed
//! from the directives in `schema.graphql` and from the table of roles below; nothing that the service reads of them is used.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    sync::Mutex,
    time::Duration,
};

use apollo_compiler::{
    Node,
    ast::{Definition, Directive, FieldDefinition, InputValueDefinition, OperationType, Type},
};
use futures_util::{
    StreamExt,
    future::{BoxFuture, FutureExt, join_all},
    stream,
};
use linkgraph::{
    api::rest::{
        operation::{Operation, PUBLIC_PREFIX, method_name},
        plan::Plan,
    },
    contract,
};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        BROWSER, TestDatabase, TestServer,
        browser::Browser,
        catalogue::{self, Ids, needed, with_ids},
        dns_stub::DnsStub,
        mail::all_mails,
        members::{account, invite, join, switch},
        planted::{plant, secret},
        receiver::{Receiver, id},
        socket::Socket,
        stored::rows,
    },
};

const SETTINGS: [(&str, &str); 3] = [
    ("LINKGRAPH_DEFAULT_PLAN", "unlimited"),
    ("LINKGRAPH_ALLOW_PRIVATE_TARGETS", "true"),
    ("LINKGRAPH_BILLING_SANDBOX", "true"),
];

/// The scopes of each role.
const ROLES: [(&str, &[&str]); 5] = [
    ("OWNER", &ALL),
    ("ADMIN", &ALL),
    (
        "MEMBER",
        &[
            "links:read",
            "links:write",
            "analytics:read",
            "api-keys:manage",
            "domains:read",
            "subdomain:read",
            "webhooks:read",
            "members:read",
        ],
    ),
    ("VIEWER", &["links:read", "analytics:read", "domains:read", "subdomain:read", "members:read"]),
    ("BILLING", &["billing:read", "billing:manage"]),
];

/// Those that API keys may have, and the two of members alone.
const ALL: [&str; 14] = [
    "links:read",
    "links:write",
    "analytics:read",
    "api-keys:manage",
    "domains:read",
    "domains:manage",
    "webhooks:read",
    "webhooks:manage",
    "billing:read",
    "billing:manage",
    "subdomain:read",
    "subdomain:manage",
    "members:read",
    "members:manage",
];
const OF_KEYS: &[&str] = ALL.split_at(12).0;

/// Mails that are to be sent.
const MAILS: &str = "SELECT count(*) FROM jobs WHERE kind LIKE '%_mail'";

/// What is planted in each account, and the scope that reads it.
const KINDS: [(&str, &str); 8] = [
    ("links", "links:read"),
    ("analytics", "analytics:read"),
    ("domains", "domains:read"),
    ("subdomain", "subdomain:read"),
    ("webhooks", "webhooks:read"),
    ("keys", "api-keys:manage"),
    ("members", "members:read"),
    ("invitations", "members:manage"),
];

/// The callers with an account's key that has all scopes but one.
const ALL_BUT_ONE: &str = "a key that lacks one scope";

/// What stops a mutation that would be executed: the values of arguments are judged after all rights.
const STOP: &str = " stop: register(input: { email: \"\", password: \"\", name: \"\" }) { __typename }";

/// An `@access`, as it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Rule {
    credential: String,
    scope: Option<String>,
}

fn rules(field: &FieldDefinition) -> Vec<Rule> {
    let rule = |directive: &Directive| {
        let value = |name| directive.specified_argument_by_name(name)?.as_enum().map(|value| value.as_str());
        // `API_KEYS_MANAGE` is `api-keys:manage`.
        let scope = value("scope").and_then(|text| text.rsplit_once('_'));
        let scope = scope.map(|(of, what)| format!("{}:{what}", of.replace('_', "-")).to_lowercase());
        Rule { credential: value("credential").unwrap().to_owned(), scope }
    };
    field.directives.get_all("access").map(|directive| rule(directive)).collect()
}

type Fields = Vec<Node<FieldDefinition>>;

/// The types of `schema.graphql` that have fields.
struct Sdl {
    objects: HashMap<String, Fields>,
    unions: HashMap<String, Vec<String>>,
    roots: Vec<(OperationType, String)>,
}

/// A field with a rule, asked for by the shortest way.
#[derive(Clone)]
struct Target {
    kind: OperationType,
    root: Node<FieldDefinition>,
    /// The root's, and those on the way.
    rules: Vec<Rule>,
    selection: String,
}

fn is_required(argument: &InputValueDefinition) -> bool {
    matches!(*argument.ty, Type::NonNullNamed(_) | Type::NonNullList(_)) && argument.default_value.is_none()
}

impl Sdl {
    fn read() -> Self {
        let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/schema.graphql")).unwrap();
        let mut sdl = Sdl { objects: HashMap::new(), unions: HashMap::new(), roots: Vec::new() };
        for definition in contract::parse(&text).unwrap().definitions {
            match definition {
                Definition::ObjectTypeDefinition(it) => {
                    drop(sdl.objects.insert(it.name.to_string(), it.fields.clone()))
                }
                Definition::UnionTypeDefinition(it) => {
                    let members = it.members.iter().map(ToString::to_string).collect();
                    sdl.unions.insert(it.name.to_string(), members);
                }
                Definition::SchemaDefinition(it) => {
                    sdl.roots = it.root_operations.iter().map(|root| (root.0, root.1.to_string())).collect();
                }
                _ => {}
            }
        }
        sdl
    }

    /// The fields below a type that have no rule, so deep.
    fn plain(&self, type_name: &str, depth: usize) -> String {
        if self.unions.contains_key(type_name) {
            return " { __typename }".to_owned();
        }
        let Some(fields) = self.objects.get(type_name) else { return String::new() };
        let free = fields.iter().filter(|it| rules(it).is_empty() && !it.arguments.iter().any(|it| is_required(it)));
        let selected: Vec<String> = free
            .filter_map(|field| {
                let inner = field.ty.inner_named_type().as_str();
                let is_leaf = !self.objects.contains_key(inner) && !self.unions.contains_key(inner);
                (is_leaf || depth > 0).then(|| format!("{}{}", field.name, self.plain(inner, depth.saturating_sub(1))))
            })
            .collect();
        format!(" {{ __typename {} }}", selected.join(" "))
    }

    /// The root fields of this kind.
    fn roots(&self, kind: OperationType) -> Vec<Target> {
        let (_, name) = self.roots.iter().find(|(known, _)| *known == kind).unwrap();
        let target = |root: &Node<FieldDefinition>| {
            let inner = root.ty.inner_named_type().as_str();
            let is_bulk = self.objects.get(inner).into_iter().flatten().any(|field| field.name == "results");
            let selection = match kind {
                OperationType::Mutation if is_bulk => " { results { error { code } } }".to_owned(),
                // What a mutation answers has rules of its own (`write_only.rs`).
                OperationType::Mutation => self.plain(inner, 0),
                _ => self.plain(inner, 2),
            };
            Target { kind, root: root.clone(), rules: rules(root), selection }
        };
        self.objects[name].iter().map(target).collect()
    }

    /// Every other field with a rule below these, once: by the shortest way on which nothing asks for the same before, or by the shortest.
    fn below(&self, roots: &[Target]) -> Vec<Target> {
        let mut found: BTreeMap<(String, String), (bool, Target)> = BTreeMap::new();
        let inner = |root: &Target| root.root.ty.inner_named_type().to_string();
        let mut open: VecDeque<_> =
            roots.iter().map(|root| (root, Vec::new(), root.rules.clone(), inner(root))).collect();
        let mut seen = HashSet::new();
        while let Some((target, steps, above, type_name)) = open.pop_front() {
            let known: BTreeSet<_> = above.iter().cloned().collect();
            if !seen.insert((type_name.clone(), known.clone())) {
                continue;
            }
            for member in self.unions.get(&type_name).into_iter().flatten() {
                let steps = [&steps[..], &[format!("... on {member}")]].concat();
                open.push_back((target, steps, above.clone(), member.clone()));
            }
            for field in self.objects.get(&type_name).into_iter().flatten() {
                let (own, inner) = (rules(field), field.ty.inner_named_type().to_string());
                let steps = [&steps[..], &[field.name.to_string()]].concat();
                let rules = [&above[..], &own].concat();
                let is_asked_for = |rule: &Rule| rule.scope.is_some() && known.iter().any(|it| it.scope == rule.scope);
                let tells = !own.iter().all(is_asked_for);
                let place = (type_name.clone(), field.name.to_string());
                if !own.is_empty() && found.get(&place).is_none_or(|(told, _)| tells && !told) {
                    let innermost = self.plain(&inner, 1);
                    let selection = steps.iter().rev().fold(innermost, |below, step| format!(" {{ {step}{below} }}"));
                    found.insert(place, (tells, Target { rules: rules.clone(), selection, ..target.clone() }));
                }
                open.push_back((target, steps, rules, inner));
            }
        }
        found.into_values().map(|(_, target)| target).collect()
    }

    /// The number of fields with rules, but for the roots.
    fn guarded(&self) -> usize {
        let is_root = |name: &String| self.roots.iter().any(|(_, root)| root == name);
        let others = self.objects.iter().filter(|(name, _)| !is_root(name));
        others.flat_map(|(_, fields)| fields).filter(|field| !rules(field).is_empty()).count()
    }
}

impl Target {
    fn name(&self) -> &str {
        &self.root.name
    }

    fn arguments(&self, plan: &Plan) -> Json {
        if self.kind == OperationType::Mutation {
            return arguments(self.name());
        }
        let required = self.root.arguments.iter().filter(|argument| is_required(argument));
        let value = |argument: &str| match argument {
            "slug" => json!("of-nobody"),
            "dimension" => json!("OS"),
            // A page of the own network, which is not fetched.
            "url" => json!("http://127.0.0.1/"),
            "input" if self.name() == "rehearseRules" => json!({ "rules": [] }),
            "input" => json!({}),
            _ => json!(format!("${}", catalogue::parameter(plan, self.name(), argument))),
        };
        required
            .map(|argument| (argument.name.to_string(), value(&argument.name)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }

    /// The document; `more`: what else is asked for.
    fn document(&self, more: &str) -> String {
        let required: Vec<_> = self.root.arguments.iter().filter(|argument| is_required(argument)).collect();
        let all = |show: &dyn Fn(&str, String) -> String| {
            let shown: Vec<String> = required.iter().map(|it| show(&it.name, it.ty.to_string())).collect();
            if shown.is_empty() { String::new() } else { format!("({})", shown.join(", ")) }
        };
        let (declared, given) = (all(&|name, ty| format!("${name}: {ty}")), all(&|name, _| format!("{name}: ${name}")));
        format!("{}{declared} {{ {}{given}{}{more} }}", self.kind.name(), self.name(), self.selection)
    }
}

/// The arguments of a mutation; those of mutations by users would change something, were it not for the credential.
fn arguments(mutation: &str) -> Json {
    match mutation {
        "register" => json!({ "input": { "email": "new@example.com", "password": "a good one", "name": "new" } }),
        "login" => json!({ "input": { "email": "house@example.com", "password": "wrong" } }),
        "forgotPassword" => json!({ "input": { "email": "house@example.com" } }),
        "resetPassword" => json!({ "input": { "token": "x", "password": "a good one" } }),
        "verifyEmail" | "undoEmailChange" | "acceptInvitation" => json!({ "input": { "token": "x" } }),
        "confirmSecondFactor" => json!({ "input": { "challenge": "x", "code": "123456" } }),
        "addPasskey" => json!({ "input": { "challenge": "x", "credential": "{}", "name": "x" } }),
        "startPasskeyLogin" => json!({ "input": {} }),
        "resolveLink" => json!({ "input": { "publishableKey": "x", "url": "http://localhost/x" } }),
        "loginWithPasskey" => json!({ "input": { "challenge": "x", "credential": "{}" } }),
        "removePasskey" => json!({ "id": "$passkeyId" }),
        "confirmTotp" => json!({ "input": { "code": "123456" } }),
        "updateMe" => json!({ "input": { "name": "changed" } }),
        "deleteMe" | "confirmAccess" => json!({ "input": { "currentPassword": "house's password" } }),
        "inviteMember" => json!({ "input": { "email": "new@example.com", "role": "MEMBER" } }),
        "revokeInvitation" => json!({ "id": "$invitationId" }),
        "removeMember" => json!({ "id": "$userId" }),
        "offerTransfer" => json!({ "input": { "toAccountId": "$partnerId", "linkIds": ["$linkId"] } }),
        "acceptTransfer" => json!({ "id": "$offerId" }),
        "deleteTransfer" => json!({ "id": "$transferId" }),
        "switchAccount" => json!({ "input": { "accountId": "$accountId" } }),
        "endSession" => json!({ "id": "$sessionId" }),
        "removeIdentity" => json!({ "id": "$identityId" }),
        "sendVerification" | "leaveAccount" | "startTotp" | "removeTotp" | "renewRecoveryCodes"
        | "endOtherSessions" | "startPasskey" | "startPasskeyProof" => json!({}),
        _ => catalogue::arguments(mutation, "matrix"),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Credential {
    None,
    User,
    Key,
}

struct Caller {
    name: &'static str,
    text: String,
    credential: Credential,
    scopes: Vec<&'static str>,
    /// The account that the credential is for.
    account: &'static str,
    /// The accounts that the user is a member of.
    accounts: &'static [&'static str],
    /// Whether it is a user's own.
    is_personal: bool,
}

impl Caller {
    fn has(&self, scope: &str) -> bool {
        self.scopes.contains(&scope)
    }

    /// Whether the caller may be shown what is planted in an account.
    fn sees(&self, account: &str, (kind, scope): (&str, &str)) -> bool {
        let is_own_alone = kind == "keys"
            && match self.credential {
                Credential::User => !self.has("members:manage"),
                _ => self.is_personal,
            };
        self.account == account && self.has(scope) && !is_own_alone
    }
}

/// What the schema says of a request.
#[derive(Debug)]
enum Verdict {
    Unauthenticated,
    /// Refused with one of these details.
    Forbidden(Vec<Json>),
    Allowed,
}

fn verdict(caller: &Caller, rules: &[Rule], is_public_api: bool) -> Verdict {
    let takes = rules[0].credential.as_str();
    let is_taken = match caller.credential {
        Credential::None => takes == "PUBLIC",
        Credential::User => takes == "PUBLIC" || !is_public_api,
        Credential::Key => takes != "USER",
    };
    if !is_taken {
        return Verdict::Unauthenticated;
    }
    let lacks = |rule: &Rule| rule.scope.as_ref().filter(|it| !caller.has(it)).map(|it| json!({ "scope": it }));
    if let Some(scope) = lacks(&rules[0]) {
        return Verdict::Forbidden(vec![scope]);
    }
    let below = rules[1..].iter().filter_map(|rule| {
        let is_refused = rule.credential == "USER" && caller.credential == Credential::Key;
        lacks(rule).or_else(|| is_refused.then(|| json!({ "credential": "USER" })))
    });
    let lacking: Vec<Json> = below.collect();
    if lacking.is_empty() { Verdict::Allowed } else { Verdict::Forbidden(lacking) }
}

/// The service, with two accounts that have one of everything, and everybody who may call.
struct World {
    server: TestServer,
    /// Planted texts and ids that were shown to those who may have them.
    shown: Mutex<BTreeSet<String>>,
    ids: HashMap<&'static str, Ids>,
    callers: Vec<Caller>,
    _others: (Receiver, DnsStub),
}

async fn world(database: &TestDatabase) -> World {
    let dns = DnsStub::start(HashMap::new()).await;
    let resolver = dns.address.to_string();
    let server = database.start_with(&[&SETTINGS[..], &[("LINKGRAPH_DNS_SERVER", &resolver)]].concat()).await;
    let receiver = Receiver::start().await;
    let mut ids = HashMap::new();
    let owner = server.register("house").await;
    // The name of one member is secret, and nobody else's.
    let viewer = secret("house", "members");
    let (_, admin) = join(&server, database, &owner, "adam", "ADMIN").await;
    let (member, _) = join(&server, database, &owner, "max", "ADMIN").await;
    let (user, viewer) = join(&server, database, &owner, &viewer, "VIEWER").await;
    let (_, billing) = join(&server, database, &owner, "bill", "BILLING").await;
    let house = account(&server, &owner).await;
    let max = server.login("max").await;
    let own_key = json!({ "name": "max's", "scopes": OF_KEYS, "isPersonal": true });
    let own_key = server.post("/api-keys", &max, own_key).await.expect(201).json();
    // With the role, the key has lost most of its scopes.
    server.call("PATCH", &format!("/members/{member}"), &owner, json!({ "role": "MEMBER" })).await.expect(200);
    let max = server.login("max").await;
    let accounts = server.get("/me", &max).await.expect(200).json()["memberships"].clone();
    let own = accounts.as_array().unwrap().iter().map(|it| &it["account"]["id"]).find(|it| **it != house).unwrap();
    let at_home = switch(&server, &max, own).await;
    let max = switch(&server, &max, &house).await;
    let stranger = server.register("mallory").await;
    let paula = server.register("paula").await;
    let partner = account(&server, &paula).await;
    for (name, token) in [("house", &owner), ("own", &at_home)] {
        let mut planted = plant(&server, token, name, &receiver).await;
        let named = json!({ "name": secret(name, "account") });
        server.call("PATCH", "/account", token, named).await.expect(200);
        let key = json!({ "name": secret(name, "keys"), "scopes": OF_KEYS, "isPersonal": false });
        let key = server.post("/api-keys", token, key).await.expect(201).json();
        planted.insert("apiKeyId", id(&key["apiKey"]).to_owned());
        let address = format!("{}@example.com", secret(name, "invitations"));
        planted.insert("invitationId", id(&invite(&server, token, &address, "VIEWER").await.json()).to_owned());
        let offer = json!({ "toAccountId": partner, "linkIds": [planted["linkId"]] });
        let offer = server.post("/transfers", token, offer).await.expect(201).json();
        planted.insert("transferId", id(&offer).to_owned());
        let given = server.link(&paula, &format!("for-{name}")).await;
        let offer = json!({ "toAccountId": account(&server, token).await, "linkIds": [id(&given)] });
        let offer = server.post("/transfers", &paula, offer).await.expect(201).json();
        planted.insert("offerId", id(&offer).to_owned());
        planted.insert("partnerId", partner.as_str().unwrap().to_owned());
        planted.insert("accountId", account(&server, token).await.as_str().unwrap().to_owned());
        let referrer = format!("https://{}.example/", secret(name, "analytics"));
        let visit = server.request(reqwest::Method::GET, &format!("/{}", secret(name, "links")));
        server.send(visit.header("referer", referrer).header("user-agent", BROWSER)).await.expect(302);
        ids.insert(name, planted);
    }
    let of_house = ids.get_mut("house").unwrap();
    of_house.insert("userId", user);
    let (_, logged_in) = Browser::log_in(&server, "house", true).await;
    let sessions = server.get("/me/sessions", &logged_in).await.expect(200).json();
    of_house.insert("sessionId", id(&sessions["sessions"][0]).to_owned());
    database.add_identity("house@example.com").await;
    let identities = server.get("/me/identities", &logged_in).await.expect(200).json();
    of_house.insert("identityId", id(&identities["identities"][0]).to_owned());
    database.add_passkey("house@example.com").await;
    let passkeys = server.get("/me/passkeys", &logged_in).await.expect(200).json();
    of_house.insert("passkeyId", id(&passkeys["passkeys"][0]).to_owned());
    database.clicks_become(2).await;
    database.becomes("no mail is left", MAILS, 0).await;

    let key = server.api_key(&owner, OF_KEYS).await;
    let without = server.api_key(&owner, &[]).await;
    let all = ALL.to_vec();
    let of_role = |role: &str| ROLES.iter().find(|(name, _)| *name == role).unwrap().1.to_vec();
    let user = |name, text, scopes, account, accounts| {
        let credential = Credential::User;
        Caller { name, text, credential, scopes, account, accounts, is_personal: false }
    };
    let by_key = |name, text: String, scopes, is_personal| {
        let credential = Credential::Key;
        Caller { name, text, credential, scopes, account: "house", accounts: &["house"], is_personal }
    };
    let none = |name, text: &str| {
        let (text, credential) = (text.to_owned(), Credential::None);
        Caller { name, text, credential, scopes: vec![], account: "", accounts: &[], is_personal: false }
    };
    let own_scopes = of_role("MEMBER").into_iter().filter(|scope| OF_KEYS.contains(scope)).collect();
    let mut callers = vec![
        none("nobody", ""),
        none("a token of nobody", "not.a.token"),
        none("a key of nobody", "lg_live_nonsense"),
        user("OWNER", owner.clone(), of_role("OWNER"), "house", &["house"]),
        user("ADMIN", admin, of_role("ADMIN"), "house", &["house"]),
        user("MEMBER", max, of_role("MEMBER"), "house", &["house", "own"]),
        user("VIEWER", viewer, of_role("VIEWER"), "house", &["house"]),
        user("BILLING", billing, of_role("BILLING"), "house", &["house"]),
        by_key("a personal key", own_key["key"].as_str().unwrap().to_owned(), own_scopes, true),
        by_key("an account key", key, OF_KEYS.to_vec(), false),
        by_key("a key without scopes", without, vec![], false),
        user("another owner", stranger, all.clone(), "another", &[]),
        user("a member of two accounts", at_home, all, "own", &["house", "own"]),
    ];
    for missing in OF_KEYS {
        let scopes: Vec<_> = OF_KEYS.iter().copied().filter(|scope| scope != missing).collect();
        let key = server.api_key(&owner, &scopes).await;
        callers.push(by_key(ALL_BUT_ONE, key, scopes, false));
    }
    World { server, shown: Mutex::default(), ids, callers, _others: (receiver, dns) }
}

/// What became of a request.
struct Told {
    /// Over REST, with the header `WWW-Authenticate`.
    status: Option<(u16, String)>,
    code: String,
    details: Json,
    text: String,
}

impl Told {
    fn of_graphql(answer: &Json) -> Self {
        let extensions = &answer["errors"][0]["extensions"];
        let code = extensions["code"].as_str().unwrap_or_default().to_owned();
        // Limits come before rights.
        assert_ne!(code, "QUERY_TOO_COMPLEX");
        Told { status: None, code, details: extensions["details"].clone(), text: answer.to_string() }
    }
}

/// The answer to a query or a mutation by a socket, as HTTP has it.
async fn answer(socket: &mut Socket, document: &str, variables: &Json) -> Json {
    socket.begin("1", document, variables.clone()).await;
    let message = socket.hear().await;
    if message["type"] == "error" {
        return json!({ "errors": message["payload"] });
    }
    assert_eq!((&message["type"], &socket.hear().await["type"]), (&json!("next"), &json!("complete")), "{message}");
    message["payload"].clone()
}

impl World {
    /// Whether what the arguments name is none of the caller's.
    fn is_hidden(&self, caller: &Caller, arguments: &Json) -> bool {
        let needed = needed(arguments);
        let is_key = needed.contains("apiKeyId") && !caller.sees("house", KINDS[5]);
        let is_switch = needed.contains("accountId") && caller.accounts.contains(&"house");
        is_key || !needed.is_empty() && caller.account != "house" && !is_switch
    }

    /// Whether a request for a mutation has a mistake besides, by which it is refused when the rights were judged: what is allowed, and some of
    /// what is not.
    fn is_stopped(&self, caller: &Caller, target: &Target, arguments: &Json, expected: &Verdict) -> bool {
        let is_allowed = matches!(expected, Verdict::Allowed) && !self.is_hidden(caller, arguments);
        target.kind == OperationType::Mutation && (is_allowed || caller.name == ALL_BUT_ONE)
    }

    /// What the answer tells that is not for the caller.
    fn leaks(&self, caller: &Caller, sent: &str, answer: &str) -> Vec<String> {
        let mut leaks = Vec::new();
        for (account, ids) in &self.ids {
            leaks.extend(KINDS.map(|kind| (secret(account, kind.0), caller.sees(account, kind))));
            leaks.push((secret(account, "account"), caller.accounts.contains(account)));
            for (name, id) in ids {
                let is_own = match *name {
                    "accountId" => caller.accounts.contains(account),
                    // Both accounts offer something to it.
                    "partnerId" => true,
                    "sessionId" | "identityId" | "passkeyId" => caller.name == "OWNER",
                    _ => caller.account == *account,
                };
                leaks.push((id.clone(), is_own || sent.contains(id)));
            }
        }
        leaks.retain(|(text, _)| answer.contains(text));
        let (own, leaks): (Vec<_>, Vec<_>) = leaks.into_iter().partition(|(_, is_own)| *is_own);
        self.shown.lock().unwrap().extend(own.into_iter().map(|(text, _)| text));
        leaks.into_iter().map(|(text, _)| text).collect()
    }

    /// Over GraphQL, by HTTP or by an open socket. What is wrong with the answer; nothing if it is as the schema says.
    async fn by_graphql(&self, caller: &Caller, target: &Target, socket: Option<&mut Socket>) -> Option<String> {
        let arguments = target.arguments(&self.server.api().plan);
        let expected = verdict(caller, &target.rules, false);
        let more = if self.is_stopped(caller, target, &arguments, &expected) { STOP } else { "" };
        let (document, variables) = (target.document(more), with_ids(arguments.clone(), &self.ids["house"]));
        let answer = match socket {
            None => self.server.graphql(&caller.text, &document, variables.clone()).await,
            Some(socket) => answer(socket, &document, &variables).await,
        };
        let told = Told::of_graphql(&answer);
        let wrong = self.wrong(caller, &expected, (&arguments, &variables), target, &told);
        wrong.map(|wrong| format!("{wrong} {document}"))
    }

    /// Over REST, the same.
    async fn by_rest(&self, caller: &Caller, target: &Target, operation: &Operation) -> Option<String> {
        let mut arguments = target.arguments(&self.server.api().plan);
        for parameter in &operation.path_parameters {
            arguments[&parameter.argument.name] = json!(format!("${}", parameter.name));
        }
        let variables = with_ids(arguments.clone(), &self.ids["house"]);
        let mut path = operation.path_parameters.iter().fold(operation.path.clone(), |path, parameter| {
            let id = variables[&parameter.argument.name].as_str().unwrap();
            path.replace(&format!("{{{}}}", parameter.name), id)
        });
        for name in ["slug", "url", "dimension"] {
            if let Some(value) = variables[name].as_str() {
                path = format!("{path}?{name}={value}");
            }
        }
        let expected = verdict(caller, &target.rules[..1], path.starts_with(PUBLIC_PREFIX));
        let is_stopped = self.is_stopped(caller, target, &arguments, &expected);
        // No operation takes a list.
        let body = if is_stopped { json!([]) } else { variables["input"].clone() };
        let method = method_name(operation.method);
        let answer = self.server.call(method, &path, &caller.text, body).await;
        let error = if answer.status.is_success() { Json::Null } else { answer.json()["error"].clone() };
        let code = error["code"].as_str().unwrap_or_default().to_owned();
        let status = Some((answer.status.as_u16(), answer.header("www-authenticate").to_owned()));
        let told = Told { status, code, details: error["details"].clone(), text: answer.text };
        let wrong = self.wrong(caller, &expected, (&arguments, &variables), target, &told);
        wrong.map(|wrong| format!("{wrong} {method} {path}"))
    }

    fn wrong(
        &self,
        caller: &Caller,
        expected: &Verdict,
        (arguments, sent): (&Json, &Json),
        target: &Target,
        told: &Told,
    ) -> Option<String> {
        let (is_mutation, code) = (target.kind == OperationType::Mutation, &*told.code);
        let statuses: &[u16] = match expected {
            // What is refused is not begun.
            Verdict::Unauthenticated | Verdict::Forbidden(_) if told.text.starts_with("{\"data\"") => &[],
            Verdict::Unauthenticated if code == "UNAUTHENTICATED" => &[401],
            Verdict::Forbidden(details) if code == "FORBIDDEN" && details.contains(&told.details) => &[403],
            // Of several, each is answered.
            Verdict::Allowed if self.is_hidden(caller, arguments) && told.text.contains("NOT_FOUND") => &[404, 200],
            Verdict::Allowed if self.is_hidden(caller, arguments) => &[],
            // It was stopped once it was allowed.
            Verdict::Allowed if is_mutation && ["VALIDATION_ERROR", "BAD_REQUEST"].contains(&code) => &[400],
            Verdict::Allowed if is_mutation => &[],
            Verdict::Allowed if target.name() == "fetchMetadata" && code == "VALIDATION_ERROR" => &[400, 200],
            Verdict::Allowed if code.is_empty() => &[200],
            // This one has nothing.
            Verdict::Allowed if caller.account == "another" && code == "NOT_FOUND" => &[404],
            _ => &[],
        };
        let leaks = self.leaks(caller, &sent.to_string(), &told.text);
        let challenge = match expected {
            Verdict::Unauthenticated if caller.text.is_empty() => "Bearer".to_owned(),
            Verdict::Unauthenticated => "error=\"invalid_token\"".to_owned(),
            Verdict::Forbidden(details) => format!("scope={}", details[0]["scope"]),
            Verdict::Allowed => String::new(),
        };
        let is_answered = match &told.status {
            Some((status, challenged)) => statuses.contains(status) && challenged.contains(&challenge),
            None => !statuses.is_empty(),
        };
        let is_right = leaks.is_empty() && is_answered;
        let text = || told.text.chars().take(400).collect::<String>();
        (!is_right).then(|| format!("{}: {expected:?}, not {:?} {}, {leaks:?}:", caller.name, told.status, text()))
    }

    /// Whoever asks for the field: everybody, and of the keys that lack one scope those that lack one of its own.
    fn concerned<'a>(&'a self, target: &'a Target) -> impl Iterator<Item = &'a Caller> {
        let lacks = |caller: &Caller| target.rules.iter().filter_map(|it| it.scope.as_ref()).any(|it| !caller.has(it));
        self.callers.iter().filter(move |caller| caller.name != ALL_BUT_ONE || lacks(caller))
    }
}

#[on_each_database]
async fn every_field_is_for_whom_the_schema_says(database: TestDatabase) {
    let (world, sdl) = (world(&database).await, Sdl::read());
    let plan = &world.server.api().plan;
    let roots = [sdl.roots(OperationType::Query), sdl.roots(OperationType::Mutation)].concat();
    let below = sdl.below(&roots);
    assert_eq!(below.len(), sdl.guarded(), "each is reached");
    let targets = [&roots[..], &below].concat();
    let connection = database.connect().await;
    let (before, mails) = (rows(&connection).await, all_mails(&database).len());

    let by_http =
        targets.iter().flat_map(|it| world.concerned(it).map(|caller| world.by_graphql(caller, it, None).boxed()));
    let by_http: Vec<BoxFuture<'_, _>> = by_http.collect();
    let exports = plan.exports.iter().map(|export| &export.operation);
    let operations: Vec<&Operation> = plan.operations.iter().map(|it| &**it).chain(exports).collect();
    let mapped = roots.iter().flat_map(|target| &target.root.directives);
    let mapped = mapped.filter(|directive| ["rest", "export"].contains(&directive.name.as_str()));
    assert_eq!(mapped.count(), operations.len());
    let by_rest = operations.iter().flat_map(|operation| {
        let target = roots.iter().find(|target| target.name() == operation.field.name).unwrap();
        world.concerned(target).map(|caller| world.by_rest(caller, target, operation).boxed())
    });
    let by_rest: Vec<BoxFuture<'_, _>> = by_rest.collect();
    println!(
        "{} root fields, {} below, {} REST operations, {} callers: {} and {} calls",
        roots.len(),
        below.len(),
        operations.len(),
        world.callers.len(),
        by_http.len(),
        by_rest.len()
    );
    // An account may have four exports at once.
    let told = stream::iter(by_http.into_iter().chain(by_rest)).buffer_unordered(4);
    let mut wrong: Vec<String> = told.filter_map(std::future::ready).collect().await;
    let by_socket = stream::iter(&world.callers).map(async |caller| {
        if caller.credential == Credential::None && !caller.text.is_empty() {
            assert_eq!(world.server.begin_socket(&caller.text).await.1, json!({ "closed": 4403 }));
            return vec![];
        }
        let mut socket = world.server.socket(&caller.text).await;
        let mut wrong = Vec::new();
        for target in targets.iter().filter(|target| world.concerned(target).any(|it| it.text == caller.text)) {
            wrong.extend(world.by_graphql(caller, target, Some(&mut socket)).await);
        }
        wrong
    });
    wrong.extend(by_socket.buffer_unordered(4).collect::<Vec<_>>().await.concat());
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());

    database.becomes("no mail is left", MAILS, 0).await;
    assert_eq!(all_mails(&database).len(), mails);
    let after = rows(&connection).await;
    let missing = |from: &[String], other: &[String]| from.iter().filter(|row| !other.contains(row)).cloned().collect();
    let changed: [Vec<String>; 2] = [missing(&before, &after), missing(&after, &before)];
    assert!(changed.concat().is_empty(), "{changed:#?}");
    connection.close().await.unwrap();

    // What is to be kept from the others is shown to those who may have it.
    let mut planted: BTreeSet<String> = world.ids["house"].values().cloned().collect();
    planted.extend(KINDS.map(|(kind, _)| secret("house", kind)));
    let never: Vec<_> = planted.difference(&world.shown.lock().unwrap()).cloned().collect();
    assert_eq!(never, [""; 0]);
}

/// Whom the schema lets in is refused by no rule of a feature.
#[on_each_database]
async fn who_may_make_a_change_can_make_it(database: TestDatabase) {
    let (world, sdl) = (world(&database).await, Sdl::read());
    let mut mutations = sdl.roots(OperationType::Mutation);
    mutations.retain(|target| target.rules[0].scope.is_some());
    // What takes something away comes last.
    let takes_away = ["delete", "remove", "revoke", "release", "merge"];
    mutations.sort_by_key(|target| takes_away.iter().any(|it| target.name().starts_with(it)));
    let mut done = 0;
    for target in &mutations {
        for caller in world.concerned(target).filter(|caller| caller.account == "house") {
            if !matches!(verdict(caller, &target.rules, false), Verdict::Allowed) {
                continue;
            }
            let variables = with_ids(arguments(target.name()), &world.ids["house"]);
            let answer = world.server.graphql(&caller.text, &target.document(""), variables).await;
            let code = Told::of_graphql(&answer).code;
            let (name, is_refused) = (target.name(), ["FORBIDDEN", "UNAUTHENTICATED"].contains(&&*code));
            assert!(!is_refused, "{} {name}: {answer}", caller.name);
            done += usize::from(code.is_empty());
        }
    }
    // The others came too late: the one resource is gone, or the name is taken.
    assert!(done > 90, "{done}");
}

#[on_each_database]
async fn a_subscription_is_for_whom_the_schema_says(database: TestDatabase) {
    let (world, sdl) = (world(&database).await, Sdl::read());
    let (server, house) = (&world.server, &world.ids["house"]);
    let of = |name: &str| world.callers.iter().find(|caller| caller.name == name).unwrap();
    let (owner, stranger) = (&of("OWNER").text, &of("another owner").text);
    server.link(stranger, "hers").await;
    let roots = sdl.roots(OperationType::Subscription);
    let targets = [&roots[..], &sdl.below(&roots)].concat();
    let (mut refused, mut listening) = (0, Vec::new());
    for caller in world.callers.iter().filter(|it| it.credential != Credential::None || it.text.is_empty()) {
        let mut socket = server.socket(&caller.text).await;
        let mut awaited = BTreeSet::new();
        for (number, target) in targets.iter().enumerate() {
            if !world.concerned(target).any(|it| it.text == caller.text) {
                continue;
            }
            let arguments = target.arguments(&server.api().plan);
            let (expected, variables) = (verdict(caller, &target.rules, false), with_ids(arguments.clone(), house));
            let is_served = matches!(expected, Verdict::Allowed) && !world.is_hidden(caller, &arguments);
            if is_served && target.rules.len() > 1 {
                continue;
            }
            socket.begin(&number.to_string(), &target.document(""), variables.clone()).await;
            if is_served {
                awaited.insert(number.to_string());
                continue;
            }
            let said = socket.hear().await;
            let told = Told::of_graphql(&json!({ "errors": said["payload"] }));
            let wrong = world.wrong(caller, &expected, (&arguments, &variables), target, &told);
            assert!(said["type"] == "error" && wrong.is_none(), "{wrong:?} {}", target.document(""));
            refused += 1;
        }
        listening.push((caller, socket, awaited));
    }
    println!("{refused} refused, {} served", listening.iter().map(|(_, _, awaited)| awaited.len()).sum::<usize>());
    let heard = listening.into_iter().map(async |(caller, mut socket, mut awaited)| {
        while !awaited.is_empty() {
            let said = socket.hear().await;
            assert_eq!(
                (&said["type"], &said["payload"]["errors"]),
                (&json!("next"), &Json::Null),
                "{} {said}",
                caller.name
            );
            let leaks = world.leaks(caller, "", &said["payload"].to_string());
            assert!(leaks.is_empty(), "{} {said}", caller.name);
            awaited.remove(said["id"].as_str().unwrap());
        }
    });
    let happens = async {
        loop {
            for slug in [secret("house", "links"), secret("own", "links"), "hers".to_owned()] {
                server.follow(&slug).await.expect(302);
            }
            let paths =
                [format!("/domains/{}/verify", house["domainId"]), format!("/webhooks/{}/test", house["webhookId"])];
            for path in paths {
                server.post(&path, owner, Json::Null).await.expect(200);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        _ = join_all(heard) => {}
        () = happens => {}
    }
}
