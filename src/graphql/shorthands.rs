//! The usual directives of an operation, in a word each. They print as the directives that they stand for.

use std::borrow::Cow;

use async_graphql::{
    TypeDirective,
    registry::{MetaDirectiveInvocation, Registry, location_traits::Directive_At_FIELD_DEFINITION},
};

use crate::{
    graphql::directives::{HttpMethod, rest},
    platform::auth::{
        access::{Credential, Depth, access},
        scope::Scope,
    },
};

/// Argument of an `@rest` that stands for two: the printer writes the second one, at `/api/v1` + the path. No client sees it.
pub(crate) const ON_BOTH: &str = "onBoth";

/// Declares names that stand for a directive: `name(arguments) is directive { its invocation }`.
macro_rules! shorthands {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),*) is $directive:ident $invocation:block)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl $name {
            pub(crate) fn apply($($argument: $type),*) -> MetaDirectiveInvocation $invocation
        }

        impl TypeDirective for $name {
            fn name(&self) -> Cow<'static, str> {
                TypeDirective::name(&$directive)
            }

            fn register(&self, registry: &mut Registry) {
                $directive.register(registry);
            }
        }

        impl Directive_At_FIELD_DEFINITION for $name {}
    )*};
}

shorthands! {
    /// An operation for user tokens, checked this deeply, and for API keys with a scope; without a limit of its own.
    Scoped(scope: Scope, depth: Depth) is access { access::apply(Credential::Any, Some(depth), Some(scope), None) }
    /// A field that leads to another resource, for user tokens, and for API keys with this scope.
    Reads(scope: Scope) is access { access::apply(Credential::Any, None, Some(scope), None) }

    /// `GET` of the dashboard's API and of the public one.
    Get(path: &str) is rest { RestOnBoth::apply(HttpMethod::Get, path, 200, None) }
    /// `POST`, with the status 200, of both APIs.
    Post(path: &str) is rest { RestOnBoth::apply(HttpMethod::Post, path, 200, None) }
    /// `POST` that creates what is then at `location`, of both APIs.
    Create(path: &str, location: &str) is rest { RestOnBoth::apply(HttpMethod::Post, path, 201, Some(location)) }
    /// `PUT`, with the status 200, of both APIs.
    Put(path: &str) is rest { RestOnBoth::apply(HttpMethod::Put, path, 200, None) }
    /// `PATCH` of both APIs.
    Patch(path: &str) is rest { RestOnBoth::apply(HttpMethod::Patch, path, 200, None) }
    /// `DELETE`, without a body, of both APIs.
    Delete(path: &str) is rest { RestOnBoth::apply(HttpMethod::Delete, path, 204, None) }
    /// A request of the dashboard's API at `path`, and of the public one at `/api/v1` + `path`.
    RestOnBoth(method: HttpMethod, path: &str, status: i32, location: Option<&str>) is rest {
        let mut invocation = rest::apply(method, path.into(), status, location.map(Into::into));
        invocation.args.insert(ON_BOTH.into(), true.into());
        invocation
    }
}
