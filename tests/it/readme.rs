//! The README's commands, copied line by line, give the output that it shows.

use std::{net::TcpListener, process::Command};

use crate::support::{TestDatabase, process::TestProcess};

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
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
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
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    let steps = transcript(&readme.replace("localhost:8080", &here));
    assert!(steps.len() >= 10, "the quick start is not where it was");
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
