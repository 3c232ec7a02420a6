import { download } from '../api/download.ts';
import { t } from '../i18n/index.ts';
import { complain, say } from '../ui/toast.tsx';
import { conditionsOf, conditionText } from './conditions.ts';
import type { Chosen } from './picker.tsx';

export type Format = 'csv' | 'jsonl';

export interface ReportFile {
  /** Where the service has it. */
  path: string;
  /** As it is saved, without its format. */
  name: string;
  /** Parameters beside those of the report's time and clicks. */
  query?: [string, string][];
  /** The items of the menu, where it has no clicks. */
  words?: Record<Format, string>;
}

/** Saves what a report counts. */
export async function exportReport({ view, variables: { from, to, includeBots } }: Chosen, { path, name, query = [] }: ReportFile, format: Format): Promise<void> {
  const asked = new URLSearchParams({ format, from, ...(to && { to }), includeBots: String(includeBots) });
  for (const condition of conditionsOf(view)) asked.append('filter', conditionText(condition));
  for (const [parameter, value] of query) asked.append(parameter, value);
  const file = `${name.replaceAll('/', '-')}.${format}`;
  const problem = await download(`${path}?${asked}`, file);
  if (problem) complain(problem);
  else say(t.saved(file));
}
