//! The type-system directives of the schema, beside `@access`: how an operation is reached over REST, and the rules
//! that inputs obey. The facade and the OpenAPI document are read out of them.

use async_graphql::{Enum, TypeDirective};

/// Method of a REST operation.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
#[graphql(rename_items = "UPPERCASE")]
pub enum HttpMethod {
    /// Reads; changes nothing.
    Get,
    /// Creates or acts.
    Post,
    /// Changes the fields that are sent.
    Patch,
    /// Deletes.
    Delete,
}

/// How text is judged beyond its length.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An e-mail address.
    Email,
    /// A display name: no control characters, not only spaces.
    Name,
    /// An absolute http or https URL with a host and without credentials.
    DestinationUrl,
    /// The path of a short link: `A–Z`, `a–z`, `0–9`, `_` and `-`.
    Slug,
}

/// This operation is also reached by a REST request. Path parameters, then query parameters (or, with an argument
/// `input`, the JSON body's fields) become the arguments; the field's value is the body of the answer.
#[TypeDirective(location = "FieldDefinition", repeatable)]
pub fn rest(
    #[graphql(desc = "HTTP method.")] method: HttpMethod,
    #[graphql(
        desc = "Path; `{linkId}` is the argument of that name, or `id`. Paths under /api/v1 are the public API and take an API key only; all others are the dashboard's."
    )]
    path: String,
    #[graphql(default = 200, desc = "Status of a success; 204 has no body.")] status: i32,
    #[graphql(
        desc = "Where the created resource is found, relative to the path's prefix; `{id}` is a field of the answer."
    )]
    location: Option<String>,
) {
}

/// How many characters the text may have.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub fn length(#[graphql(desc = "At least.")] min: i32, #[graphql(desc = "At most.")] max: i32) {}

/// Which numbers are allowed.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub fn range(#[graphql(desc = "At least.")] min: i32, #[graphql(desc = "At most.")] max: i32) {}

/// How many items the list may have.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub fn items(#[graphql(desc = "At least.")] min: i32, #[graphql(desc = "At most.")] max: i32) {}

/// How the text is judged beyond its length.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub fn format(#[graphql(desc = "The judgement.", name = "as")] judgement: Format) {}

/// The values that the text, or each text of the list, may have.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub fn values(#[graphql(desc = "The values.")] of: Vec<String>) {}

/// A typical value, for the documentation.
#[TypeDirective(location = "FieldDefinition", location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub fn example(#[graphql(desc = "The text itself, or JSON for anything but text.")] value: String) {}
