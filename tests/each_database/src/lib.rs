//! `#[on_each_database]`: one test, run on SQLite and on PostgreSQL.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// The tests of the module that the attribute makes; `run` is the function that has the attribute.
const TESTS: &str = r#"
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn sqlite() {
        crate::support::TestDatabase::sqlite().test(run).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn postgres() {
        crate::support::TestDatabase::postgres().await.test(run).await;
    }
"#;

/// Makes `async fn name(database: TestDatabase)` the tests `name::sqlite` and `name::postgres`, which begin with an empty
/// database each; the services that it leaves running are stopped after it. An attribute and not a macro with braces, which rustfmt would leave as they are. Other attributes of the
/// function have to stand above this one.
#[proc_macro_attribute]
pub fn on_each_database(_arguments: TokenStream, function: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = function.into_iter().collect();
    let name = tokens.iter().position(|token| token.to_string() == "fn").map(|place| place + 1);
    let Some(name) = name.and_then(|place| tokens.get_mut(place)) else {
        return parsed(r#"compile_error!("`#[on_each_database]` stands above an `async fn`");"#);
    };
    let name = std::mem::replace(name, TokenTree::Ident(Ident::new("run", Span::call_site())));
    let mut content = parsed("use super::*;");
    content.extend(tokens);
    content.extend(parsed(TESTS));
    let module = TokenTree::Ident(Ident::new("mod", Span::call_site()));
    [module, name, TokenTree::Group(Group::new(Delimiter::Brace, content))].into_iter().collect()
}

fn parsed(text: &str) -> TokenStream {
    // The parsed text stands in this file.
    text.parse().unwrap_or_default()
}
