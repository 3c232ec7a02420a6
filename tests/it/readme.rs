//! Commands in the README and the documents, copied line by line, give the output that is shown there.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::{TestDatabase, free_port, process::TestProcess};

fn read(document: &str) -> String {
    std::fs::read_to_string(format!("{}/{document}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Commands of the `console` blocks, each with the output shown under it.
fn transcript(readme: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push((command.to_owned(), String::new())),
                (None, Some((_, output))) => *output += &format!("{line}\n"),
                (None, None) => panic!("output without a command: {line}"),
            },
        }
    }
    steps
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_quick_start_is_true() {
    let port = free_port();
    let here = format!("localhost:{port}");
    let database = TestDatabase::sqlite();
    let bind = format!("127.0.0.1:{port}");
    let base_url = format!("http://{here}");
    let settings = [
        ("LINKGRAPH_BIND", &*bind),
        ("LINKGRAPH_BASE_URL", &*base_url),
        // As a newcomer has it.
        ("LINKGRAPH_RATE_LIMITS", "on"),
    ];
    let process = TestProcess::start(&database, &settings).await;
    // In the order in which a reader meets them: each goes on with what the earlier ones made.
    let documents = [
        "README.md",
        "docs/api.md",
        "docs/analytics.md",
        "docs/domains.md",
        "docs/webhooks.md",
        "docs/links.md",
        "docs/importing.md",
    ];
    let documents = documents.map(read);
    let steps = transcript(&documents.concat().replace("localhost:8080", &here));
    assert!(steps.len() >= 25, "the quick start is not where it was");
    let script: String = steps.iter().map(|(command, _)| format!("{command}\necho '<next>'\n")).collect();
    let output = Command::new("bash").args(["-euo", "pipefail", "-c", &script]).current_dir(&database.folder).output();
    let output = output.unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let printed: Vec<&str> = printed.split("<next>\n").collect();
    for ((command, shown), printed) in steps.iter().zip(&printed) {
        assert_eq!(printed, shown, "{command}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(printed.len(), steps.len() + 1, "{}", String::from_utf8_lossy(&output.stderr));
    drop(process);
}

/// Markdown files of a folder and of the folders in it.
fn documents_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(documents_in(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

/// Targets of the links to files, relative to the document, and names of files of the repository in backticks.
fn named_files(text: &str) -> (Vec<&str>, Vec<&str>) {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let links = links.filter(|link| !link.is_empty() && !link.contains(':'));
    let code = text.split('`').skip(1).step_by(2);
    let folders = ["src/", "tests/", "scripts/", "entity/", "migration/", "docs/", "deploy/", "graphiql/", "examples/"];
    let is_file = |name: &&str| {
        folders.iter().any(|folder| name.starts_with(folder)) && !name.contains(['*', ' ', '{', '<', '…'])
    };
    (links.collect(), code.filter(is_file).collect())
}

#[test]
fn files_that_documents_name_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = documents_in(&root.join("docs"));
    documents.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name)));
    let (mut missing, mut links, mut names) = (Vec::new(), 0, 0);
    for document in &documents {
        // Blocks of code are no prose.
        let text: String = std::fs::read_to_string(document).unwrap().split("```").step_by(2).collect();
        let (linked, named) = named_files(&text);
        (links, names) = (links + linked.len(), names + named.len());
        let linked = linked.into_iter().filter(|link| !document.parent().unwrap().join(link).exists());
        let named = named.into_iter().filter(|name| !root.join(name.split(':').next().unwrap()).exists());
        missing.extend(linked.chain(named).map(|file| format!("{}: {file}", document.display())));
    }
    assert!(links > 50 && names > 200, "{links} links and {names} names were found");
    assert_eq!(missing, Vec::<String>::new());
}

/// A Caddyfile's blocks: what each is for, and what it says.
fn blocks(caddyfile: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    for line in caddyfile.lines() {
        match (line.strip_suffix('{'), line.starts_with(['\t', '#', '}']), blocks.last_mut()) {
            (Some(address), false, _) => blocks.push((address.trim().to_owned(), String::new())),
            (_, true, Some((_, said))) => *said += &format!("{}\n", line.trim()),
            _ => {}
        }
    }
    blocks
}

/// The document's example and the file that is deployed.
#[test]
fn a_proxy_does_not_pass_internal_paths_on() {
    let operating = read("docs/operating.md");
    let example = operating.split("```").find(|block| block.contains("on_demand_tls")).unwrap();
    for caddyfile in [example, &read("deploy/Caddyfile")] {
        let mut sites = 0;
        for (address, said) in blocks(caddyfile) {
            if address.is_empty() {
                assert!(said.contains("ask http://127.0.0.1:") && said.contains("/internal/tls/ask\n"), "{said}");
            } else if address.starts_with('(') {
                let refused = "@internal path /internal/* /metrics\nrespond @internal 404\n";
                assert!(said.contains(refused), "{address}: {said}");
            } else if address.starts_with("http://127.0.0.1:") {
                assert!(
                    said.contains("bind 127.0.0.1\n@other not path /internal/tls/ask\nrespond @other 404\n"),
                    "{said}"
                );
            } else {
                assert!(said.contains("import linkgraph\n") && !said.contains("reverse_proxy"), "{address}: {said}");
                sites += 1;
            }
        }
        assert_eq!(sites, 2, "{caddyfile}");
    }
}
