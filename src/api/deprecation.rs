//! Uses of deprecated parts of the schema: metrics count the requests, and REST answers have headers about them.

use std::{
    collections::BTreeSet,
    time::{Duration, SystemTime},
};

use async_graphql::{
    Value,
    parser::types::{OperationDefinition, Selection, SelectionSet},
};
use axum::http::{HeaderName, HeaderValue, header::InvalidHeaderValue};

use crate::{
    api::rest::{input::RequestInput, operation::Operation},
    base::clock::SECOND,
    contract::{Contract, Deprecation, OperationKind, Parent, base_name},
};

/// RFC 9745: since when.
const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");
/// RFC 8594: until when it is answered.
const SUNSET: HeaderName = HeaderName::from_static("sunset");

/// Deprecated fields of the schema, by `Type.field`, `Type.field(argument)` or `Input.field`; of root fields without the type.
#[derive(Debug, Default)]
pub(crate) struct Used<'a> {
    pub(crate) names: BTreeSet<String>,
    first: Option<(&'a Deprecation, &'a Deprecation)>,
}

impl<'a> Used<'a> {
    fn note(&mut self, deprecated: Option<&'a Deprecation>, name: impl FnOnce() -> String) {
        let Some(deprecated) = deprecated else { return };
        self.names.insert(name());
        let (since, until) = self.first.unwrap_or((deprecated, deprecated));
        let earlier = |one: &'a Deprecation, is_earlier: bool| if is_earlier { deprecated } else { one };
        self.first =
            Some((earlier(since, deprecated.since < since.since), earlier(until, deprecated.until < until.until)));
    }

    /// The deprecated among the operation, parameters, fields of the body, and names in `fields` of a REST request.
    pub(crate) fn by_rest(contract: &'a Contract, operation: &'a Operation, input: &RequestInput) -> Self {
        let mut used = Used::default();
        if !contract.has_deprecated {
            return used;
        }
        let root = &operation.field;
        used.note(root.deprecated.as_ref(), || root.name.clone());
        let Value::Object(variables) = &input.variables else { return used };
        for argument in root.arguments.iter().filter(|argument| variables.contains_key(argument.name.as_str())) {
            used.note(argument.deprecated.as_ref(), || format!("{}({})", root.name, argument.name));
            used.values(contract, base_name(&argument.ty), &variables[argument.name.as_str()]);
        }
        if let (Some(fields), Some((name, entity))) = (&input.fields, operation.entity_type(contract)) {
            for field in entity.iter().filter(|field| fields.contains(&field.name)) {
                used.note(field.deprecated.as_ref(), || format!("{name}.{}", field.name));
            }
        }
        used
    }

    /// The deprecated among the fields and arguments of a GraphQL operation whose fragments are spread.
    pub(crate) fn by_graphql(contract: &'a Contract, operation: &'a OperationDefinition) -> Self {
        let mut used = Used::default();
        if contract.has_deprecated {
            let root = Parent::Root(OperationKind::from(operation.ty));
            used.selection(contract, root, &operation.selection_set.node);
        }
        used
    }

    fn selection(&mut self, contract: &'a Contract, parent: Parent<'a>, selection: &'a SelectionSet) {
        for item in &selection.items {
            match &item.node {
                Selection::Field(field) => {
                    let field = &field.node;
                    let Some(known) = parent.field(contract, &field.name.node) else { continue };
                    let name = match parent {
                        Parent::Type(of) => format!("{of}.{}", known.name),
                        Parent::Root(_) | Parent::Unknown => known.name.clone(),
                    };
                    self.note(known.deprecated.as_ref(), || name.clone());
                    for (given, value) in &field.arguments {
                        let Some(argument) = known.arguments.iter().find(|it| it.name == *given.node) else { continue };
                        self.note(argument.deprecated.as_ref(), || format!("{name}({})", argument.name));
                        if let Some(value) = value.node.clone().into_const() {
                            self.values(contract, base_name(&argument.ty), &value);
                        }
                    }
                    self.selection(contract, Parent::of(Some(known)), &field.selection_set.node);
                }
                Selection::InlineFragment(fragment) => {
                    let on = fragment.node.type_condition.as_ref();
                    let member = on.map_or(parent, |on| Parent::Type(&on.node.on.node));
                    self.selection(contract, member, &fragment.node.selection_set.node);
                }
                Selection::FragmentSpread(_) => {}
            }
        }
    }

