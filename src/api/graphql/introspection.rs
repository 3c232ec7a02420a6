//! The size of an introspection's answer, counted before it is executed: the lists of a schema have known lengths.

use std::collections::HashMap;

use anyhow::{Context, bail};
use async_graphql::{
    Request,
    parser::types::{Field, Selection, SelectionSet},
};
use serde::Deserialize;

use crate::api::graphql::schema::ApiSchema;

/// Introspects all lists of the schema. Types are wrapped at most as deeply as here (`[[String!]!]!`).
const QUESTION: &str = "
    { __schema {
        queryType { name } mutationType { name } subscriptionType { name }
        types {
            name fields(includeDeprecated: true) { args(includeDeprecated: true) { type { ...T } } type { ...T } }
            inputFields(includeDeprecated: true) { type { ...T } } enumValues(includeDeprecated: true) { name }
            possibleTypes { name } interfaces { name }
        }
        directives { locations args(includeDeprecated: true) { type { ...T } } }
    } }
    fragment T on __Type { name ofType { name ofType { name ofType { name ofType { name ofType { name } } } } } }";

/// Place of a type in [`Lengths::types`].
type TypeIndex = usize;

/// The schema as introspection shows it.
#[derive(Debug)]
pub(crate) struct Lengths {
    /// Named types first, then lists and non-null types of them.
    types: Vec<Type>,
    named: usize,
    by_name: HashMap<String, TypeIndex>,
    fields: Vec<OutputField>,
    directives: Vec<Directive>,
    /// Query, mutation, subscription.
    roots: [Option<TypeIndex>; 3],
}

#[derive(Debug, Default)]
struct Type {
    /// Places in [`Lengths::fields`].
    fields: std::ops::Range<usize>,
    inputs: Vec<TypeIndex>,
    enum_values: usize,
    others: [Vec<TypeIndex>; 2],
    of: Option<TypeIndex>,
}

#[derive(Debug)]
struct OutputField {
    arguments: Vec<TypeIndex>,
    ty: TypeIndex,
}

#[derive(Debug)]
struct Directive {
    locations: usize,
    arguments: Vec<TypeIndex>,
}

impl Lengths {
    /// Introspects the schema.
    pub(crate) async fn of(schema: &ApiSchema) -> anyhow::Result<Self> {
        let response = schema.execute(Request::new(QUESTION)).await;
        if let Some(error) = response.errors.first() {
            bail!("the schema can't be introspected: {}", error.message);
        }
        let answer: Answer = serde_json::from_value(response.data.into_json()?).context("no introspection")?;
        Self::read(&answer.schema)
    }

    fn read(shown: &Shown) -> anyhow::Result<Self> {
        let by_name =
            shown.types.iter().enumerate().filter_map(|(index, ty)| Some((ty.name.clone()?, index))).collect();
        let mut lengths = Lengths {
            types: shown.types.iter().map(|_| Type::default()).collect(),
            named: shown.types.len(),
            by_name,
            fields: Vec::new(),
            directives: Vec::new(),
            roots: [None; 3],
        };
        let mut wrappers = HashMap::new();
        for (index, ty) in shown.types.iter().enumerate() {
            let begin = lengths.fields.len();
            for field in ty.fields.iter().flatten() {
                let arguments = lengths.all(&mut wrappers, field.args.iter().flatten())?;
                let ty = lengths.index(&mut wrappers, &field.ty)?;
                lengths.fields.push(OutputField { arguments, ty });
            }
            let inputs = lengths.all(&mut wrappers, ty.input_fields.iter().flatten())?;
            let mut named = |types: &Option<Vec<TypeRef>>| {
                types.iter().flatten().map(|ty| lengths.index(&mut wrappers, ty)).collect::<anyhow::Result<Vec<_>>>()
            };
            let others = [named(&ty.possible_types)?, named(&ty.interfaces)?];
            let fields = begin..lengths.fields.len();
            let enum_values = ty.enum_values.as_ref().map_or(0, Vec::len);
            if let Some(place) = lengths.types.get_mut(index) {
                *place = Type { fields, inputs, enum_values, others, of: None };
            }
        }
        for directive in &shown.directives {
            let arguments = lengths.all(&mut wrappers, directive.args.iter().flatten())?;
            lengths.directives.push(Directive { locations: directive.locations.len(), arguments });
        }
        let roots = [&shown.query_type, &shown.mutation_type, &shown.subscription_type];
        for (place, root) in lengths.roots.iter_mut().zip(roots) {
            *place = root.as_ref().and_then(|root| lengths.by_name.get(root.name.as_deref()?).copied());
        }
        Ok(lengths)
    }

