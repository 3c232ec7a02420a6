import { unreachable } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { useDialog } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { complain } from '../ui/toast.tsx';
import type { Format, ReportFile } from './export.ts';
import { ReportDialog } from './opened.ts';
import type { Chosen } from './picker.tsx';

interface OutputProps {
  chosen: Chosen;
  /** Undefined: there is none, or it is not known yet. */
  file?: ReportFile;
}

/** Takes a view along: on paper, in a file what it counts, or as a report that is kept, and shared. */
export function Output({ chosen, file }: OutputProps) {
  const words = { ...t.analytics.output, ...file?.words };
  const { dialog, open } = useDialog();
  const save = (of: ReportFile, format: Format) =>
    void import('./export.ts').then(({ exportReport }) => exportReport(chosen, of, format), () => complain(unreachable()));
  return (
    <>
      <Button kind="quiet" icon="send" label={words.save} needs="LINKS_WRITE" isWrite onClick={() => open(ReportDialog, { chosen })} />
      {file ? (
        <Menu label={words.menu} icon="download">
          <MenuItem icon="download" onSelect={() => save(file, 'csv')}>
            {words.csv}
          </MenuItem>
          <MenuItem icon="download" onSelect={() => save(file, 'jsonl')}>
            {words.jsonl}
          </MenuItem>
          <MenuItem icon="print" onSelect={() => print()}>
            {words.print}
          </MenuItem>
          <MenuItem icon="chart" href="/app/reports">
            {words.reports}
          </MenuItem>
        </Menu>
      ) : (
        <Button icon="print" label={words.print} onClick={() => print()} />
      )}
      {dialog}
    </>
  );
}
