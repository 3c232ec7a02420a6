import { download } from '../api/download.ts';
import { t } from '../i18n/index.ts';
import { tagsFrom } from '../tags/name.ts';
import { complain, say } from '../ui/toast.tsx';
import type { Filters } from './filters.tsx';

/** Names of the list's filters in an export. */
const PARAMETERS: Record<keyof Filters, string> = {
  search: 'search',
  state: 'state',
  archived: 'isArchived',
  domain: 'domain',
  destination: 'destinationUrl',
  externalId: 'externalId',
  tag: 'tags',
  sort: 'sort',
};

/** Saves all links of a list, whichever of its pages is shown. */
export async function exportLinks(filters: Filters, format: 'csv' | 'jsonl'): Promise<void> {
  const values: Record<keyof Filters, string | string[]> = {
    ...filters,
    tag: tagsFrom(filters.tag),
    archived: { '': 'false', true: 'true', any: '' }[filters.archived],
    // Clicks would change the other orders while the file is written.
    sort: filters.sort === 'OLDEST' ? 'OLDEST' : 'NEWEST',
  };
  const names = Object.keys(PARAMETERS) as (keyof Filters)[];
  const given = names.flatMap((name) => [values[name]].flat().map((value) => [PARAMETERS[name], value]));
  const query = new URLSearchParams(given.filter(([, value]) => value !== ''));
  const file = `links.${format}`;
  const problem = await download(`/links/export?format=${format}&${query}`, file);
  if (problem) complain(problem);
  else say(t.saved(file));
}
