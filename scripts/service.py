"""What the measuring scripts share: the service, databases and other servers that are stopped with the script, and links in bulk."""

import contextlib, http.client, json, os, random, re, shutil, signal, socket, sqlite3, subprocess, sys, tempfile, time, uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "correct-horse-battery-7"


class Failure(Exception):
    pass


failures = []


def fail(message):
    failures.append(message)
    print("FAIL", message, flush=True)


def say(message=""):
    print(message, flush=True)


def output_of(*command, default=""):
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.strip() if done.returncode == 0 else default


def built(profile):
    """Builds the service, and returns its binary."""
    subprocess.run(["cargo", "build", "--profile", profile, "--locked", "--bin", "linkgraph"], cwd=ROOT, check=True)
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"], cwd=ROOT, check=True, stdout=subprocess.PIPE
    )
    return Path(json.loads(metadata.stdout)["target_directory"], profile, "linkgraph")


def version():
    return output_of("git", "describe", "--always", "--dirty", default="uncommitted")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A process, pinned to one core if one is given, stopped with this script whatever ends it."""

    def __init__(self, stack, name, command, directory, port, env=None, core=None, stop=signal.SIGTERM):
        self.name, self.port, self.log, self.stop_signal = name, port, directory / f"{name}.log", stop
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", stop.name.removeprefix("SIG"), *pinned, *command],
                cwd=directory, env=env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )
        stack.callback(self.stop)

    def stop(self):
        if self.process.poll() is not None:
            return
        self.process.send_signal(self.stop_signal)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    @contextlib.contextmanager
    def held(self):
        """Stands still, with its children, and takes no processor time meanwhile."""
        os.killpg(self.process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.process.pid, signal.SIGCONT)

    def wait_for(self, path, status):
        deadline = time.monotonic() + 60
        while self.process.poll() is None and time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                if self.call("GET", path)[0] == status:
                    return
            time.sleep(0.05)
        raise Failure(f"{self.name} does not answer {path} with {status}; its log ends:\n{self.log_tail()}")

    def log_tail(self):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])

    def call(self, method, path, body=None, token=None, connection=None, client="127.0.0.1"):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(client, 0))
        try:
            own.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = own.getresponse()
            return answer.status, answer.read(), answer.headers
        finally:
            if not connection:
                own.close()

    def json(self, method, path, body=None, token=None, connection=None, client="127.0.0.1"):
        status, text, _ = self.call(method, path, body, token, connection, client)
        if status not in (200, 201, 202):
            raise Failure(f"{method} {path}: {status} {text[:500].decode(errors='replace')}")
        return json.loads(text)

    def graphql(self, query, token, variables=None):
        answer = self.json("POST", "/graphql", {"query": query, "variables": variables or {}}, token)
        if answer.get("errors"):
            raise Failure(f"{query[:200]}: {json.dumps(answer['errors'])[:500]}")
        return answer["data"]

    def processes(self):
        """Its process and all below it."""
        found, at = [self.process.pid], 0
        while at < len(found):
            with contextlib.suppress(OSError):
                found += map(int, Path(f"/proc/{found[at]}/task/{found[at]}/children").read_text().split())
            at += 1
        return found

    def cpu_seconds(self, ended=False):
        """Processor time of its processes; with those that ended meanwhile, if asked."""
        ticks = 0
        for pid in self.processes():
            with contextlib.suppress(OSError):
                # The command's name in the second field may hold spaces.
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15 if ended else 13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self, field="VmRSS"):
        return int(re.search(rf"{field}:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1]) / 1024

    def clicks(self):
        """Clicks logged and ingested since the start; a counter may be missing until its first click."""
        status, text, _ = self.call("GET", "/metrics")
        if status != 200:
            raise Failure(f"GET /metrics: {status}")
        return [
            int(sum(float(v) for v in re.findall(rf"^linkgraph_clicks_{name}_total(?:{{.*}})? (\S+)", text.decode(), re.M)))
            for name in ("logged", "ingested")
        ]

    def drain(self):
        """Waits until all logged clicks are ingested, and returns how many they are."""
        deadline = time.monotonic() + 120
        while True:
            logged, ingested = self.clicks()
            if logged == ingested:
                return logged
            if time.monotonic() > deadline:
                raise Failure(f"{logged:,} clicks logged, but only {ingested:,} ingested 120 s after the load")
            time.sleep(0.2)


def start_linkgraph(stack, binary, directory, core=None, settings=None, port=None):
    """Starts the service. In the directory of one that ran before it has its data, and at its port its user tokens."""
    port = port or free_port()
    directory.mkdir(exist_ok=True)
    env = os.environ | {
        "LINKGRAPH_BIND": f"127.0.0.1:{port}",
        "LINKGRAPH_BASE_URL": f"http://127.0.0.1:{port}",
        "LINKGRAPH_DATA_DIR": str(directory / "data"),
        "LINKGRAPH_DEFAULT_PLAN": "unlimited",
        "LINKGRAPH_RATE_LIMITS": "off",
        "LINKGRAPH_LOG": "warn",
    } | (settings or {})
    return Server(stack, "linkgraph", [str(binary)], directory, port, env, core)


def start_postgres(stack):
    """Starts a PostgreSQL with its usual settings, and returns it and its directory of programs."""
    find = ["bash", "-c", ". scripts/tools.sh && find_postgres"]
    programs = Path(output_of(*find) or Path("/nonexistent"))
    if not programs.is_dir():
        raise Failure("no PostgreSQL server (initdb, postgres, pg_isready) in PATH or /usr/lib/postgresql; on Debian: apt-get install postgresql")
    # Not below TMPDIR, which may be closed to the user postgres.
    directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="linkgraph-bench.", dir="/tmp")))
    user = []
    if os.geteuid() == 0:
        shutil.chown(directory, "postgres", "postgres")
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
    init = [*user, str(programs / "initdb"), "--pgdata=data", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"]
    done = subprocess.run(init, cwd=directory, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Failure(f"initdb: {done.stdout}")
    port = free_port()
    command = [*user[1:], str(programs / "postgres"), "-D", "data", "-p", str(port), "-c", "listen_addresses=127.0.0.1",
               "-c", f"unix_socket_directories={directory}", "-c", "max_connections=100", "-c", "shared_buffers=512MB"]
    server = Server(stack, "postgres", command, directory, port, stop=signal.SIGINT)
    deadline = time.monotonic() + 30
    while subprocess.run([programs / "pg_isready", "-q", "-h", directory, "-p", str(port)]).returncode:
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise Failure(f"PostgreSQL does not start; its log ends:\n{server.log_tail()}")
        time.sleep(0.1)
    return server, programs


class Database:
    """The database of a service that does not run: what the API is too slow for, or has no way to."""

    def __init__(self, url, directory, programs=None):
        """Without a URL it is the SQLite below the service's directory."""
        self.url, self.file = url, directory / "data" / "linkgraph.db"
        self.psql = str(programs / "psql") if programs and (programs / "psql").exists() else "psql"

    def run(self, statement):
        if self.url:
            done = subprocess.run([self.psql, self.url, "-qXv", "ON_ERROR_STOP=1", "-c", statement], text=True, capture_output=True)
            if done.returncode:
                raise Failure(f"{statement[:200]}: {done.stderr}")
        else:
            with contextlib.closing(sqlite3.connect(self.file)) as connection, connection:
                connection.execute(statement)

    def id(self, value):
        return f"'{value}'" if self.url else f"x'{value.hex}'"

    def insert(self, table, columns, rows):
        """Inserts rows of ids, texts and numbers."""
        if not self.url:
            with contextlib.closing(sqlite3.connect(self.file)) as connection, connection:
                connection.execute("PRAGMA foreign_keys = on")
                marks = ", ".join("?" * len(columns))
                of = lambda value: value.bytes if isinstance(value, uuid.UUID) else value
                connection.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", (tuple(map(of, row)) for row in rows))
            return
        copy = f"\\copy {table} ({', '.join(columns)}) FROM STDIN (FORMAT csv)"
        process = subprocess.Popen([self.psql, self.url, "-qXv", "ON_ERROR_STOP=1", "-c", copy], text=True, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        with contextlib.suppress(BrokenPipeError):
            for row in rows:
                print(",".join("" if value is None else str(value) for value in row), file=process.stdin)
        error = process.communicate()[1]
        if process.returncode:
            raise Failure(f"{copy}: {error}")

    def set_plan(self, account, plan):
        self.run(f"UPDATE accounts SET plan = '{plan}', plan_until = NULL WHERE id = {self.id(account)}")

    def add_links(self, account, prefix, count, tags=(), all_redirect=False):
        """Adds links with titles, the newest last, and returns their ids. Each tag is the text of its id and the distance between links that have it.
        One link in 50 is switched off and one has ended, unless all are to redirect."""
        now = int(time.time() * 1000)
        first = now - 1000 * count
        made = random.Random(prefix)
        ids = [uuid.UUID(int=(first + 1000 * n) << 80 | 7 << 76 | made.getrandbits(12) << 64 | 2 << 62 | made.getrandbits(62)) for n in range(count)]
        columns = ["id", "account_id", "host", "slug", "destination_url", "is_active", "click_count", "expired_clicks", "created_at", "updated_at",
                   "title", "search_text", "expires_at"]
        # An empty text is no null in what PostgreSQL copies.
        host, yes, no = ('""', "t", "f") if self.url else ("", 1, 0)
        rows = (
            (ids[n], account, host, f"{prefix}{n:07d}", f"https://shop.example.com/{SEASONS[n % 4]}/item-{n}",
             no if n % 50 == 7 and not all_redirect else yes, 0, 0, first + 1000 * n, first + 1000 * n, title(n), title(n).lower(),
             now - 1 if n % 50 == 9 and not all_redirect else None)
            for n in range(count)
        )
        self.insert("links", columns, rows)
        self.run(f"UPDATE accounts SET link_count = link_count + {count} WHERE id = {self.id(account)}")
        for tag, distance in tags:
            self.insert("link_tags", ["tag_id", "link_id"], ((uuid.UUID(tag), link) for link in ids[::distance]))
        return ids

    def settle(self):
        """PostgreSQL looks at its tables by itself, but not at once."""
        if self.url:
            self.run("VACUUM ANALYZE")


SEASONS = ("spring", "summer", "autumn", "winter")


def title(n):
    """One word of a title is in half of them, one in a hundredth, one in every 20,000th."""
    words = ["Newsletter" if n % 2 else "Campaign", SEASONS[n % 4].title(), f"no. {n}"]
    words += ["Webinar"] * (n % 100 == 3) + ["Zebra"] * (n % 20_000 == 11)
    return " ".join(words)


def sign_up(server, name="bench", client="127.0.0.1"):
    """Registers a user, and returns e-mail address and user token."""
    email = f"{name}-{time.time_ns()}@example.com"
    user = server.json("POST", "/auth/register", {"email": email, "password": PASSWORD, "name": name.title()}, client=client)
    return email, user["accessToken"]


def run_script(script, options):
    """Calls the script with its options and a stack of what it started, all of which is stopped at the end, also on Ctrl-C."""
    # An exception unwinds the stack below, which stops what was started.
    signals = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    for number in signals:
        signal.signal(number, lambda n, _: sys.exit(128 + n))
    with contextlib.ExitStack() as stack:
        try:
            script(options, stack)
        except (Failure, OSError, http.client.HTTPException, subprocess.CalledProcessError) as error:
            failures.append(str(error))
        finally:
            # A second Ctrl-C must not end the clean-up.
            for number in signals:
                signal.signal(number, signal.SIG_IGN)
    for message in failures:
        say(f"FAIL {message}")
    return 1 if failures else 0
