//! The registry of types, completed with what the library's macros do not say: root fields that may be null, interfaces, and the values
//! of `@values`, which introspection does not show otherwise.

use async_graphql::{
    TypeDirective, Value,
    registry::{MetaDirectiveInvocation, MetaField, MetaType, Registry},
};

use crate::graphql::directives::{semantic_non_null, values};

/// Completes a registry that has all types.
pub(super) fn complete(registry: &mut Registry) {
    make_roots_nullable(registry);
    add_interfaces(registry);
    describe_values(registry);
}

/// A root field that fails is null.
fn make_roots_nullable(registry: &mut Registry) {
    let roots = [Some(registry.query_type.clone()), registry.mutation_type.clone()];
    for root in roots.into_iter().flatten() {
        let Some(MetaType::Object { fields, .. }) = registry.types.get_mut(&root) else { continue };
        for field in fields.values_mut() {
            let Some(nullable) = field.ty.strip_suffix('!').map(str::to_owned) else { continue };
            field.ty = nullable;
            field.directive_invocations.push(semantic_non_null::apply(None));
        }
    }
    semantic_non_null.register(registry);
}

/// Fields that several types share. A type that has all of them implements the interface, so that no list of types is kept.
struct Interface {
    name: &'static str,
    description: &'static str,
    /// Names, types and descriptions.
    fields: &'static [(&'static str, &'static str, &'static str)],
}

const INTERFACES: [Interface; 3] = [
    Interface {
        name: "Event",
        description: "What all events of webhooks have. Each has `data` of its own, too.",
        fields: &[("type", "String!", "Name of the event."), ("timestamp", "DateTime!", "When it happened.")],
    },
    Interface {
        name: "Node",
        description: "What has an id: a cache may keep it by its type's name and its id.",
        fields: &[("id", "ID!", "Identifies it among those of its type.")],
    },
    Interface {
        name: "Page",
        description: "What the pages of all lists have, beside their items.",
        fields: &[
            ("total", "Int!", "Number of items on all pages."),
            ("page", "Int!", "Number of this page, from 1."),
            ("pageSize", "Int!", "Items a page has at most, as requested."),
            ("totalPages", "Int!", "`total / pageSize`, rounded up."),
        ],
    },
];

/// No field's type becomes an interface: the merge of selections relies on it.
fn add_interfaces(registry: &mut Registry) {
    for Interface { name, description, fields } in INTERFACES {
        let of = |ty: &MetaType| -> Option<Vec<MetaField>> {
            let MetaType::Object { fields: own, .. } = ty else { return None };
            let shared = fields.iter().map(|(field, ty, description)| {
                let own = own.get(*field).filter(|own| own.ty == *ty && own.args.is_empty())?;
                Some(MetaField { description: Some((*description).to_owned()), ..own.clone() })
            });
            shared.collect()
        };
        let (members, shared): (Vec<_>, Vec<_>) =
            registry.types.values().filter_map(|ty| Some((ty.name().to_owned(), of(ty)?))).unzip();
        let Some(shared) = shared.into_iter().next() else { continue };
        registry.types.insert(
            name.to_owned(),
            MetaType::Interface {
                name: name.to_owned(),
                description: Some(description.to_owned()),
                fields: shared.into_iter().map(|field| (field.name.clone(), field)).collect(),
                possible_types: members.iter().cloned().collect(),
                extends: false,
                keys: None,
                visible: None,
                inaccessible: false,
                tags: Vec::new(),
                rust_typename: None,
                directive_invocations: Vec::new(),
                requires_scopes: Vec::new(),
            },
        );
        for member in members {
            registry.add_implements(&member, name);
        }
    }
}

/// Adds the values that an argument or a field of an input takes to its description.
fn describe_values(registry: &mut Registry) {
    for ty in registry.types.values_mut() {
        match ty {
            MetaType::Object { fields, .. } => {
                for argument in fields.values_mut().flat_map(|field| field.args.values_mut()) {
                    describe(&mut argument.description, &argument.directive_invocations);
                }
            }
            MetaType::InputObject { input_fields, .. } => {
                for field in input_fields.values_mut() {
                    describe(&mut field.description, &field.directive_invocations);
                }
            }
            _ => {}
        }
    }
}

fn describe(description: &mut Option<String>, directives: &[MetaDirectiveInvocation]) {
    let taken = directives.iter().find(|directive| directive.name == TypeDirective::name(&values));
    let Some(Value::List(taken)) = taken.and_then(|directive| directive.args.get("of")) else { return };
    let taken: Vec<_> = taken.iter().map(|value| format!("`{}`", value.to_string().trim_matches('"'))).collect();
    let text = description.get_or_insert_default();
    text.push_str(&format!(" Possible values: {}.", taken.join(", ")));
}
