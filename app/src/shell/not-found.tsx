import { t } from '../i18n/index.ts';
import { LinkButton } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { useTitle } from './title.ts';

export function NotFound() {
  useTitle(t.shell.notFound);
  return (
    <>
      <h1 class="hidden">{t.app}</h1>
      <EmptyState icon="info" title={t.shell.notFound}>
        <LinkButton href="/app">{t.shell.toOverview}</LinkButton>
      </EmptyState>
    </>
  );
}