    fn all<'a>(
        &mut self,
        wrappers: &mut HashMap<String, TypeIndex>,
        values: impl Iterator<Item = &'a ShownValue>,
    ) -> anyhow::Result<Vec<TypeIndex>> {
        values.map(|value| self.index(wrappers, &value.ty)).collect()
    }

    /// The place of a type; a list or non-null type gets one when it is first met.
    fn index(&mut self, wrappers: &mut HashMap<String, TypeIndex>, ty: &TypeRef) -> anyhow::Result<TypeIndex> {
        if let Some(name) = &ty.name {
            return self.by_name.get(name).copied().with_context(|| format!("the schema has no type {name}"));
        }
        let inner = ty.of_type.as_deref().context("a type is wrapped too deeply")?;
        let of = self.index(wrappers, inner)?;
        let next = self.types.len();
        let index = *wrappers.entry(format!("of {of}")).or_insert(next);
        if index == next {
            self.types.push(Type { of: Some(of), ..Type::default() });
        }
        Ok(index)
    }

    /// Values of the answer to `__schema`, itself left out. All sums saturate.
    pub(crate) fn schema(&self, selection: &SelectionSet) -> usize {
        sum(fields(selection).map(|field| {
            let root = |index: usize| {
                let types = self.types(&field.selection_set.node);
                self.roots.get(index).copied().flatten().map_or(0, |root| at(&types, root))
            };
            match field.name.node.as_str() {
                "types" => {
                    let types = self.types(&field.selection_set.node);
                    sum(types.iter().take(self.named).copied()).saturating_add(self.named)
                }
                "queryType" => root(0),
                "mutationType" => root(1),
                "subscriptionType" => root(2),
                "directives" => self.directives(&field.selection_set.node),
                _ => 0,
            }
            .saturating_add(1)
        }))
    }

    /// Values of the answer to `__type(name)`, itself left out; none: the most of all types.
    pub(crate) fn ty(&self, name: Option<&str>, selection: &SelectionSet) -> usize {
        let types = self.types(selection);
        match name {
            Some(name) => self.by_name.get(name).map_or(0, |index| at(&types, *index)),
            None => types.iter().copied().max().unwrap_or(0),
        }
    }

    /// The values that a selection has on each type.
    fn types(&self, selection: &SelectionSet) -> Vec<usize> {
        let mut values = vec![0_usize; self.types.len()];
        for field in fields(selection) {
            let inner = &field.selection_set.node;
            let list = |values: &[usize], of: &[TypeIndex]| {
                sum(of.iter().map(|index| at(values, *index))).saturating_add(of.len())
            };
            let mut add = |cost: &dyn Fn(&Type) -> usize| {
                for (value, ty) in values.iter_mut().zip(&self.types) {
                    *value = value.saturating_add(cost(ty)).saturating_add(1);
                }
            };
            match field.name.node.as_str() {
                "fields" => {
                    let each = self.output_fields(inner);
                    add(&|ty| sum(each.iter().skip(ty.fields.start).take(ty.fields.len()).copied()));
                }
                "inputFields" => {
                    let each = self.values(inner);
                    add(&|ty| list(&each, &ty.inputs));
                }
                "enumValues" => {
                    let each = inner.items.len() + 1;
                    add(&|ty| ty.enum_values.saturating_mul(each));
                }
                "possibleTypes" => {
                    let each = self.types(inner);
                    add(&|ty| list(&each, &ty.others[0]));
                }
                "interfaces" => {
                    let each = self.types(inner);
                    add(&|ty| list(&each, &ty.others[1]));
                }
                "ofType" => {
                    let each = self.types(inner);
                    add(&|ty| ty.of.map_or(0, |of| at(&each, of)));
                }
                _ => add(&|_| 0),
            }
        }
        values
    }

    /// The values that a selection has on each field, itself included.
    fn output_fields(&self, selection: &SelectionSet) -> Vec<usize> {
        let mut values = vec![1_usize; self.fields.len()];
        for field in fields(selection) {
            let inner = &field.selection_set.node;
            let (each, is_type) = match field.name.node.as_str() {
                "type" => (self.types(inner), true),
                "args" => (self.values(inner), false),
                _ => (Vec::new(), false),
            };
            for (value, shown) in values.iter_mut().zip(&self.fields) {
                let cost = if is_type {
                    at(&each, shown.ty)
                } else {
                    sum(shown.arguments.iter().map(|ty| at(&each, *ty).saturating_add(usize::from(!each.is_empty()))))
                };
                *value = value.saturating_add(cost).saturating_add(1);
            }
        }
        values
    }

    /// The values that a selection has on an argument or an input field of each type, itself left out.
    fn values(&self, selection: &SelectionSet) -> Vec<usize> {
        let mut values = vec![0_usize; self.types.len()];
        for field in fields(selection) {
            let is_type = field.name.node == "type";
            let each = if is_type { self.types(&field.selection_set.node) } else { Vec::new() };
            for (index, value) in values.iter_mut().enumerate() {
                *value = value.saturating_add(at(&each, index)).saturating_add(1);
            }
        }
        values
    }

    fn directives(&self, selection: &SelectionSet) -> usize {
        sum(fields(selection).map(|field| match field.name.node.as_str() {
            "args" => {
                let each = self.values(&field.selection_set.node);
                let arguments = self.directives.iter().flat_map(|directive| &directive.arguments);
                sum(arguments.map(|ty| at(&each, *ty).saturating_add(1)))
            }
            "locations" => sum(self.directives.iter().map(|directive| directive.locations)),
            _ => 0,
        }))
        .saturating_add(self.directives.len().saturating_mul(selection.items.len() + 1))
    }
}

