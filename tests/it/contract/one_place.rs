//! A field of a link stands everywhere where people would look for it: who may give it to a new link may change it, sees it, and finds it in
//! files and events.

use link_files::COLUMNS;
use linkgraph::{
    api,
    contract::{Contract, Shape, base_name},
};

fn names(contract: &Contract, type_name: &str) -> Vec<String> {
    match &contract.types.get(type_name).unwrap().shape {
        Shape::Input(fields) => fields.iter().map(|field| field.name.clone()).collect(),
        Shape::Object(fields) => fields.iter().map(|field| field.name.clone()).collect(),
        _ => panic!("{type_name} has no fields"),
    }
}

/// Where a field is not, and why.
const EXCEPTIONS: [(&str, &str, &str); 13] = [
    ("ifExists", "UpdateLinkInput", "it decides whether a link is made"),
    ("ifExists", "ChangeLinksInput", "it decides whether a link is made"),
    ("ifExists", "Link", "it is no value of a link"),
    ("ifExists", "files", "it is no value of a link"),
    ("slug", "ChangeLinksInput", "several links can't have one address"),
    ("domain", "ChangeLinksInput", "a link that is moved needs a slug that is free there: one at a time"),
    ("externalId", "ChangeLinksInput", "it is one link's"),
    ("tags", "ChangeLinksInput", "addTags and removeTags keep those that a link has"),
    ("utm", "files", "it is a part of destinationUrl"),
    ("card", "files", "its parts have a column each"),
    ("app", "files", "its parts have a column each"),
    ("password", "Link", "only whether there is one is shown"),
    ("password", "files", "only whether there is one is shown"),
];

#[test]
fn a_field_of_a_new_link_stands_everywhere() {
    let (_, contract, _) = api::contract().unwrap();
    let event = match &contract.types["LinkCreatedEventPayload"].shape {
        Shape::Object(fields) => fields.iter().find(|field| field.name == "data").unwrap(),
        _ => panic!("an event is an object"),
    };
    assert_eq!(base_name(&event.ty), "Link", "events have all that is shown of a link");
    let files = COLUMNS.map(str::to_owned).to_vec();
    let mut found: Vec<&(&str, &str, &str)> = Vec::new();
    for field in names(&contract, "CreateLinkInput") {
        for place in ["CreateLinksItemInput", "UpdateLinkInput", "ChangeLinksInput", "Link", "files"] {
            let there = if place == "files" { files.clone() } else { names(&contract, place) };
            let exception = EXCEPTIONS.iter().find(|(name, of, _)| *name == field && *of == place);
            found.extend(exception);
            assert_eq!(there.contains(&field), exception.is_none(), "{field} in {place}");
        }
    }
    assert_eq!(found.len(), EXCEPTIONS.len(), "an exception is for a field that is left out");
}
