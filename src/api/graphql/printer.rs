//! Prints the schema. What the name or the type of a field says is written here, and not at each field.

use crate::{base::page::MAX_PAGE_SIZE, graphql::shorthands::ON_BOTH};

/// The contract, from what the exporter of async-graphql writes.
pub(super) fn printed(exported: &str) -> String {
    let page = format!(" @range(min: 1, max: {})", i32::MAX);
    let page_size = format!(" @range(min: 1, max: {MAX_PAGE_SIZE})");
    let mut is_description = false;
    let mut printed = String::with_capacity(exported.len());
    for line in exported.lines().map(str::trim_end) {
        let text = line.trim_start();
        if text == "\"\"\"" {
            is_description = !is_description;
        }
        if is_description {
            printed.push_str(line);
        } else {
            let (mut line, comma) = line.strip_suffix(',').map_or((line.to_owned(), ""), |line| (line.to_owned(), ","));
            match text.split_once(" =").map(|(argument, _)| argument) {
                Some("page: Int!") => line.push_str(&page),
                Some("pageSize: Int!") => line.push_str(&page_size),
                _ => {}
            }
            if let Some(example) = usual_example(text).filter(|_| !line.contains(" @example(")) {
                line.push_str(&format!(" @example(value: \"{example}\")"));
            }
            printed.push_str(&on_both(&line));
            printed.push_str(comma);
        }
        printed.push('\n');
    }
    printed.truncate(printed.trim_end().len());
    printed + "\n"
}

/// The example of a field or argument that has none of its own.
fn usual_example(field: &str) -> Option<&'static str> {
    let (name, rest) = field.split_once(": ")?;
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let of_type = |name: &str| rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    match name {
        "page" if of_type("Int") => Some("1"),
        "pageSize" if of_type("Int") => Some("20"),
        _ if of_type("Boolean") => Some("true"),
        _ if of_type("DateTime") => Some("2026-11-20T14:33:38.125Z"),
        _ => None,
    }
}

/// Writes the second `@rest` of an operation that both APIs have.
fn on_both(line: &str) -> String {
    let mark = format!(", {ON_BOTH}: true)");
    let Some((before, after)) = line.split_once(&mark) else { return line.to_owned() };
    let Some(begin) = before.rfind("@rest(") else { return line.to_owned() };
    let first = &before[begin..];
    let second = first.replacen("path: \"", "path: \"/api/v1", 1);
    on_both(&format!("{before}) {second}){after}"))
}
