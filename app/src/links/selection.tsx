import { useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ChangeLinksInput, WhyNotFragment } from '../api/generated/graphql.ts';
import { type Problem, problemOfPart } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { ProblemText } from '../ui/states.tsx';
import { complain, say } from '../ui/toast.tsx';
import { nameOf } from './actions.ts';
import type { Row } from './row.tsx';

export const WHY_NOT = graphql(`
  fragment WhyNot on ErrorPayload {
    code
    message
    validationErrors {
      path
      message
    }
  }
`);

const UPDATE_ALL = graphql(`
  mutation UpdateLinks($input: UpdateLinksInput!) {
    updateLinks(input: $input) {
      results {
        linkId
        error {
          ...WhyNot
        }
      }
    }
  }
`);

const DELETE_ALL = graphql(`
  mutation DeleteLinks($input: DeleteLinksInput!) {
    deleteLinks(input: $input) {
      results {
        linkId
        error {
          ...WhyNot
        }
      }
    }
  }
`);

/** Types whose queries are fetched again after a change: lists and counts. */
const TYPES = ['Link', 'LinkPageResult'];

type Results = { linkId: string; error: WhyNotFragment | null }[];

interface Failure {
  link: Row;
  problem: Problem;
}

const EditAllDialog = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.EditAllDialog);

/** The links for which a change of many failed, with their errors. */
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

interface BarProps {
  links: Row[];
  isBusy: boolean;
  change(change: ChangeLinksInput): void;
  ask(what: 'edit' | 'delete'): void;
  clear(): void;
}

function Bar({ links, isBusy, change, ask, clear }: BarProps) {
  const words = t.links.selection;
  const areArchived = links.every(({ isArchived }) => isArchived);
  const archive = areArchived ? t.links.archive.undo : t.links.archive.do;
  return (
    <div class="selection" role="region" aria-label={words.label}>
      <Button kind="quiet" icon="close" label={t.action.clear} dataKey="Escape" onClick={clear} />
      <strong role="status">{words.count(links.length)}</strong>
      <Button isWrite isBusy={isBusy} dataKey="+" onClick={() => change({ isActive: true })}>
        {words.activate}
      </Button>
      <Button isWrite isBusy={isBusy} dataKey="-" onClick={() => change({ isActive: false })}>
        {words.deactivate}
      </Button>
      <Button isWrite icon="edit" label={t.action.edit} dataKey="E" onClick={() => ask('edit')}>
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
      <Button isWrite kind="danger" icon="trash" label={t.action.delete} dataKey="Delete" onClick={() => ask('delete')}>
        <span>{t.action.delete}</span>
      </Button>
    </div>
  );
}

/** Actions on the selected links, in one request each. Links for which one fails stay selected. */
export function Selection({ links, select }: { links: Row[]; select(links: Row[]): void }) {
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<'edit' | 'delete'>();
  const [report, setReport] = useState<Report>();
  const words = t.links.selection;
  const ids = links.map(({ id }) => id);

  function tell(results: Results, done: (count: number) => string) {
    const failures = results.flatMap(({ linkId, error }) => {
      const link = error && links.find(({ id }) => id === linkId);
      return link ? [{ link, problem: problemOfPart(error) }] : [];
    });
    if (failures.length < links.length) say(done(links.length - failures.length));
    if (failures.length > 0) setReport({ title: words.failed(failures.length, links.length), failures });
    select(failures.map(({ link }) => link));
  }
  /** Answers why nothing was changed, unless that differs by link. */
  async function update(change: ChangeLinksInput): Promise<Problem | undefined> {
    const { data, problem } = await mutate(UPDATE_ALL, { input: { ids, change } }, TYPES);
    if (!data) return problem;
    const { results } = data.updateLinks;
    const errors = new Set(results.map(({ error }) => JSON.stringify(error?.validationErrors)));
    const first = results[0]?.error;
    // An invalid change is invalid for each link: a form shows the error at its field.
    if (errors.size === 1 && first && first.validationErrors.length > 0) return problemOfPart(first);
    tell(results, words.done);
    return undefined;
  }
  async function changeAll(change: ChangeLinksInput) {
    setBusy(true);
    const problem = await update(change);
    setBusy(false);
    if (problem) complain(problem);
  }
  async function remove() {
    const { data, problem } = await mutate(DELETE_ALL, { input: { ids } }, TYPES);
    if (data) tell(data.deleteLinks.results, words.deleted);
    return problem;
  }
  const close = () => setAsked(undefined);

  return (
    <>
      {links.length > 0 && (
        <Bar links={links} isBusy={isBusy} change={(change) => void changeAll(change)} ask={setAsked} clear={() => select([])} />
      )}
      {asked === 'edit' && <EditAllDialog count={links.length} update={update} onClose={close} />}
      {asked === 'delete' && (
        <Confirm
          title={t.links.remove.title(links.length)}
          text={links.length === 1 ? t.links.remove.one(nameOf(links[0]!)) : t.links.remove.many}
          confirm={t.action.delete}
          onConfirm={remove}
          onClose={close}
        />
      )}
      {report && <Failures {...report} onClose={() => setReport(undefined)} />}
    </>
  );
}
