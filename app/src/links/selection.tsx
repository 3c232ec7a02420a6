import { useRef, useState } from 'preact/hooks';
import type { Outcome } from '../api/client.ts';
import type { ChangeLinksInput } from '../api/generated/graphql.ts';
import { type Problem, problemOfPart } from '../api/problem.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog, useDialog } from '../ui/dialog.tsx';
import { useWarning } from '../ui/leaving.ts';
import { naming } from '../ui/naming.tsx';
import { ProblemText } from '../ui/states.tsx';
import { complain, say } from '../ui/toast.tsx';
import { nameOf } from './actions.ts';
import EditAllDialog from './edit-all.tsx';
import { type Choice, type Chosen, deleteAll, linksOf, PART, partsOf, type Results, reversal, updateAll } from './many.ts';
import { canWait, removeSoon } from './removal.ts';

const GiveDialog = onDemand(() => import('../transfers/dialogs.ts'), (dialogs) => dialogs.GiveDialog, 'transfers');

/** Of more failures, the first are named. */
const MOST_SHOWN = 100;

interface Failure {
  link: Chosen;
  problem: Problem;
}

/** The links for which a change of many failed, with their errors. */
interface Report {
  title: string;
  failures: Failure[];
}

function Failures({ title, failures, onClose }: Report & { onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{t.linkForms.selection.stillSelected}</p>
      <ul class="failures">
        {failures.slice(0, MOST_SHOWN).map(({ link, problem }) => (
          <li key={link.id}>
            <strong dir="auto">{nameOf(link)}</strong>
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

/** All links that the filters of the list leave in it. */
export interface Matching {
  total: number;
  choice: Choice;
}

interface BarProps {
  count: number;
  areArchived: boolean;
  /** All links that match are chosen; otherwise they can be. */
  areAll: boolean;
  total: number;
  progress?: Progress;
  change(change: ChangeLinksInput): void;
  ask(what: 'edit' | 'delete'): void;
  give(): void;
  chooseAll(): void;
  clear(): void;
}

/** How many of the links a change that is under way has reached. */
interface Progress {
  done: number;
  count: number;
}

function Bar({ count, areArchived, areAll, total, progress, change, ask, give, chooseAll, clear }: BarProps) {
  const words = t.linkForms.selection;
  const archive = areArchived ? t.links.archive.undo : t.links.archive.do;
  const isBusy = progress !== undefined;
  return (
    <div class="selection" role="region" aria-label={words.label}>
      <Button kind="quiet" icon="close" label={isBusy ? words.stop : t.action.clear} dataKey="Escape" onClick={clear} />
      <strong role="status">{areAll ? words.all(formatNumber(count)) : words.count(count)}</strong>
      {!areAll && total > count && (
        <Button kind="quiet" isDisabled={isBusy} dataKey="*" onClick={chooseAll}>
          {words.chooseAll(formatNumber(total))}
        </Button>
      )}
      <Button isWrite isBusy={isBusy} dataKey="+" onClick={() => change({ isActive: true })}>
        {words.activate}
      </Button>
      <Button isWrite isBusy={isBusy} dataKey="-" onClick={() => change({ isActive: false })}>
        {words.deactivate}
      </Button>
      <Button isWrite isBusy={isBusy} icon="edit" label={t.action.edit} dataKey="E" onClick={() => ask('edit')}>
        <span>{t.action.edit}</span>
      </Button>
      <Button
        isWrite
        isBusy={isBusy}
        icon={areArchived ? 'unarchive' : 'archive'}
        label={archive}
        dataKey="A"
        onClick={() => change({ isArchived: !areArchived })}
      >
        <span>{archive}</span>
      </Button>
      <Button isWrite isBusy={isBusy} needs="MEMBERS_MANAGE" icon="send" label={t.links.give} onClick={give}>
        <span>{t.links.give}</span>
      </Button>
      <Button isWrite isBusy={isBusy} kind="danger" icon="trash" label={t.action.delete} dataKey="Delete" onClick={() => ask('delete')}>
        <span>{t.action.delete}</span>
      </Button>
      {progress && progress.count > PART && (
        <p class="progress">
          <progress max={progress.count} value={progress.done} aria-label={words.label} />
          <span class="muted">{words.progress(formatNumber(progress.done), formatNumber(progress.count))}</span>
        </p>
      )}
    </div>
  );
}

const refused = ({ error }: Results[number]) => error !== null;

interface SelectionProps {
  links: Chosen[];
  matching: Matching;
  /** All links that match are chosen, whichever of them are here. */
  areAll: boolean;
  /** All links of the page are chosen, so that all that match may be meant. */
  isPageChosen: boolean;
  select(links: Chosen[]): void;
  chooseAll(): void;
  onClose(): void;
}

/** Actions on the chosen links, in parts that the service takes. Links for which one fails stay chosen. */
export default function Selection({ links, matching, areAll, isPageChosen, select, chooseAll }: SelectionProps) {
  const [progress, setProgress] = useState<Progress>();
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const { dialog, open } = useDialog();
  const [report, setReport] = useState<Report>();
  const isStopped = useRef(false);
  const words = t.linkForms.selection;
  const count = areAll ? matching.total : links.length;
  const isUnderWay = progress !== undefined;
  // Whoever closes the page now leaves the rest as it is.
  useWarning(isUnderWay);

  const chosen = async (): Promise<Outcome<Chosen[]>> => (areAll ? linksOf(matching.choice) : { data: links });

  /** Says what became of all of them. Links for which it failed stay chosen, as do those that were not reached. */
  function tell(all: Chosen[], results: Results, sayDone: (done: Chosen[]) => void) {
    const byId = new Map(all.map((link) => [link.id, link]));
    const failures = results.flatMap(({ linkId, error }) => {
      const link = error && byId.get(linkId);
      return link ? [{ link, problem: problemOfPart(error) }] : [];
    });
    const done = results.filter((result) => !refused(result)).map(({ linkId }) => byId.get(linkId)!);
    if (done.length > 0) sayDone(done);
    if (failures.length > 0) setReport({ title: words.failed(failures.length, results.length), failures });
    select([...failures.map(({ link }) => link), ...all.slice(results.length)]);
  }
  function tellChanged(done: Chosen[], change: ChangeLinksInput) {
    const back = reversal(change, done);
    const undo = async () => {
      const problem = await back!();
      if (problem) complain(problem);
      else say(words.undone(done.length));
    };
    say(words.done(done.length), back && { undo: () => void undo() });
  }
  /** Sends the parts that are left, and shows how far it is. */
  async function goOn(all: Chosen[], first: Results, send: (ids: string[]) => Promise<Outcome<Results>>): Promise<Results> {
    const results = [...first];
    for (const part of partsOf(all.slice(first.length))) {
      setProgress({ done: results.length, count: all.length });
      if (isStopped.current) break;
      const { data, problem } = await send(part.map(({ id }) => id));
      if (!data) {
        complain(problem);
        break;
      }
      results.push(...data);
    }
    setProgress(undefined);
    return results;
  }
  /** Answers why nothing was changed, unless that differs by link. All but the first part is changed while the page is used. */
  async function update(change: ChangeLinksInput): Promise<Problem | undefined> {
    isStopped.current = false;
    setProgress({ done: 0, count });
    const { data: all, problem } = await chosen();
    const first = all ? await updateAll(all.slice(0, PART).map(({ id }) => id), change) : { problem };
    if (all && first.data) {
      const errors = new Set(first.data.map(({ error }) => JSON.stringify(error?.validationErrors)));
      const error = first.data[0]?.error;
      // An invalid change is invalid for each link: a form shows the error at its field.
      const isInvalid = errors.size === 1 && error && error.validationErrors.length > 0;
      if (!isInvalid) {
        const rest = goOn(all, first.data, (ids) => updateAll(ids, change)).then((results) =>
          tell(all, results, (done) => tellChanged(done, change)),
        );
        if (all.length <= PART) await rest;
        return undefined;
      }
      setProgress(undefined);
      return problemOfPart(error);
    }
    setProgress(undefined);
    return first.problem;
  }
  async function changeAll(change: ChangeLinksInput) {
    const problem = await update(change);
    if (problem) complain(problem);
  }
  async function remove(): Promise<Problem | undefined> {
    const { data: all, problem } = await chosen();
    if (!all) return problem;
    const ids = all.map(({ id }) => id);
    if (canWait(ids.length)) {
      select([]);
      removeSoon(ids, words.deleting(ids.length));
      return undefined;
    }
    isStopped.current = false;
    void goOn(all, [], deleteAll).then((results) => tell(all, results, (done) => say(words.deleted(done.length))));
    return undefined;
  }
  async function give() {
    // Of more, which they are need not be known.
    const { data, problem } = count > PART ? { data: null } : await chosen();
    if (problem) complain(problem);
    else open(GiveDialog, { links: data, onDone: () => select([]) });
  }
  const close = () => setAsked(undefined);
  const removal = canWait(count) ? t.linkForms.remove.many : t.linkForms.remove.manyNow;

  return (
    <>
      {(count > 0 || isUnderWay) && (
        <Bar
          count={count}
          areArchived={areAll ? matching.choice.isArchived === true : links.every(({ isArchived }) => isArchived)}
          areAll={areAll}
          total={isPageChosen ? matching.total : 0}
          progress={progress}
          change={(change) => void changeAll(change)}
          ask={setAsked}
          give={() => void give()}
          chooseAll={chooseAll}
          clear={() => {
            if (isUnderWay) isStopped.current = true;
            else select([]);
          }}
        />
      )}
      {asked === 'edit' && <EditAllDialog count={count} update={update} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={t.linkForms.remove.title(count)}
          text={!areAll && links.length === 1 ? naming(t.linkForms.remove.one, nameOf(links[0]!)) : removal}
          confirm={t.action.delete}
          onConfirm={remove}
          onClose={close}
        />
      )}
      {dialog}
      {report && <Failures {...report} onClose={() => setReport(undefined)} />}
    </>
  );
}
