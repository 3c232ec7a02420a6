//! Scripts that judge from outside, in Node.js.

use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Runs a script with this text as its input, and answers its output.
pub(crate) fn run(script: &str, input: &str) -> String {
    let path = format!("{}/{script}", env!("CARGO_MANIFEST_DIR"));
    let mut child = Command::new("node").arg(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{script}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
