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
    /// Puts what is sent in the place of what is there.
    Put,
    /// Changes the fields that are sent.
    Patch,
    /// Deletes.
    Delete,
}

/// How text is judged beyond its length.
#[derive(Enum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// An e-mail address.
    Email,
    /// A display name: no control characters, not only spaces.
    Name,
    /// One line of text: no control characters, not only spaces, and no space at the start.
    Line,
    /// The name of a tag: one line without commas.
    Tag,
    /// Text of several lines: no control characters but tabs and ends of lines.
    Text,
    /// An absolute http or https URL with a host and without credentials.
    DestinationUrl,
    /// An absolute http or https URL whose host is an address of the public internet, or a name with a dot that does not end with
    /// `.internal`, `.local`, `.localhost` or `home.arpa`.
    WebhookUrl,
    /// The path of a short link: `A–Z`, `a–z`, `0–9`, `_` and `-`.
    Slug,
    /// The name of a domain: two labels or more of `A–Z`, `a–z`, `0–9` and `-`; other scripts in their ASCII form.
    DomainName,
    /// The label of a subdomain: words of `A–Z`, `a–z` and `0–9`, with single hyphens between them.
    Subdomain,
    /// A colour: red, green and blue as two hexadecimal digits each, with or without `#` before them.
    Color,
}

/// This operation is also reached by a REST request: `method` and `path`, in which `{linkId}` is the argument of that
/// name, or `id`. Other arguments come from the query, and an argument `input` from the fields of the JSON body. A success
/// has the `status` and, as its body, the value of the field; 204 has no body. `location` is the path of what was created,
/// or its URL, with fields of the answer in braces. A field that is null is answered with 404 where the path has a parameter
/// or is the `location` of another operation, and with `null` elsewhere. Paths under `/api/v1` are the public API, which takes
/// an API key only; all others are the dashboard's.
#[TypeDirective(location = "FieldDefinition", repeatable)]
pub(crate) fn rest(method: HttpMethod, path: String, #[graphql(default = 200)] status: i32, location: Option<String>) {}

/// All that this field pages through is also exported over REST: `GET` at `path` answers the items of all pages in their
/// order, as CSV (`format=csv`) or JSON Lines (`format=jsonl`). Arguments are those of the field, but for its paging; of its argument
/// `sort` an export takes `orders`, or all values without them. `columns`: those that it has beside the fields, with texts.
#[TypeDirective(location = "FieldDefinition", repeatable)]
pub(crate) fn export(path: String, orders: Option<Vec<String>>, columns: Option<Vec<String>>) {}

/// A request of this operation may have an idempotency key: 1 to 255 printable characters of ASCII that the caller makes up for
/// it, in the header `Idempotency-Key` over REST, and in `extensions.idempotencyKey` of a GraphQL request that has no other root
/// field. For 24 hours, the same credential's same request with the same key is not executed again: it gets the answer that it got
/// before, with `Idempotency-Replayed: true` or `extensions.idempotencyReplayed`. The key with another request is refused with
/// `IDEMPOTENCY_KEY_REUSED`, and with `CONFLICT` while the first one is being executed. A request that failed leaves nothing
/// behind, and its key can be used again. Other operations ignore the header.
#[TypeDirective(location = "FieldDefinition")]
pub(crate) fn idempotent() {}

/// The text has at least `min` and at most `max` characters.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub(crate) fn length(min: i32, max: i32) {}

/// The number is at least `min` and at most `max`.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub(crate) fn range(min: i32, max: i32) {}

/// The list has at least `min` and at most `max` items.
#[TypeDirective(location = "FieldDefinition", location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub(crate) fn items(min: i32, max: i32) {}

/// How the text is judged beyond its length.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub(crate) fn format(#[graphql(name = "as")] judgement: Format) {}

/// The text or the name of an enum, or each of the list, is one of these.
#[TypeDirective(location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub(crate) fn values(of: Vec<String>) {}

/// Null takes the value away where the input changes something, as JSON merge patch has it (RFC 7396). Null is refused for all other fields
/// of what a `PATCH` request takes: they have always a value, and stay as they are when they are absent.
#[TypeDirective(location = "InputFieldDefinition")]
pub(crate) fn clearable() {}

/// Each item of the list succeeds or fails alone: rules of its fields are judged for each, and what breaks one does not fail the request.
#[TypeDirective(location = "InputFieldDefinition")]
pub(crate) fn separate() {}

/// The field is null only together with an error of its own: a client that treats errors as such need not expect null. `levels` are the
/// depths of the lists at which that holds, 0 being the field itself (<https://specs.apollo.dev/nullability/v0.4/>).
#[TypeDirective(name = "semanticNonNull", location = "FieldDefinition")]
pub(crate) fn semantic_non_null(#[graphql(default_with = "Some(vec![Some(0)])")] levels: Option<Vec<Option<i32>>>) {}

/// The change is made only if this holds, and the field says nothing of what to change. Over REST, `If-Match` does the same.
#[TypeDirective(location = "InputFieldDefinition")]
pub(crate) fn precondition() {}

/// A typical value, for the documentation: the text itself, or JSON for anything but text.
#[TypeDirective(location = "FieldDefinition", location = "ArgumentDefinition", location = "InputFieldDefinition")]
pub(crate) fn example(value: String) {}

/// Over REST, the fields of this object stand beside the other fields of the answer, and not below this one.
#[TypeDirective(location = "FieldDefinition")]
pub(crate) fn flattened() {}

/// Over REST, this resource is shown within the one that leads to it.
#[TypeDirective(location = "FieldDefinition")]
pub(crate) fn embedded() {}

/// This text is a data URL (RFC 2397) in base64. Over REST, the answer is not JSON but the file itself, of one of these media types.
#[TypeDirective(location = "FieldDefinition")]
pub(crate) fn file(media_types: Vec<String>) {}

/// Over REST, the body may be, in place of JSON, the file that this text has in base64: of one of these media types, which `Content-Type` says,
/// and with at most `maxBytes` bytes.
#[TypeDirective(location = "InputFieldDefinition")]
pub(crate) fn body(media_types: Vec<String>, max_bytes: i32) {}

/// This object is the payload of a webhook's event of this `name`.
#[TypeDirective(location = "Object")]
pub(crate) fn event(name: String) {}
