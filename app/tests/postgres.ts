import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './service.ts';

const HOST = '127.0.0.1';
const PACKAGED = '/usr/lib/postgresql';

/** Where its programs are: the newest of Debian's. */
function programs(): string {
  const versions = existsSync(PACKAGED) ? readdirSync(PACKAGED).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => path.join(PACKAGED, version, 'bin')).find((bin) => existsSync(path.join(bin, 'initdb')));
  if (!found) throw new Error(`no PostgreSQL server (initdb, postgres) in ${PACKAGED}/*/bin: install postgresql`);
  return found;
}

/** A server with an empty database, which can be frozen. */
export class Postgres {
  readonly url: string;
  readonly #server: ChildProcess;
  readonly #folder: string;
  #frozen: ChildProcess | undefined;

  private constructor(port: number, server: ChildProcess, folder: string) {
    this.url = `postgres://postgres@${HOST}:${port}/postgres`;
    this.#server = server;
    this.#folder = folder;
  }

  static async start(): Promise<Postgres> {
    const bin = programs();
    // Not the folder for temporary files: that may be closed to the user postgres, or too long for a socket's path.
    const folder = mkdtempSync('/tmp/linkgraph-postgres-');
    // It ends with the tests, whatever becomes of them, and refuses to run as root.
    const user = ['--pdeathsig', 'QUIT'];
    if (process.getuid!() === 0) {
      execFileSync('chown', ['postgres:', folder]);
      user.push('--reuid=postgres', '--regid=postgres', '--init-groups');
    }
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'];
    execFileSync('setpriv', [...user, `${bin}/initdb`, '--pgdata=data', ...options], { cwd: folder });

    const port = await freePort(HOST);
    const settings = [`listen_addresses=${HOST}`, `unix_socket_directories=${folder}`, 'fsync=off', 'full_page_writes=off'];
    const words = ['-D', 'data', '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
    const log = path.join(folder, 'log');
    const output = openSync(log, 'w');
    const server = spawn('setpriv', [...user, `${bin}/postgres`, ...words], { cwd: folder, stdio: ['ignore', output, output] });
    const postgres = new Postgres(port, server, folder);
    for (let tries = 0; tries < 200 && server.exitCode === null; tries += 1) {
      if (readFileSync(log, 'utf8').includes('ready to accept connections')) return postgres;
      await wait(100);
    }
    const told = readFileSync(log, 'utf8');
    await postgres.end();
    throw new Error(`PostgreSQL did not start:\n${told}`);
  }

  /** Stops all its processes as they are, with all connections open, until `thaw`. */
  async freeze(): Promise<void> {
    const server = this.#server.pid!;
    // The first one first: then there are no more than these. A shell of its own lets them go on when its input is closed,
    // as it also is when the tests are killed.
    const script = `kill -STOP ${server}; others=$(pgrep -P ${server}); kill -STOP $others; echo; read -r _; kill -CONT $others ${server}`;
    this.#frozen = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(this.#frozen.stdout!, 'data');
  }

  async thaw(): Promise<void> {
    if (!this.#frozen) return;
    const ended = once(this.#frozen, 'exit');
    this.#frozen.stdin!.end();
    this.#frozen = undefined;
    await ended;
  }

  async end(): Promise<void> {
    await this.thaw();
    if (this.#server.exitCode === null) {
      const ended = once(this.#server, 'exit');
      // Immediate shutdown: the data goes with it.
      this.#server.kill('SIGQUIT');
      await ended;
    }
    rmSync(this.#folder, { recursive: true });
  }
}
