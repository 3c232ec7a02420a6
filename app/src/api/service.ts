// How the service stands, as the last answers tell. The banners of the frame show it.
import { computed, effect, signal } from '@preact/signals';

export const isDatabaseAway = signal(false);
export const isUnreachable = signal(false);
export const isOnline = signal(navigator.onLine);
addEventListener('online', () => {
  isOnline.value = true;
  isUnreachable.value = false;
});
addEventListener('offline', () => {
  isOnline.value = false;
});

/** Whether a change has a chance: while not, buttons that write are disabled and say why. */
export const isOffline = computed(() => !isOnline.value);

/** `lost`: the socket broke and is being opened again. */
export const live = signal<'idle' | 'connected' | 'lost'>('idle');
/** Grows when the service, or a broken socket, is there again: what was missed meanwhile has to be fetched. */
export const recoveries = signal(0);

const PROBE_MS = 4000;
effect(() => {
  if (!isUnreachable.value && !isDatabaseAway.value) return undefined;
  const timer = setInterval(async () => {
    const isBack = await fetch('/ready').then(({ ok }) => ok, () => false);
    if (!isBack) return;
    isUnreachable.value = false;
    isDatabaseAway.value = false;
    recoveries.value += 1;
  }, PROBE_MS);
  return () => clearInterval(timer);
});
