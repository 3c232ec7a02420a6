//! The real binary in a process of its own, to be killed.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

use super::{DEADLINE, Http, TestDatabase};

/// A running binary; killed when dropped.
pub(crate) struct TestProcess {
    child: Child,
    /// Its log so far.
    pub(crate) log: Arc<Mutex<String>>,
    pub(crate) http: Http,
}

impl std::ops::Deref for TestProcess {
    type Target = Http;

    fn deref(&self) -> &Http {
        &self.http
    }
}

/// The binary with these settings and no others.
pub(crate) fn command(settings: &[(String, String)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linkgraph"));
    command.env_clear().envs(settings.iter().cloned()).stdin(Stdio::null());
    command
}

/// Runs the binary to its end.
pub(crate) async fn binary(database: &TestDatabase, more: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = command(&database.settings(more));
    command.args(arguments);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// Runs the binary to its end; its exit code and the one line that it said.
pub(crate) async fn line(database: &TestDatabase, more: &[(&str, &str)], arguments: &[&str]) -> (Option<i32>, String) {
    let output = binary(database, more, arguments).await;
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    (output.status.code(), said)
}

impl TestProcess {
    /// Starts the binary and waits until it is ready.
    pub(crate) async fn start(database: &TestDatabase, more: &[(&str, &str)]) -> Self {
        Self::of(command(&database.settings(more))).await
    }

    /// Starts the binary by a command of one's own and waits until it is ready.
    pub(crate) async fn of(command: Command) -> Self {
        let (process, log) = Self::begin(command).await;
        process.unwrap_or_else(|| panic!("it did not start: {}", log.lock().unwrap()))
    }

    /// The same; `None` when it does not start.
    pub(crate) async fn try_start(command: Command) -> Option<Self> {
        Self::begin(command).await.0
    }

    async fn begin(mut command: Command) -> (Option<Self>, Arc<Mutex<String>>) {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let log = Arc::new(Mutex::new(String::new()));
        let (sender, ready) = tokio::sync::oneshot::channel();
        let copy = Arc::clone(&log);
        std::thread::spawn(move || {
            let mut sender = Some(sender);
            while let Some(Ok(line)) = lines.next() {
                copy.lock().unwrap().push_str(&format!("{line}\n"));
                if let Some((_, address)) = line.split_once("linkgraph is ready address=")
                    && let Some(sender) = sender.take()
                {
                    let _ = sender.send(address.split(' ').next().unwrap_or_default().to_owned());
                }
            }
        });
        let address = tokio::time::timeout(DEADLINE, ready).await.ok().and_then(Result::ok);
        let Some(address) = address else {
            let _ = child.kill();
            let _ = child.wait();
            return (None, log);
        };
        let http = Http::new(address.parse().unwrap());
        (Some(TestProcess { child, log: Arc::clone(&log), http }), log)
    }

    /// Processor time of all its threads so far.
    pub(crate) fn cpu(&self) -> Duration {
        // A thread may end meanwhile.
        let of_one =
            |task: &Path| std::fs::read_to_string(task.join("schedstat")).ok()?.split(' ').next()?.parse::<u64>().ok();
        Duration::from_nanos(self.threads().iter().filter_map(|task| of_one(task)).sum::<u64>())
    }

    /// How often the threads that ask SQLite have been woken so far.
    pub(crate) fn sqlite_wakes(&self) -> u64 {
        let of_one = |task: &Path| {
            let name = std::fs::read_to_string(task.join("comm")).ok()?;
            let status =
                std::fs::read_to_string(task.join("status")).ok().filter(|_| name.starts_with("sqlx-sqlite"))?;
            status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"))?.trim().parse::<u64>().ok()
        };
        self.threads().iter().filter_map(|task| of_one(task)).sum()
    }

    fn threads(&self) -> Vec<PathBuf> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        tasks.map(|task| task.unwrap().path()).collect()
    }

    /// Sets a soft limit.
    pub(crate) fn limit(&self, resource: Resource, limit: u64) {
        let maximum = getrlimit(resource).maximum;
        prlimit(Some(Pid::from_child(&self.child)), resource, Rlimit { current: Some(limit), maximum }).unwrap();
    }

    /// Bytes of memory that are its own: what it has mapped of files is not.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let size = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        size.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1_024
    }

    /// Lifts a soft limit to the hard one.
    pub(crate) fn lift_limit(&self, resource: Resource) {
        let hard = getrlimit(resource).maximum;
        let pid = Pid::from_child(&self.child);
        prlimit(Some(pid), resource, Rlimit { current: hard, maximum: hard }).unwrap();
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// SIGTERM.
    pub(crate) fn terminate(&self) {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits until it has ended by itself.
    pub(crate) async fn exit(&mut self) -> ExitStatus {
        super::eventually("the process ends", async || self.child.try_wait().unwrap()).await
    }
}

impl Drop for TestProcess {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command that succeeds, and answers what it prints.
pub(crate) async fn operate(database: &TestDatabase, arguments: &[&str]) -> String {
    let output = binary(database, &[], arguments).await;
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    out
}
