/** Clicks by weekday, of which Sunday is the first, and hour. `clock`: what clocks show at a moment, as if it were UTC. */
export function byHour(series: { start: string; clicks: number }[], clock: (at: Date) => Date): number[][] {
  const sums = Array.from({ length: 7 }, () => Array<number>(24).fill(0));
  for (const { start, clicks } of series) {
    const shown = clock(new Date(start));
    sums[shown.getUTCDay()]![shown.getUTCHours()]! += clicks;
  }
  return sums;
}