    /// Fields of inputs that a value has.
    fn values(&mut self, contract: &'a Contract, type_name: &str, value: &Value) {
        match value {
            Value::List(items) => items.iter().for_each(|item| self.values(contract, type_name, item)),
            Value::Object(given) => {
                for field in contract.input(type_name).into_iter().flatten() {
                    if let Some(value) = given.get(field.name.as_str()) {
                        self.note(field.deprecated.as_ref(), || format!("{type_name}.{}", field.name));
                        self.values(contract, base_name(&field.ty), value);
                    }
                }
            }
            _ => {}
        }
    }

    /// Headers of the answer; none if nothing is deprecated. Of several, the days that come first.
    pub(crate) fn headers(&self) -> Result<Vec<(HeaderName, HeaderValue)>, InvalidHeaderValue> {
        let Some((since, until)) = self.first else { return Ok(Vec::new()) };
        let until = Duration::from_millis(until.until.unsigned_abs());
        Ok(vec![
            (DEPRECATION, HeaderValue::try_from(format!("@{}", since.since / SECOND))?),
            (SUNSET, HeaderValue::try_from(httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + until))?),
        ])
    }
}

#[cfg(test)]
mod tests {
    use async_graphql::{Name, parser::parse_query};
    use serde_json::Value as Json;

    use super::*;
    use crate::{
        api::rest::{
            openapi::{Extent, document},
            plan::Plan,
        },
        base::clock::parse_rfc3339,
        contract::{self, ContractError},
    };

    const SDL: &str = r#"
        type Query {
          "A thing." thing(id: ID!, old: Int @deprecated(reason: "Since 2027-03-01, until 2028-06-01: leave it out.")): Thing
            @access(credential: PUBLIC) @rest(method: GET, path: "/things/{id}")
          "It." it: Thing @access(credential: PUBLIC) @rest(method: GET, path: "/it")
            @deprecated(reason: "Since 2027-01-01, until 2028-01-01: use thing.")
        }
        type Mutation { "Makes." make(input: MakeInput!): Thing! @access(credential: PUBLIC) @rest(method: POST, path: "/things") }
        "A thing." type Thing {
          "Id." id: ID!
          "Name." name: String @deprecated(reason: "since 2027-02-01 until 2028-02-01, use title")
          "Things." parts: [Thing!]!
        }
        "To make." input MakeInput { "Title." title: String "Name." name: String @deprecated(reason: "Since 2027-03-01, until 2028-03-01.") }
        schema { query: Query mutation: Mutation }"#;

    fn contract_of(sdl: &str) -> Result<Contract, ContractError> {
        contract::parse(sdl).and_then(|definitions| Contract::read(&definitions))
    }