fn sum(values: impl Iterator<Item = usize>) -> usize {
    values.fold(0, usize::saturating_add)
}

fn at(values: &[usize], index: usize) -> usize {
    values.get(index).copied().unwrap_or(0)
}

/// The fields of a selection whose fragments are spread.
fn fields(selection: &SelectionSet) -> impl Iterator<Item = &Field> {
    selection.items.iter().filter_map(|item| match &item.node {
        Selection::Field(field) => Some(&field.node),
        Selection::FragmentSpread(_) | Selection::InlineFragment(_) => None,
    })
}

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "__schema")]
    schema: Shown,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    query_type: Option<TypeRef>,
    mutation_type: Option<TypeRef>,
    subscription_type: Option<TypeRef>,
    types: Vec<ShownType>,
    directives: Vec<ShownDirective>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShownType {
    name: Option<String>,
    fields: Option<Vec<ShownField>>,
    input_fields: Option<Vec<ShownValue>>,
    enum_values: Option<Vec<TypeRef>>,
    possible_types: Option<Vec<TypeRef>>,
    interfaces: Option<Vec<TypeRef>>,
}

#[derive(Deserialize)]
struct ShownField {
    args: Option<Vec<ShownValue>>,
    #[serde(rename = "type")]
    ty: TypeRef,
}

#[derive(Deserialize)]
struct ShownValue {
    #[serde(rename = "type")]
    ty: TypeRef,
}

#[derive(Deserialize)]
struct ShownDirective {
    locations: Vec<String>,
    args: Option<Vec<ShownValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TypeRef {
    name: Option<String>,
    of_type: Option<Box<TypeRef>>,
}
