import { effect } from '@preact/signals';
import { recoveries } from './service.ts';

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
