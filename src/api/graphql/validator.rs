//! Validation of documents before anything is executed, as the GraphQL specification has it
//! (<https://spec.graphql.org/September2025/#sec-Validation>). async-graphql's own validation lets documents pass that the
//! specification refuses, and executes half of them.

use std::{ops::Range, sync::Arc};

use apollo_compiler::{
    Schema,
    ast::{self, FieldDefinition, Type},
    executable::{DirectiveList, Operation},
    parser::{LineColumn, Parser},
    schema::{Component, ExtendedType},
    validation::{DiagnosticList, Valid},
};
use async_graphql::{ErrorExtensionValues, Pos, ServerError, Variables};
use quick_cache::{Weighter, sync::Cache};
use sha2::{Digest, Sha256};

use super::{
    coercion::coerce_variables,
    cost::check_shape,
    document::Document,
    inputs::check_inputs,
    rejection::{MAX_ERRORS, Rejection, mistake},
    tokens::{MAX_TOKENS, Text},
};
use crate::{
    base::{error::Code, weight},
    contract::ContractError,
};

/// Bytes of the cache of valid documents.
const MEMORY: usize = 8 << 20;
/// Nested rules of the grammar that the parser follows; [`read_text`](super::tokens::read_text) bounds brackets by 40.
const MAX_RECURSION: usize = 200;

/// Hash of a document's text.
type Hash = [u8; 32];

#[derive(Clone, Copy, Debug)]
struct ByTokens;

impl Weighter<Hash, Arc<Document>> for ByTokens {
    fn weight(&self, _: &Hash, document: &Arc<Document>) -> u64 {
        document.weight()
    }
}

/// Validates documents for one schema.
pub struct Validator {
    /// The schema.
    pub schema: Valid<Schema>,
    valid: Cache<Hash, Arc<Document>, ByTokens>,
}

impl Validator {
    /// For the schema of these definitions. Fails when it is not valid.
    pub fn new(definitions: &ast::Document) -> Result<Self, ContractError> {
        let refused = |errors: &DiagnosticList| ContractError(errors.to_string());
        let mut schema = definitions.to_schema().map_err(|invalid| refused(&invalid.errors))?;
        add_is_one_of(&mut schema);
        let schema = schema.validate().map_err(|invalid| refused(&invalid.errors))?;
        Ok(Validator { schema, valid: weight::cache(MEMORY, ByTokens) })
    }

    /// Parses and validates a document. Fails with all its mistakes.
    pub fn document(&self, text: &Text) -> Result<Arc<Document>, Rejection> {
        let hash = Hash::from(Sha256::digest(&text.plain));
        if let Some(document) = self.valid.get(&hash) {
            return Ok(document);
        }
        let mut parser = Parser::new().recursion_limit(MAX_RECURSION).token_limit(MAX_TOKENS * 2);
        let parsed = parser.parse_ast(&*text.plain, "document").map_err(|invalid| {
            let mut errors = mistakes(&invalid.errors);
            for error in &mut errors {
                let mut extensions = ErrorExtensionValues::default();
                extensions.set("code", Code::GraphqlParseFailed.as_str());
                error.extensions = Some(extensions);
            }
            Rejection::Invalid(errors)
        })?;
        check_shape(&parsed)?;
        let executable = parsed
            .to_executable_validate(&self.schema)
            .map_err(|invalid| Rejection::Invalid(mistakes(&invalid.errors)))?;
        let document = Document::new(executable, text);
        check_inputs(&self.schema, &document).map_err(Rejection::Invalid)?;
        let document = Arc::new(document);
        self.valid.insert(hash, Arc::clone(&document));
        Ok(document)
    }

    /// The values that the variables of the operation have. Fails with the mistakes of all.
    pub fn variables(
        &self,
        document: &Document,
        operation: &Operation,
        given: &Variables,
    ) -> Result<Variables, Rejection> {
        coerce_variables(&self.schema, document, operation, given).map_err(Rejection::Invalid)
    }
}

/// `__Type.isOneOf` of the September 2025 edition, which async-graphql answers and apollo-compiler does not know.
fn add_is_one_of(schema: &mut Schema) {
    if let Some(ExtendedType::Object(of_types)) = schema.types.get_mut("__Type") {
        let name = apollo_compiler::name!("isOneOf");
        let field = FieldDefinition {
            description: None,
            name: name.clone(),
            arguments: Vec::new(),
            ty: Type::Named(apollo_compiler::name!("Boolean")),
            directives: DirectiveList::default(),
        };
        of_types.make_mut().fields.insert(name, Component::new(field));
    }
}

/// Part of apollo-compiler's message on a field without fields below it, which it tells also when all of these are mistakes.
const NO_SELECTION: &str = "must have a subselection set";

