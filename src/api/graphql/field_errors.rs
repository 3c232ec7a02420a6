//! Errors of fields in answers (GraphQL specification, 6.4.4 and 7.1.6). Two things that the library does otherwise:
//! a root field that fails is null, and its siblings keep their values; and the path of an error is that of the field that failed, where
//! the library overwrites it at each list item and each field of a `SimpleObject` around it. A directive, which the merge adds to fields
//! and clients can't use, does both.

use std::{any::Any, borrow::Cow, sync::Arc};

use async_graphql::{
    Context, ContextDirective, CustomDirective, CustomDirectiveFactory, Name, PathSegment, Pos, Positioned, ResolveFut,
    ServerError, ServerResult, Value, async_trait, parser::types::Directive, registry::Registry,
};

use super::registry;

const NAME: &str = "settleError";

/// The directive, for a field at this place.
pub(crate) fn directive(pos: Pos) -> Positioned<Directive> {
    Positioned::new(Directive { name: Positioned::new(Name::new(NAME), pos), arguments: Vec::new() }, pos)
}

/// The directive, which stores the path of a field's error, and puts null in the place of a root field that failed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SettleError;

/// The path of an error, kept in the place of its source.
#[derive(Debug)]
struct Remembered {
    path: Vec<PathSegment>,
    source: Option<Arc<dyn Any + Send + Sync>>,
}

impl CustomDirectiveFactory for SettleError {
    fn name(&self) -> Cow<'static, str> {
        NAME.into()
    }

    /// The library's one hook for a registry that has all types. The contract does not show the directive itself.
    fn register(&self, registry: &mut Registry) {
        registry::complete(registry);
    }

    fn create(&self, _: &ContextDirective<'_>, _: &Directive) -> ServerResult<Box<dyn CustomDirective>> {
        Ok(Box::new(SettleError))
    }
}

#[async_trait::async_trait]
impl CustomDirective for SettleError {
    async fn resolve_field(&self, ctx: &Context<'_>, resolve: ResolveFut<'_>) -> ServerResult<Option<Value>> {
        let settled = resolve.await.map_err(|error| match error.source::<Remembered>() {
            Some(_) => error,
            None => {
                let error = ctx.set_error_path(error);
                let remembered = Remembered { path: error.path.clone(), source: error.source };
                ServerError { source: Some(Arc::new(remembered)), ..error }
            }
        });
        match settled {
            Err(error) if ctx.path_node.is_some_and(|path| path.parent.is_none()) => {
                ctx.add_error(error);
                Ok(None)
            }
            settled => settled,
        }
    }
}

/// Gives an error the path that the directive stored.
pub(crate) fn restore(error: &mut ServerError) {
    let remembered = error.source.take().map(|source| source.downcast::<Remembered>());
    error.source = match remembered {
        Some(Ok(remembered)) => {
            error.path.clone_from(&remembered.path);
            remembered.source.clone()
        }
        Some(Err(source)) => Some(source),
        None => None,
    };
}

#[cfg(test)]
mod tests {
    use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema, SimpleObject, ValidationMode};
    use serde_json::{Value as Json, json};

    use super::*;

    #[derive(SimpleObject)]
    struct Page {
        data: Vec<Item>,
    }

    struct Item(usize);

    #[Object]
    impl Item {
        async fn page(&self) -> Page {
            Page { data: (0..self.0).map(Item).collect() }
        }

        async fn part(&self) -> async_graphql::Result<Item> {
            if self.0 == 2 { Err("it failed".into()) } else { Ok(Item(0)) }
        }

        async fn perhaps(&self) -> Option<Item> {
            Some(Item(self.0))
        }

        async fn number(&self) -> usize {
            self.0
        }
    }

    #[tokio::test]
    async fn the_path_leads_to_the_field_that_failed() {
        let schema = Schema::build(Item(4), EmptyMutation, EmptySubscription).directive(SettleError);
        let schema = schema.validation_mode(ValidationMode::Fast).finish();
        for (query, expected) in [
            ("{ page { data { part @r { number } } } }", json!([["page", "data", 2, "part"]])),
            ("{ page @r { data @r { p: part @r { number } } } }", json!([["page", "data", 2, "p"]])),
            (
                "{ page @r { data @r { page @r { data @r { perhaps @r { part @r { number } } } } } } }",
                json!([["page", "data", 3, "page", "data", 2, "perhaps", "part"]]),
            ),
        ] {
            let mut response = schema.execute(query.replace("@r", &format!("@{NAME}"))).await;
            response.errors.iter_mut().for_each(restore);
            let paths: Json = response.errors.iter().map(|error| json!(error.path)).collect();
            assert_eq!(paths, expected, "{query}");
            assert!(response.errors.iter().all(|error| error.source::<&str>() == Some(&"it failed")));
        }
        assert!(!schema.sdl().contains(NAME));
    }

    #[tokio::test]
    async fn a_root_field_that_fails_is_null_and_hides_no_other() {
        let schema = Schema::build(Item(2), EmptyMutation, EmptySubscription).directive(SettleError);
        let schema = schema.validation_mode(ValidationMode::Fast).finish();
        let query =
            "{ a: part @r { number } number b: page @r { data @r { part @r { number } } } c: perhaps @r { number } }";
        let mut response = schema.execute(query.replace("@r", &format!("@{NAME}"))).await;
        response.errors.iter_mut().for_each(restore);
        let data = json!({ "a": null, "number": 2, "b": { "data": [{ "part": { "number": 0 } }, { "part": { "number": 0 } }] },
            "c": { "number": 2 } });
        assert_eq!(json!(response.data), data);
        assert_eq!(json!(response.errors.iter().map(|error| &error.path).collect::<Vec<_>>()), json!([["a"]]));
        let sdl = schema.sdl();
        for printed in
            ["part: Item @semanticNonNull", "number: Int @semanticNonNull", "perhaps: Item\n", "data: [Item!]!"]
        {
            assert!(sdl.contains(printed), "{sdl}");
        }
    }
}
