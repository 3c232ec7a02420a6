//! The binary: see [`linkgraph::command::line`].

use std::process::ExitCode;

fn main() -> ExitCode {
    linkgraph::command::line::main()
}
