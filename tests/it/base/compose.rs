//! The settings that the compose files pass on are those of the table in docs/operating.md.

use std::{collections::BTreeMap, fs, path::Path};

/// Settings that the image or the network of the containers decides, by file.
const DECIDED: &[(&str, &[&str])] = &[
    (
        "compose.yaml",
        &[
            "DATABASE_URL",
            "LINKGRAPH_BASE_URL",
            "LINKGRAPH_BIND",
            "LINKGRAPH_DATA_DIR",
            "LINKGRAPH_METRICS_BIND",
            "LINKGRAPH_TRUSTED_PROXIES",
            "REDIS_URL",
        ],
    ),
    ("compose.single.yaml", &["LINKGRAPH_BIND", "LINKGRAPH_DATA_DIR"]),
];

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

/// Names in the first column of the table, where `…_X` is short for what the name before it begins with.
fn documented() -> Vec<String> {
    let text = read("docs/operating.md");
    let (_, rest) = text.split_once("\n## Configuration\n").unwrap();
    let (section, _) = rest.split_once("\n## ").unwrap();
    let mut names: Vec<String> = Vec::new();
    for cell in section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next()) {
        for name in cell.split(", ").map(|name| name.trim_matches('`')) {
            names.push(name.replace('…', "LINKGRAPH_STRIPE_PRICE"));
        }
    }
    names
}

/// Variables that a file sets for nodes, with their values. Those of other programs stand in the file after the nodes'.
fn passed_on(file: &str) -> BTreeMap<String, String> {
    let text = read(file);
    let mut variables = BTreeMap::new();
    let after = text.lines().skip_while(|line| line.trim() != "environment:").skip(1);
    for line in after.take_while(|line| line.starts_with("    ")) {
        if let Some((name, value)) = line.trim().split_once(": ").filter(|(name, _)| !name.starts_with('#')) {
            assert_eq!(variables.insert(name.to_owned(), value.to_owned()), None, "{file}: {name} stands there twice");
        }
    }
    variables
}

#[test]
fn compose_files_pass_every_documented_setting_on() {
    let documented = documented();
    assert!(documented.len() > 30, "{documented:?}");
    let image = read("Dockerfile");
    for (file, decided) in DECIDED {
        let passed = passed_on(file);
        for name in &documented {
            let is_decided = decided.contains(&name.as_str());
            match passed.get(name) {
                Some(value) => {
                    let is_passed = value.starts_with(&format!("${{{name}:-"));
                    assert!(is_passed != is_decided, "{file}: {name}: {value}");
                }
                None => assert!(is_decided && image.contains(&format!("{name}=")), "{file} does not pass {name} on"),
            }
        }
        let unknown: Vec<_> = passed.keys().filter(|name| !documented.contains(name)).collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
    }
}
