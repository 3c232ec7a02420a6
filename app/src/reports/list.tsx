import { useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { onDemand } from '../shell/lazy.tsx';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Skeleton } from '../ui/states.tsx';

const ReportList = onDemand(() => import('../analytics/dialogs.ts'), (dialogs) => dialogs.ReportList, 'reportForms');

/** The page of reports, whose list comes with the dialogs of the statistics: it has most of its parts from them. */
export default function Reports() {
  const { title } = t.reports;
  const [state, setState] = useState<'coming' | 'shown' | 'away'>('coming');
  useTitle(title);
  return (
    <>
      <header class="page-head">
        <a class="crumb" href="/app">
          {t.shell.overview}
        </a>
        <h1 tabIndex={-1}>{title}</h1>
      </header>
      {state === 'away' ? (
        <EmptyState icon="alert" title={t.shell.notFetched} hint={t.problem.UNREACHABLE}>
          <Button onClick={() => location.reload()}>{t.action.retry}</Button>
        </EmptyState>
      ) : (
        <ReportList onShown={() => setState('shown')} onClose={() => setState('away')} />
      )}
      {state === 'coming' && <Skeleton rows={5} />}
    </>
  );
}
