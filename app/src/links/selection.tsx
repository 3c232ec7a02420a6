import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { ProblemText } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { deleteLink, nameOf, UPDATE } from './actions.tsx';
import type { Row } from './row.tsx';

interface Failure {
  link: Row;
  problem: Problem;
}

/** Which of many links it failed for, and why. */
interface Report {
  title: string;
  failures: Failure[];
}

function Failures({ title, failures, onClose }: Report & { onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t.links.selection.stillSelected}</p>
      <ul class="failures">
        {failures.map(({ link, problem }) => (
          <li key={link.id}>
            <strong>{nameOf(link)}</strong>
            <ProblemText problem={problem} />
          </li>
        ))}
      </ul>
      <div class="form-actions">
        <Button kind="primary" onClick={onClose}>
          {t.action.close}
        </Button>
      </div>
    </Dialog>
  );
}

interface BarProps {
  count: number;
  isBusy: boolean;
  activate(isActive: boolean): void;
  remove(): void;
  clear(): void;
}

function Bar({ count, isBusy, activate, remove, clear }: BarProps) {
  return (
    <div class="selection" role="region" aria-label={t.links.selection.label}>
      <strong role="status">{t.links.selection.count(count)}</strong>
      <Button isWrite isBusy={isBusy} dataKey="+" onClick={() => activate(true)}>
        {t.links.selection.activate}
      </Button>
      <Button isWrite isBusy={isBusy} dataKey="-" onClick={() => activate(false)}>
        {t.links.selection.deactivate}
      </Button>
      <Button isWrite kind="danger" icon="trash" dataKey="Delete" onClick={remove}>
        {t.action.delete}
      </Button>
      <Button kind="quiet" icon="close" label={t.action.clear} dataKey="Escape" onClick={clear} />
    </div>
  );
}

/** What can be done to the links that are selected. Those for which it fails stay so. */
export function Selection({ links, select }: { links: Row[]; select(links: Row[]): void }) {
  const [isBusy, setBusy] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [report, setReport] = useState<Report>();
  const words = t.links.selection;

  async function forAll(act: (id: string) => Promise<Problem | undefined>, done: (count: number) => string) {
    setBusy(true);
    const problems = await Promise.all(links.map(({ id }) => act(id)));
    setBusy(false);
    const failures = links.flatMap((link, at) => (problems[at] ? [{ link, problem: problems[at] }] : []));
    if (failures.length < links.length) say(done(links.length - failures.length));
    if (failures.length > 0) setReport({ title: words.failed(failures.length, links.length), failures });
    select(failures.map(({ link }) => link));
  }
  const activate = (isActive: boolean) =>
    forAll(async (id) => (await mutate(UPDATE, { id, input: { isActive } })).problem, words.done);
  async function remove() {
    await forAll(deleteLink, words.deleted);
    return undefined;
  }

  return (
    <>
      {links.length > 0 && (
        <Bar
          count={links.length}
          isBusy={isBusy}
          activate={(isActive) => void activate(isActive)}
          remove={() => setAsked(true)}
          clear={() => select([])}
        />
      )}
      {isAsked && (
        <Confirm
          title={t.links.remove.title(links.length)}
          text={links.length === 1 ? t.links.remove.one(nameOf(links[0]!)) : t.links.remove.many}
          confirm={t.action.delete}
          onConfirm={remove}
          onClose={() => setAsked(false)}
        />
      )}
      {report && <Failures {...report} onClose={() => setReport(undefined)} />}
    </>
  );
}
