// The service that a command beside this file starts, asks and stops.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** Starts the binary on a loopback address (host and port). Answers, when it is ready, the function that stops it. */
export async function startService(binary, address, settings) {
  const service = spawn(binary, {
    env: {
      PATH: process.env.PATH,
      LINKGRAPH_BIND: address,
      LINKGRAPH_RATE_LIMITS: 'off',
      LINKGRAPH_LOG: 'error',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(service, 'exit');
  const stop = async () => {
    service.kill();
    await ended;
  };
  for (let tries = 0; tries < 600 && service.exitCode === null; tries += 1) {
    if (await fetch(`http://${address}/ready`).then(({ ok }) => ok, () => false)) return stop;
    await wait(100);
  }
  await stop();
  throw new Error('the service did not start');
}