    #[test]
    fn a_request_by_rest_is_told_what_of_it_is_deprecated() {
        let contract = contract_of(SDL).unwrap();
        let plan = Plan::new(&contract).unwrap();
        let object = |name: &str, value: Value| Value::Object([(Name::new(name), value)].into_iter().collect());
        let march = ["@1803859200", "Wed, 01 Mar 2028 00:00:00 GMT"];
        for (path, variables, fields, names, headers) in [
            ("/things/{id}", object("id", "1".into()), "", &[][..], None),
            ("/things/{id}", object("id", "1".into()), "id", &[], None),
            (
                "/things/{id}",
                object("old", 1.into()),
                "",
                &["thing(old)"],
                Some([march[0], "Thu, 01 Jun 2028 00:00:00 GMT"]),
            ),
            // The days that come first count, of two deprecations.
            (
                "/things/{id}",
                object("old", 1.into()),
                "name",
                &["Thing.name", "thing(old)"],
                Some(["@1801440000", "Tue, 01 Feb 2028 00:00:00 GMT"]),
            ),
            ("/it", object("id", "1".into()), "", &["it"], Some(["@1798761600", "Sat, 01 Jan 2028 00:00:00 GMT"])),
            ("/things", object("input", object("title", "x".into())), "", &[], None),
            ("/things", object("input", object("name", "x".into())), "", &["MakeInput.name"], Some(march)),
        ] {
            let operation = plan.operations.iter().find(|operation| operation.path == path).unwrap();
            let fields = Some(vec![fields.to_owned()]).filter(|_| !fields.is_empty());
            let used = Used::by_rest(&contract, operation, &RequestInput { variables, fields });
            assert_eq!(used.names.iter().collect::<Vec<_>>(), names, "{path}");
            let found = used.headers().unwrap();
            let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
            let expected = headers.map(|[since, until]| vec![("deprecation", since), ("sunset", until)]);
            assert_eq!(found, expected.unwrap_or_default(), "{path}");
        }
    }

    #[test]
    fn what_a_graphql_operation_uses_is_known_by_name() {
        let contract = contract_of(SDL).unwrap();
        for (text, names) in [
            ("{ thing(id: 1) { id parts { id } } }", &[][..]),
            (
                "{ a: it { id parts { b: name } } thing(id: 1, old: 2) { ... on Thing { name } } }",
                &["Thing.name", "it", "thing(old)"],
            ),
            ("mutation { make(input: { title: \"a\" }) { id } }", &[]),
            ("mutation { make(input: { name: \"a\" }) { id } }", &["MakeInput.name"]),
        ] {
            let document = parse_query(text).unwrap();
            let (_, operation) = document.operations.iter().next().unwrap();
            let used = Used::by_graphql(&contract, &operation.node);
            assert_eq!(used.names.iter().collect::<Vec<_>>(), names, "{text}");
        }
    }

    #[test]
    fn the_document_marks_what_is_deprecated() {
        let contract = contract_of(SDL).unwrap();
        let plan = Plan::new(&contract).unwrap();
        let document: Json = serde_json::from_str(&document(&contract, &plan, Extent::Whole)).unwrap();
        let (thing, schemas) = (&document["paths"]["/things/{id}"]["get"], &document["components"]["schemas"]);
        for (described, is_deprecated) in [
            (&document["paths"]["/it"]["get"], true),
            (thing, false),
            (&thing["parameters"][0], false),
            (&thing["parameters"][1], true),
            (&schemas["Thing"]["properties"]["name"], true),
            (&schemas["Thing"]["properties"]["id"], false),
            (&schemas["MakeInput"]["properties"]["name"], true),
        ] {
            assert_eq!(described["deprecated"] == true, is_deprecated, "{described}");
            let description = described["description"].as_str().unwrap();
            assert_eq!(description.contains("Deprecated: "), is_deprecated, "{described}");
        }
    }

    #[test]
    fn a_reason_says_since_when_and_until_when() {
        for (reason, is_good) in [
            ("(reason: \"Since 2027-03-01, until 2028-03-01: use title.\")", true),
            ("(reason: \"Use title since 2027-03-01; gone: until 2028-02-29.\")", true),
            ("(reason: \"Since 2027-03-01, until 2028-02-28.\")", false),
            ("(reason: \"Since 2027-03-01.\")", false),
            ("(reason: \"Until 2028-03-01.\")", false),
            ("(reason: \"Since 2027-13-01, until 2028-13-01.\")", false),
            ("", false),
        ] {
            let sdl = format!(
                "type Query {{ a: Int @access(credential: PUBLIC) @deprecated{reason} }} schema {{ query: Query }}"
            );
            let found = contract_of(&sdl);
            assert_eq!(found.is_ok(), is_good, "{reason}");
            if let Ok(contract) = found {
                assert!(contract.has_deprecated);
                assert_eq!(contract.deprecated().next().map(|it| it.since), parse_rfc3339("2027-03-01T00:00:00Z"));
            }
        }
    }
}
