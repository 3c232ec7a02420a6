import { download } from '../api/download.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { complain, say } from '../ui/toast.tsx';
import { conditionsOf, conditionText } from './conditions.ts';
import type { Chosen } from './picker.tsx';

interface OutputProps {
  chosen: Chosen;
  /** Whose clicks can be downloaded. */
  link?: { id: string; name: string };
}

/** Takes a report along: on paper, or its clicks in a file. */
export function Output({ chosen: { view, variables }, link }: OutputProps) {
  const words = t.analytics.output;
  if (!link) return <Button icon="print" label={words.print} onClick={() => print()} />;

  async function save(format: 'csv' | 'jsonl') {
    const { from, to, includeBots } = variables;
    const query = new URLSearchParams({ format, from, ...(to && { to }), includeBots: String(includeBots) });
    for (const condition of conditionsOf(view)) query.append('filter', conditionText(condition));
    const file = `clicks-${link!.name.replaceAll('/', '-')}.${format}`;
    const problem = await download(`/analytics/${link!.id}/export?${query}`, file);
    if (problem) complain(problem);
    else say(t.saved(file));
  }
  return (
    <Menu label={words.menu} icon="download">
      <MenuItem icon="download" onSelect={() => void save('csv')}>
        {words.csv}
      </MenuItem>
      <MenuItem icon="download" onSelect={() => void save('jsonl')}>
        {words.jsonl}
      </MenuItem>
      <MenuItem icon="print" onSelect={() => print()}>
        {words.print}
      </MenuItem>
    </Menu>
  );
}
