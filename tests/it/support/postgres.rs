//! A PostgreSQL of a test's own, to be stopped, frozen and started again.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, geteuid, kill_process};
use uuid::Uuid;

use super::{TestDatabase, eventually, free_port};

/// A running server on a port of its own; gone when dropped, with its data.
pub(crate) struct TestPostgres {
    folder: PathBuf,
    port: u16,
    server: Child,
}

impl TestPostgres {
    /// Starts a server and waits until it answers.
    pub(crate) async fn start() -> Self {
        let servers = std::env::var("LINKGRAPH_TEST_SERVERS")
            .expect("LINKGRAPH_TEST_SERVERS is not set: run the tests by scripts/test");
        let folder = PathBuf::from(servers).join(Uuid::now_v7().simple().to_string());
        std::fs::create_dir(&folder).unwrap();
        if geteuid().is_root() {
            assert!(Command::new("chown").arg("postgres:").arg(&folder).status().unwrap().success());
        }
        let mut initdb = program("initdb", &folder);
        initdb.args(["--pgdata=data", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]);
        let made = initdb.arg("--no-sync").output().unwrap();
        assert!(made.status.success(), "{made:?}");
        for _ in 0..20 {
            // Another process may take the port first: then the server ends, and another port is tried.
            let port = free_port();
            if let Some(server) = start(&folder, port).await {
                return TestPostgres { folder, port, server };
            }
        }
        panic!("no PostgreSQL starts");
    }

    /// Its database.
    pub(crate) fn database(&self) -> TestDatabase {
        self.database_at(self.port)
    }

    /// Its database as who connects to this port has it.
    pub(crate) fn database_at(&self, port: u16) -> TestDatabase {
        let mut database = TestDatabase::sqlite();
        database.url = Some(format!("postgres://postgres@127.0.0.1:{port}/postgres"));
        database
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Ends all connections and stops, as `pg_ctl stop` does.
    pub(crate) async fn stop(&mut self) {
        kill_process(Pid::from_child(&self.server), Signal::INT).unwrap();
        eventually("PostgreSQL ends", async || self.server.try_wait().unwrap()).await;
    }

    /// Starts again where it was, and waits until it answers.
    pub(crate) async fn start_again(&mut self) {
        self.server = start(&self.folder, self.port).await.expect("the port is taken");
    }

    /// Stops all its processes as they are, with all connections open, for so long: a shell of its own lets them go on,
    /// whatever becomes of the test.
    pub(crate) fn freeze(&self, time: Duration) -> Frozen {
        use std::os::unix::process::CommandExt;
        let (server, seconds) = (self.server.id(), time.as_secs_f64());
        // The first one first: then there are no more than these.
        let script = format!(
            "kill -STOP {server}; others=$(pgrep -P {server}); kill -STOP $others; echo; \
             sleep {seconds}; kill -CONT $others {server}"
        );
        let mut shell = Command::new("sh");
        let mut shell = shell.args(["-c", &script]).process_group(0).stdout(Stdio::piped()).spawn().unwrap();
        let mut begun = [0];
        std::io::Read::read_exact(shell.stdout.as_mut().unwrap(), &mut begun).unwrap();
        Frozen(shell)
    }
}

impl Drop for TestPostgres {
    fn drop(&mut self) {
        let server = self.server.id();
        let end = format!("pkill -CONT -P {server}; kill -CONT {server}; kill -QUIT {server}");
        let _ = Command::new("sh").args(["-c", &end]).stderr(Stdio::null()).status();
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A time in which a server does nothing.
pub(crate) struct Frozen(Child);

impl Frozen {
    /// Waits until it is over.
    pub(crate) async fn over(mut self) {
        let ended = eventually("PostgreSQL goes on", async || self.0.try_wait().unwrap()).await;
        assert!(ended.success());
    }
}

/// A program of PostgreSQL's, as a user that it accepts, which ends when the test does.
fn program(name: &str, folder: &PathBuf) -> Command {
    let programs = std::env::var("LINKGRAPH_TEST_POSTGRES_BIN")
        .expect("LINKGRAPH_TEST_POSTGRES_BIN is not set: run the tests by scripts/test");
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "QUIT"]);
    if geteuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--init-groups"]);
    }
    command.arg(format!("{programs}/{name}")).current_dir(folder).stdin(Stdio::null());
    command
}

async fn start(folder: &PathBuf, port: u16) -> Option<Child> {
    let (port, sockets) = (port.to_string(), folder.display().to_string());
    let log = std::fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    let mut postgres = program("postgres", folder);
    postgres.args(["-D", "data", "-p", &port, "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]);
    postgres.args(["-c", &format!("unix_socket_directories={sockets}"), "-c", "full_page_writes=off"]);
    // Sessions of nodes that were cut off stay for some seconds, beside those of their next pools.
    postgres.args(["-c", "max_connections=300"]);
    let mut server = postgres.stdout(Stdio::null()).stderr(log).spawn().unwrap();
    let answers = eventually("PostgreSQL answers", async || {
        if server.try_wait().unwrap().is_some() {
            return Some(false);
        }
        // Asked through its own socket: on the port another server might answer.
        let ready = program("pg_isready", folder).args(["-q", "-h", &sockets, "-p", &port]).status();
        ready.unwrap().success().then_some(true)
    });
    answers.await.then_some(server)
}
