import { useState } from 'preact/hooks';
import { download } from '../api/download.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { complain, say } from '../ui/toast.tsx';
import type { Import } from './shown.tsx';

/** Saves each row with its short link or its error. */
export function Result({ import: { id, resultRows, done } }: { import: Import }) {
  const [isBusy, setBusy] = useState(false);
  const its = t.imports.result;
  async function get() {
    setBusy(true);
    const name = `import-${id}.csv`;
    const problem = await download(`/imports/${id}/rows/export?format=csv`, name);
    setBusy(false);
    if (problem) complain(problem);
    else say(t.saved(name));
  }
  if (resultRows === 0) return null;
  return (
    <div class="form-actions start">
      <Button isBusy={isBusy} onClick={() => void get()}>
        {its.download}
      </Button>
      <span class="muted">{resultRows < done ? its.first(formatNumber(resultRows)) : its.hint}</span>
    </div>
  );
}
