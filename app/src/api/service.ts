// How the service stands, as far as its answers tell. The banners of the frame show it.
import { computed, effect, signal } from '@preact/signals';
import { problemOfResponse, UNREACHABLE } from './problem.ts';

type Health = 'ready' | 'databaseAway' | 'unreachable';

export const health = signal<Health>('ready');
export const isOnline = signal(navigator.onLine);
addEventListener('online', () => {
  isOnline.value = true;
  askNow();
});
addEventListener('offline', () => {
  isOnline.value = false;
});

/** Whether a change has a chance: while not, buttons that write are disabled and say why. */
export const isOffline = computed(() => !isOnline.value);

/** `connected`: the service has what the page subscribes to. `lost`: the socket broke and is being opened again. */
export const live = signal<'idle' | 'connected' | 'lost'>('idle');
/** Grows when the service, or a broken socket, is there again: what was missed meanwhile has to be fetched. */
export const recoveries = signal(0);
/** Grows when the service has begun what the page subscribes to: what happened before that is told by no message. */
export const beginnings = signal(0);

const ASK_MS = 4000;
const PATIENCE_MS = 10_000;

async function ask(): Promise<Health> {
  try {
    const response = await fetch('/ready', { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (response.ok) return 'ready';
    const { failed = [] } = (await problemOfResponse(response)).details;
    // Otherwise it is stopping, or a proxy answers in its place.
    return failed.includes('database') || failed.includes('databaseWriter') ? 'databaseAway' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}

/** Ends the wait before the service is asked again. */
let askNow = (): void => undefined;

/** Whether the service is being asked how it stands, until it is ready. */
const isInDoubt = signal(false);

/** Asks the service how it stands: a call failed that tells too little, or nothing. */
export const doubt = (): void => {
  isInDoubt.value = true;
};

/** Takes note of how a call to the API ended: by a problem's code, or well. */
export function note(code?: string): void {
  if (code === UNREACHABLE) health.value = 'unreachable';
  else if (health.value === 'unreachable') health.value = 'ready';
  // `UNAVAILABLE` may also mean that something else is down, such as the provider of payments.
  if (code === UNREACHABLE || code === 'UNAVAILABLE') doubt();
}

effect(() => {
  if (live.value === 'lost') doubt();
});

effect(() => {
  if (!isInDoubt.value) return;
  let hasFailed = health.peek() !== 'ready';
  async function look(): Promise<void> {
    askNow = () => undefined;
    const next = await ask();
    health.value = next;
    if (next === 'ready') {
      isInDoubt.value = false;
      if (hasFailed) recoveries.value += 1;
      return;
    }
    hasFailed = true;
    // Not in step with all other pages that lost the same service.
    later(ASK_MS * (0.75 + Math.random() / 2));
  }
  function later(milliseconds: number): void {
    const timer = setTimeout(() => void look(), milliseconds);
    askNow = () => {
      clearTimeout(timer);
      void look();
    };
  }
  // A call that failed a moment ago says the same as asking at once would.
  later(hasFailed ? ASK_MS : 0);
});

/** Comes back after that time, or at once when the service is there again. */
export function waitFor(milliseconds: number): Promise<void> {
  const before = recoveries.peek();
  return new Promise((resolve) => {
    const timer = setTimeout(end, milliseconds);
    const stop = effect(() => {
      if (recoveries.value !== before) end();
    });
    function end() {
      clearTimeout(timer);
      stop();
      resolve();
    }
  });
}

/** How long to wait before the next try, not in step with all other pages that lost the same service. */
export const backoff = (tries: number): number => Math.min(1000 * 2 ** tries, 15_000) * (0.75 + Math.random() / 2);