/// The mistakes as GraphQL writes them; those beyond the most that are told have no place, which takes long to find.
fn mistakes(errors: &DiagnosticList) -> Vec<ServerError> {
    let all: Vec<_> = errors.iter().map(|error| (mistake(error.error, None), error)).collect();
    let is_without_selection = |mistake: &ServerError| mistake.message.contains(NO_SELECTION);
    let has_other = all.iter().any(|(mistake, _)| !is_without_selection(mistake));
    let told = all.into_iter().filter(|(mistake, _)| !has_other || !is_without_selection(mistake));
    let placed = told.enumerate().map(|(index, (mut mistake, error))| {
        let place = if index < MAX_ERRORS { error.line_column_range() } else { None };
        mistake.locations.extend(place.map(|Range { start: LineColumn { line, column }, .. }| Pos { line, column }));
        mistake
    });
    placed.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        api::{graphql::tokens::read_text, schema},
        contract,
    };

    fn validate(text: &str, variables: serde_json::Value) -> Result<serde_json::Value, String> {
        let validator = Validator::new(&contract::parse(&schema::sdl()).unwrap()).unwrap();
        let told = |rejection| match rejection {
            Rejection::Refused(error) => error.message.into_owned(),
            Rejection::Invalid(errors) => errors
                .iter()
                .map(|error| format!("{} {:?}", error.message, error.locations))
                .collect::<Vec<_>>()
                .join("; "),
        };
        let document =
            read_text(text).map_err(Rejection::Refused).and_then(|text| validator.document(&text)).map_err(told)?;
        let operation = document.operation(None).map_err(|error| error.message.into_owned())?;
        let coerced = validator.variables(&document, operation, &Variables::from_json(variables)).map_err(told)?;
        Ok(coerced.into_value().into_json().unwrap())
    }

    #[test]
    fn what_the_specification_refuses_is_refused() {
        for (text, variables, reason) in [
            (
                "query($b: Boolean!) { me { id @include(if: $b) } }",
                json!({}),
                "$b must be of type Boolean!: it is not given",
            ),
            (
                "query($b: Boolean!) { me { id @include(if: $b) } }",
                json!({ "b": null }),
                "$b must be of type Boolean!: it is null",
            ),
            ("query($b: Boolean) { me { id @include(if: $b) } }", json!({ "b": true }), "cannot be used"),
            ("{ me { account { x: id } } me { account { x: plan } } }", json!({}), "same alias `x`"),
            ("{ accountClickSummary(interval: \"DAY\") { to } }", json!({}), "found a string"),
            ("{ me { id @skip(if: true) } links(page: 2147483648) { total } }", json!({}), "32-bit"),
            (
                "query($p: Int!) { links(page: $p) { total } }",
                json!({ "p": 2_147_483_648_u64 }),
                "$p must be of type Int!: it is no integer of 32 bits",
            ),
            (
                "mutation { createLink(input: { destinationUrl: \"https://a.example\", destinationUrl: \"https://b.example\" }) { id } }",
                json!({}),
                "`destinationUrl` stands twice",
            ),
            ("query($a: [String!] = [{ a: 1, a: 2 }]) { links(search: $a) { total } }", json!({}), "String"),
            ("query($b: Boolean! @skip(if: true)) { me { id @include(if: $b) } }", json!({ "b": true }), "location"),
            ("query () { me { id } }", json!({}), "Variable Definition"),
            ("type A { a: Int } { me { id } }", json!({}), "object type definition"),
            ("{ links(page: 1, page: 2) { total } }", json!({}), "multiple times"),
            ("query($p: ID = null) { link(id: $p) { id } }", json!({}), "$p"),
            ("mutation($e: [String]) { updateWebhook(id: \"x\", input: { events: $e }) { id } }", json!({}), "$e"),
            ("mutation($e: String) { updateWebhook(id: \"x\", input: { events: [$e] }) { id } }", json!({}), "$e"),
            ("{ links(page: 1 pageSize) { total } }", json!({}), "colon"),
            ("query($s: String) { me { id } }", json!({}), "nused variable"),
            ("{ me { nope } }", json!({}), "field `nope` [Pos(1:8)]"),
            ("{ me }", json!({}), NO_SELECTION),
            ("{ nope }", json!({}), "does not have a field `nope`"),
            (
                "mutation($i: CreateLinkInput!) { createLink(input: $i) { id } }",
                json!({ "i": { "destinationUrl": 5 } }),
                "$i.destinationUrl must be of type String!: it has another type",
            ),
            (
                "mutation($i: CreateLinkInput!) { createLink(input: $i) { id } }",
                json!({ "i": { "destinationURL": "x" } }),
                "it has no field destinationURL.",
            ),
        ] {
            let refusal = validate(text, variables).expect_err(text);
            assert!(refusal.contains(reason), "{text}: {refusal}");
        }
    }

    #[test]
    fn what_it_allows_is_allowed_and_defaults_are_filled_in() {
        for (text, variables, coerced) in [
            ("query($p: Int = 2, $q: Int) { links(page: $p, pageSize: $q) { total } }", json!({}), json!({ "p": 2 })),
            (
                "mutation($e: [String!]!, $n: String = \"\\uD83C\\uDF89\\u{1F600}\") { \
                 createApiKey(input: { name: $n, scopes: $e }) { __typename } }",
                json!({ "e": "a" }),
                json!({ "e": ["a"], "n": "🎉😀" }),
            ),
            (
                "{ __type(name: \"Link\") { isOneOf specifiedByURL } __schema { directives { isRepeatable } } }",
                json!({}),
                json!({}),
            ),
            (
                "query($unknown: ID!) { link(id: $unknown) { id } }",
                json!({ "unknown": "x", "more": 1 }),
                json!({ "unknown": "x" }),
            ),
        ] {
            assert_eq!(validate(text, variables), Ok(coerced), "{text}");
        }
    }

    #[test]
    fn a_long_value_makes_no_long_message() {
        let long = "x".repeat(100_000);
        for text in [
            "query($p: Int!) { links(page: $p) { total } }".to_owned(),
            format!("{{ links(page: \"{long}\") {{ total }} }}"),
            format!("{{ {long} }}"),
        ] {
            let refusal = validate(&text, json!({ "p": long })).expect_err("a wrong type");
            assert!(refusal.len() < 2_000, "{}", refusal.len());
        }
    }
}
