import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { exportReport, type Format, type ReportFile } from './export.ts';
import type { Chosen } from './picker.tsx';

interface OutputProps {
  chosen: Chosen;
  /** Undefined: there is none, or it is not known yet. */
  file?: ReportFile;
}

/** Takes a report along: on paper, or in a file what it counts. */
export function Output({ chosen, file }: OutputProps) {
  const words = { ...t.analytics.output, ...file?.words };
  if (!file) return <Button icon="print" label={words.print} onClick={() => print()} />;

  const save = (format: Format) => void exportReport(chosen, file, format);
  return (
    <Menu label={words.menu} icon="download">
      <MenuItem icon="download" onSelect={() => save('csv')}>
        {words.csv}
      </MenuItem>
      <MenuItem icon="download" onSelect={() => save('jsonl')}>
        {words.jsonl}
      </MenuItem>
      <MenuItem icon="print" onSelect={() => print()}>
        {words.print}
      </MenuItem>
    </Menu>
  );
}
