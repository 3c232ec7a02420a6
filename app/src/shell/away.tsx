import { health } from '../api/service.ts';
import { t } from '../i18n/index.ts';
import { EmptyState } from '../ui/states.tsx';

/** The service does not answer while the application starts; it is asked again and again. */
export function Away() {
  const isDatabaseAway = health.value === 'databaseAway';
  return (
    <main class="away">
      <h1 class="hidden">{t.app}</h1>
      {isDatabaseAway ? (
        <EmptyState icon="alert" title={t.state.databaseAway} />
      ) : (
        <EmptyState icon="offline" title={t.state.unreachable} hint={t.state.redirects} />
      )}
    </main>
  );
}
