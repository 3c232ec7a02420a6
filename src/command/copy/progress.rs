//! The progress of a copy: a bar on a terminal, otherwise a line for each table and one every few seconds.

use std::{
    io::{IsTerminal, Write, stderr},
    time::{Duration, Instant},
};

const WIDTH: usize = 30;
/// How often a bar moves, and how often a line is written.
const BAR: Duration = Duration::from_millis(100);
const LINE: Duration = Duration::from_secs(10);

pub(super) struct Progress {
    is_terminal: bool,
    /// Rows of all tables.
    total: u64,
    done: u64,
    table: String,
    of_table: u64,
    shown_at: Instant,
}

impl Progress {
    pub(super) fn new(total: u64) -> Self {
        let is_terminal = stderr().is_terminal();
        Progress { is_terminal, total, done: 0, table: String::new(), of_table: 0, shown_at: Instant::now() }
    }

    /// Begins a table, of which `there` rows are copied already.
    pub(super) fn begin(&mut self, table: &str, there: u64) {
        table.clone_into(&mut self.table);
        self.of_table = 0;
        self.add(there);
    }

    /// Adds copied rows.
    pub(super) fn add(&mut self, rows: u64) {
        self.done += rows;
        self.of_table += rows;
        if self.shown_at.elapsed() >= if self.is_terminal { BAR } else { LINE } {
            self.show("copied");
        }
    }

    /// Shows that the table is copied.
    pub(super) fn end(&mut self) {
        self.show("copied");
    }

    /// Shows that the table is being compared.
    pub(super) fn verify(&mut self, table: &str) {
        table.clone_into(&mut self.table);
        if self.is_terminal {
            self.show("verifying");
        }
    }

    /// Erases the bar.
    pub(super) fn clear(&self) {
        if self.is_terminal {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }

    /// Writes the progress. Errors are ignored: standard error may be closed.
    fn show(&mut self, what: &str) {
        self.shown_at = Instant::now();
        let _ = if self.is_terminal {
            write!(stderr(), "\r\x1b[K{} {what} {}", bar(self.done, self.total), self.table)
        } else {
            writeln!(
                stderr(),
                "{}: {} rows {what}, {} % of all",
                self.table,
                self.of_table,
                percent(self.done, self.total)
            )
        };
    }
}

fn percent(done: u64, total: u64) -> u64 {
    (u128::from(done) * 100).checked_div(total.into()).map_or(100, |percent| percent.min(100) as u64)
}

fn bar(done: u64, total: u64) -> String {
    let percent = percent(done, total);
    let filled = percent as usize * WIDTH / 100;
    format!("[{}{}] {percent:3} %", "#".repeat(filled), "-".repeat(WIDTH - filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_what_is_done() {
        assert_eq!(bar(0, 7), format!("[{}]   0 %", "-".repeat(30)));
        assert_eq!(bar(1, 2), format!("[{}{}]  50 %", "#".repeat(15), "-".repeat(15)));
        for (done, total) in [(7, 7), (8, 7), (0, 0), (u64::MAX, u64::MAX)] {
            assert_eq!(bar(done, total), format!("[{}] 100 %", "#".repeat(30)));
        }
    }
}
