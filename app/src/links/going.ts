import { signal } from '@preact/signals';

/** The ids of the links that are deleted in a few seconds, unless that is undone. Until then they redirect. */
export const going = signal<ReadonlySet<string>>(new Set());
