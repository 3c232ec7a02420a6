//! Null in changes of what exists, by the contract: it takes a value away, or is refused (RFC 7396). Walks each field of each update, over
//! both doors.

use linkgraph::{
    api::rest::operation::method_name,
    contract::{Contract, Input, OperationKind, base_name},
    platform::auth::access::EntryPoint,
};
use serde_json::{Value as Json, json};

use crate::{
    on_each_database,
    support::{
        TestDatabase, TestServer,
        catalogue::{Ids, with_one_of_each},
    },
};

/// Each field of an input, and those of the objects in it, by its path.
fn paths<'a>(contract: &'a Contract, type_name: &str) -> Vec<(Vec<&'a str>, &'a Input)> {
    let mut found = Vec::new();
    for field in contract.input(type_name).unwrap() {
        found.push((vec![field.name.as_str()], field));
        let inner = base_name(&field.ty);
        // A card is replaced as a whole, and so are the app and a filter.
        if contract.input(inner).is_some() && !["LinkCardInput", "LinkAppInput", "ClickCondition"].contains(&inner) {
            let below = paths(contract, inner).into_iter();
            found.extend(below.map(|(path, field_below)| ([vec![field.name.as_str()], path].concat(), field_below)));
        }
    }
    found
}

/// An object with this value at the path.
fn at(path: &[&str], value: Json) -> Json {
    path.iter().rev().fold(value, |value, name| json!({ *name: value }))
}

/// Every value under this name in an answer.
fn all_named<'a>(json: &'a Json, name: &str, found: &mut Vec<&'a Json>) {
    match json {
        Json::Object(fields) => fields.iter().for_each(|(key, value)| {
            if key == name {
                found.push(value);
            }
            all_named(value, name, found);
        }),
        Json::Array(items) => items.iter().for_each(|item| all_named(item, name, found)),
        _ => {}
    }
}

/// A value that is not null.
fn example(path: &[&str], field: &Input, ids: &Ids) -> Json {
    match path {
        ["linkIds"] => json!([ids["linkId"]]),
        ["card"] => json!({ "title": "Spring" }),
        ["app"] => json!({ "iosUri": "acme://spring" }),
        ["utm"] => json!({ "source": "shop" }),
        _ => {
            let text = field.example.as_deref().unwrap();
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
    }
}

struct Update<'a> {
    server: &'a TestServer,
    token: &'a str,
    name: &'a str,
    /// Path of the resource.
    address: String,
    id: Option<&'a str>,
}

impl Update<'_> {
    /// Sends a change; answers the paths of its violations.
    async fn send(&self, through_graphql: bool, change: Json) -> Vec<String> {
        let Update { server, token, name, address, id } = self;
        let is_bulk = *name == "updateLinks";
        let body = if is_bulk { json!({ "ids": [id], "change": change }) } else { change };
        if !through_graphql {
            let path = if is_bulk { "/links/bulk" } else { address };
            let answer = server.call("PATCH", path, token, body).await;
            return if answer.status.is_success() { Vec::new() } else { answer.violations() };
        }
        let mut type_name = format!("{}{}Input", &name[..1].to_uppercase(), &name[1..]);
        if ["updateDomain", "updateSubdomain"].contains(name) {
            type_name = "UpdateHostInput".to_owned();
        }
        let (variable, argument) = match id.filter(|_| !is_bulk) {
            Some(_) => ("$id: ID!, ", "id: $id, "),
            None => ("", ""),
        };
        let query =
            format!("mutation({variable}$input: {type_name}!) {{ {name}({argument}input: $input) {{ __typename }} }}");
        let mut variables = json!({ "input": body });
        if !argument.is_empty() {
            variables["id"] = json!(id);
        }
        let answer = server.graphql(token, &query, variables).await;
        let violations = answer["errors"][0]["extensions"]["validationErrors"].as_array().cloned();
        assert!(violations.is_some() || answer.get("errors").is_none(), "{query} {answer}");
        violations.unwrap_or_default().iter().map(|it| it["path"].as_str().unwrap().to_owned()).collect()
    }

    async fn read(&self) -> Json {
        self.server.get(&self.address, self.token).await.expect(200).json()
    }

    /// Whether all values of the name are null. Of a password is shown whether there is one.
    async fn is_null(&self, name: &str) -> bool {
        let (answer, mut found) = (self.read().await, Vec::new());
        if name == "password" {
            all_named(&answer, "hasPassword", &mut found);
            return found == [&json!(false)];
        }
        all_named(&answer, name, &mut found);
        found.iter().all(|value| value.is_null())
    }
}

#[on_each_database]
async fn null_takes_a_value_away_or_is_refused(database: TestDatabase) {
    let (server, token, ids) = with_one_of_each(&database).await;
    let api = server.api();
    let (mut cleared, mut refused) = (0, 0);
    for operation in api.plan.operations.iter().filter(|it| method_name(it.method) == "PATCH") {
        if operation.entry_point == EntryPoint::PublicApi {
            continue;
        }
        let name = operation.field.name.as_str();
        let root = api.contract.operation(OperationKind::Mutation, name).unwrap();
        let input = root.field.arguments.iter().find(|argument| argument.name == "input").unwrap();
        let parameter = operation.path_parameters.first().map(|parameter| parameter.name.as_str());
        let parameter = if name == "updateLinks" { Some("linkId") } else { parameter };
        let id = parameter.map(|parameter| ids[parameter].as_str());
        let address = match name {
            "updateLinks" => format!("/links/{}", ids["linkId"]),
            _ => operation.path.replace(&format!("{{{}}}", parameter.unwrap_or_default()), id.unwrap_or_default()),
        };
        let update = Update { server: &server, token: &token, name, address, id };
        let type_name = if name == "updateLinks" { "ChangeLinksInput" } else { base_name(&input.ty) };
        for (path, field) in paths(&api.contract, type_name) {
            assert!(field.ty.nullable, "{name} {path:?}: a change can leave out each field");
            for through_graphql in [false, true] {
                let null = at(&path, Json::Null);
                if field.is_clearable {
                    // Something else stays where something must.
                    if name == "updateUtmTemplate" {
                        let all = json!({ "source": "a", "medium": "b" });
                        assert!(update.send(through_graphql, all).await.is_empty());
                    }
                    let set = at(&path, example(&path, field, &ids));
                    assert_eq!(update.send(through_graphql, set.clone()).await, [""; 0], "{name} {set}");
                    let shown = path.last().unwrap();
                    assert!(!update.is_null(shown).await, "{name} {set}: {}", update.read().await);
                    assert_eq!(update.send(through_graphql, null.clone()).await, [""; 0], "{name} {null}");
                    assert!(update.is_null(shown).await, "{name} {null}: {}", update.read().await);
                    cleared += 1;
                } else {
                    let before = update.read().await;
                    let violation = match name {
                        "updateLinks" => format!("change.{}", path.join(".")),
                        _ => path.join("."),
                    };
                    assert_eq!(update.send(through_graphql, null.clone()).await, [violation], "{name} {null}");
                    assert_eq!(update.read().await, before, "{name} {null}");
                    refused += 1;
                }
            }
        }
    }
    assert!(cleared >= 80 && refused >= 50, "{cleared} {refused}");
}
