//! What was released stays until the day that its deprecation names.

use std::{collections::BTreeMap, fs};

use linkgraph::{
    api::{
        self,
        rest::{operation::method_name, plan::Plan},
    },
    base::clock::{Clock, UnixMillis, parse_rfc3339},
    contract::{self, Contract, Deprecation, Field, Shape},
};

/// The schema of the newest release, from 1.0 on.
const RELEASED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/released.graphql");

/// All that a caller can name, with the day from which on it may be gone. `None`: it may not.
fn names(contract: &Contract) -> BTreeMap<String, Option<UnixMillis>> {
    let mut names = BTreeMap::new();
    let mut add = |name: String, deprecated: Option<&Deprecation>| {
        names.insert(name, deprecated.map(|deprecated| deprecated.until));
    };
    let mut add_field = |place: String, field: &Field| {
        for argument in &field.arguments {
            add(format!("{place}({})", argument.name), argument.deprecated.as_ref().or(field.deprecated.as_ref()));
        }
        add(place, field.deprecated.as_ref());
    };
    for root in &contract.operations {
        add_field(format!("{} {}", root.kind.keyword(), root.field.name), &root.field);
    }
    for (name, definition) in &contract.types {
        if let Shape::Object(fields) = &definition.shape {
            fields.iter().for_each(|field| add_field(format!("{name}.{}", field.name), field));
        }
    }
    for (name, definition) in &contract.types {
        match &definition.shape {
            Shape::Input(fields) => {
                fields.iter().for_each(|field| add(format!("{name}.{}", field.name), field.deprecated.as_ref()));
            }
            Shape::Enum(values) | Shape::Union(values) => {
                values.iter().for_each(|value| add(format!("{name}.{value}"), None));
            }
            Shape::Object(_) | Shape::Scalar => {}
        }
    }
    let plan = Plan::new(contract).unwrap();
    let exports = plan.exports.iter().map(|export| &export.operation);
    for operation in plan.operations.iter().map(|operation| &**operation).chain(exports) {
        add(format!("{} {}", method_name(operation.method), operation.path), operation.field.deprecated.as_ref());
    }
    names
}

/// What a schema had and another one has no more, though its day has not come.
fn gone(released: &str, current: &str, now: UnixMillis) -> Vec<String> {
    let read = |sdl: &str| names(&Contract::read(&contract::parse(sdl).unwrap()).unwrap());
    let current = read(current);
    let mut gone: Vec<_> = read(released).into_iter().filter(|(name, _)| !current.contains_key(name)).collect();
    gone.retain(|(_, until)| until.is_none_or(|until| now < until));
    gone.into_iter().map(|(name, _)| name).collect()
}

/// Versions before 1.0 promise nothing.
#[test]
fn what_was_released_is_there() {
    if !env!("CARGO_PKG_VERSION").starts_with("0.") {
        let released = fs::read_to_string(RELEASED).expect("the schema of the newest release is kept");
        let (current, ..) = api::contract().unwrap();
        assert_eq!(gone(&released, &current, Clock::default().now()), [""; 0]);
    }
}

#[test]
fn what_goes_before_its_day_is_named() {
    let sdl = |fields: &str, values: &str, input: &str| {
        format!(
            "type Query {{ a(x: Int, in: In): Thing @access(credential: PUBLIC) {fields} }} enum Kind {{ ONE {values} }} \
             input In {{ x: Int {input} }} type Thing {{ id: ID! kind: Kind }} schema {{ query: Query }}"
        )
    };
    let deprecated = "@deprecated(reason: \"Since 2027-03-01, until 2028-03-01.\")";
    let fields = format!("b(y: Int): Int @access(credential: PUBLIC) @rest(method: GET, path: \"/b\") {deprecated}");
    let released = sdl(&fields, "TWO", &format!("y: Int z: Int {deprecated}"));
    let day = |day: &str| parse_rfc3339(&format!("{day}T00:00:00Z")).unwrap();
    assert_eq!(gone(&released, &released, day("2030-01-01")), [""; 0]);
    let current = sdl("", "", "");
    let at_once = ["GET /b", "In.y", "In.z", "Kind.TWO", "query b", "query b(y)"];
    assert_eq!(gone(&released, &current, day("2028-02-29")), at_once);
    assert_eq!(gone(&released, &current, day("2028-03-01")), ["In.y", "Kind.TWO"]);
    assert_eq!(gone(&current, &released, day("2027-03-01")), [""; 0]);
}
