import { useEffect, useRef } from 'preact/hooks';
import type { Loaded } from '../api/use.ts';

/** Fetches again what was opened beside the figures of a page, once these have other clicks. */
export function useFollowing({ reload }: Loaded<unknown>, clicks: number): void {
  const before = useRef(clicks);
  useEffect(() => {
    if (before.current !== clicks) reload();
    before.current = clicks;
  }, [clicks]);
}
