# shellcheck shell=bash
# Sourced by .ci/run, scripts/test and others: what a build needs, and running a command so that no signal leaves part of it behind.

# A relative CARGO_TARGET_DIR means the caller's directory, which the scripts leave.
[[ -z ${CARGO_TARGET_DIR:-} ]] || CARGO_TARGET_DIR=$(realpath -m -- "$CARGO_TARGET_DIR")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
command -v cargo >/dev/null || PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

install_packages() {
  local install=(apt-get install -y --no-install-recommends "$@")
  if ((EUID != 0)) || ! command -v apt-get >/dev/null; then
    die "missing tools; install them first, on Debian: sudo ${install[*]}"
  fi
  printf '%s: installing %s\n' "${0##*/}" "$*" >&2
  # The server packages would otherwise create and start a cluster on port 5432, and a Redis on port 6379.
  local dropin=/etc/postgresql-common/createcluster.d/linkgraph-test.conf policy=/usr/sbin/policy-rc.d failed=
  mkdir -p "${dropin%/*}"
  echo 'create_main_cluster = false' >"$dropin"
  if [[ -e $policy ]]; then
    policy=
  else
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive "${install[@]}" -qq -o DPkg::Lock::Timeout=120 >/dev/null; } || failed=1
  rm -f "$dropin" ${policy:+"$policy"}
  if [[ " $* " == *' redis-server '* ]] && command -v systemctl >/dev/null; then
    systemctl disable --quiet redis-server 2>/dev/null || true
  fi
  [[ -z $failed ]] || die "could not install packages; by hand: ${install[*]}"
}

# need_tools [postgresql] [redis-server] [npm] [python3-venv] [default-jre-headless] [golang-go] [shellcheck] [chromium-headless-shell]
need_tools() {
  local missing=()
  command -v cargo >/dev/null || die "cargo is missing: install Rust from https://rustup.rs"
  # ring and the bundled SQLite are C.
  command -v cc >/dev/null || missing+=(gcc libc6-dev)
  [[ " $* " != *' postgresql '* || -n $(find_postgres) ]] || missing+=(postgresql)
  [[ " $* " != *' redis-server '* ]] || command -v redis-server >/dev/null || missing+=(redis-server)
  [[ " $* " != *' npm '* ]] || { command -v node && command -v npm; } >/dev/null || missing+=(nodejs npm)
  [[ " $* " != *' python3-venv '* ]] || python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  [[ " $* " != *' default-jre-headless '* ]] || command -v java >/dev/null || missing+=(default-jre-headless)
  [[ " $* " != *' golang-go '* ]] || command -v go >/dev/null || missing+=(golang-go)
  [[ " $* " != *' shellcheck '* ]] || command -v shellcheck >/dev/null || missing+=(shellcheck)
  [[ " $* " != *' chromium-headless-shell '* || -n $(find_chromium) ]] || missing+=(chromium-headless-shell)
  # A test runs the commands of the README and the documents.
  command -v curl >/dev/null || missing+=(curl)
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

# Prints a directory for packages that a program runs: packages_of node|python3 FILE... It is outside the checkout, so that a fresh one
# finds it, and under a name that all that decides what is installed gives.
packages_of() {
  local version
  version=$({ cat "${@:2}"; "$1" --version; } | sha256sum)
  printf '%s/linkgraph-tools/%s-%s' "${XDG_CACHE_HOME:-$HOME/.cache}" "$1" "${version:0:12}"
}

# npm_packages FOLDER: the directory for the packages of the lock file in the folder.
npm_packages() { packages_of node "$1"/package{,-lock}.json; }

# Installs the packages of the lock file in a folder, once: install_npm_packages FOLDER DIRECTORY
install_npm_packages() {
  mkdir -p "$2"
  (
    flock 9
    [[ ! -e $2/installed ]] || return 0
    printf '%s: installing npm packages\n' "${0##*/}" >&2
    cp "$1"/package{,-lock}.json "$2"
    # It removes what an interrupted run left.
    (cd "$2" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    touch "$2/installed"
  ) 9>"$2/lock"
}

# Prints the directory of the PostgreSQL server binaries: the PATH's, else the newest of Debian's.
find_postgres() {
  local dir found=
  for dir in "$(dirname "$(command -v initdb)")" $(printf '%s\n' /usr/lib/postgresql/*/bin | sort -Vr); do
    if [[ -x $dir/initdb && -x $dir/postgres && -x $dir/pg_isready ]]; then
      found=$dir
      break
    fi
  done
  printf '%s' "$found"
}

# Prints the Chromium for tests: CHROMIUM, else the one without windows, which takes a quarter less time, else the usual one.
find_chromium() { printf '%s' "${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)}"; }

running=
# Runs a command in a process group of its own: a signal to this script alone can then be passed on to all of it.
run() {
  local code=0
  set -m
  "$@" </dev/null &
  running=$!
  set +m
  wait "$running" || code=$?
  running=
  return "$code"
}

# For the EXIT trap: ends what `run` still runs, and waits for it.
stop_running() {
  [[ -n $running ]] || return 0
  kill -TERM -- "-$running" 2>/dev/null || true
  wait "$running" 2>/dev/null || true
}

# Ends the script by its EXIT trap, whatever the signal.
exit_on_signals() {
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}
