import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Below the ephemeral ports, which the system gives to connections meanwhile. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 8_000);
    const server = createServer().listen(port, host);
    const isFree = await once(server, 'listening').then(() => true, () => false);
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

function binary(): string {
  const file = process.env.LINKGRAPH_BIN;
  if (!file) throw new Error('LINKGRAPH_BIN or LINKGRAPH_URL must be set');
  return path.resolve(file);
}

/** A process of the service, which can be killed and started again with the same data and address. */
export class Service {
  readonly url: string;
  readonly #env: Record<string, string | undefined>;
  #process: ChildProcess | undefined;

  constructor(address: string, settings: Record<string, string>) {
    this.url = `http://${address}`;
    this.#env = { PATH: process.env.PATH, LINKGRAPH_BIND: address.replace('localhost', '127.0.0.1'), LINKGRAPH_BASE_URL: this.url, ...settings };
  }

  /** Comes back when it is ready. */
  async start(): Promise<void> {
    const started = spawn(binary(), { env: this.#env, stdio: 'ignore' });
    this.#process = started;
    for (let tries = 0; tries < 200; tries += 1) {
      if (started.exitCode !== null) throw new Error(`the service ended with ${started.exitCode}`);
      if (await fetch(`${this.url}/ready`).then(({ ok }) => ok, () => false)) return;
      await wait(100);
    }
    throw new Error('the service is not ready');
  }

  /** What a command of the operator prints, beside the service that runs. */
  async command(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(binary(), words, { env: this.#env });
    return stdout.trim();
  }

  /** By SIGTERM it finishes what it does, by SIGKILL it does not. */
  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const ending = this.#process;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    ending.kill('SIGCONT');
    await ended;
  }

  /** Until it is killed, it takes connections and answers nothing. */
  freeze(): void {
    this.#process?.kill('SIGSTOP');
  }
}
