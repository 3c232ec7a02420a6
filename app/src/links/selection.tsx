import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { complain, say } from '../ui/toast.tsx';
import { deleteLink, UPDATE } from './actions.tsx';

/** Does it to all; answers the first failure, after all were tried. */
async function toAll(ids: string[], act: (id: string) => Promise<Problem | undefined>): Promise<Problem | undefined> {
  const problems = await Promise.all(ids.map(act));
  const failed = problems.filter((problem) => problem !== undefined);
  const first = failed[0];
  return first && { ...first, message: `${t.links.selection.failed(failed.length)} ${first.message}` };
}

/** What can be done to the links that are selected. */
export function Selection({ ids, clear }: { ids: string[]; clear(): void }) {
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);

  async function activate(isActive: boolean) {
    setBusy(true);
    const problem = await toAll(ids, async (id) => (await mutate(UPDATE, { id, input: { isActive } })).problem);
    setBusy(false);
    if (problem) complain(problem);
    else {
      say(t.links.selection.done(ids.length));
      clear();
    }
  }
  async function remove() {
    const problem = await toAll(ids, deleteLink);
    if (!problem) {
      say(t.links.selection.deleted(ids.length));
      clear();
    }
    return problem;
  }

  return (
    <div class="selection" role="region" aria-label={t.links.selection.label}>
      <strong>{t.links.selection.count(ids.length)}</strong>
      <Button isWrite isBusy={isBusy} onClick={() => void activate(true)}>
        {t.links.selection.activate}
      </Button>
      <Button isWrite isBusy={isBusy} onClick={() => void activate(false)}>
        {t.links.selection.deactivate}
      </Button>
      <Button isWrite kind="danger" icon="trash" onClick={() => setAsked(true)}>
        {t.action.delete}
      </Button>
      <Button kind="quiet" icon="close" label={t.action.clear} dataKey="Escape" onClick={clear} />
      {isAsked && (
        <Confirm
          title={t.links.remove.title(ids.length)}
          text={t.links.remove.many}
          confirm={t.action.delete}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}
