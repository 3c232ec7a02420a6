import { health, isOnline, live } from '../api/service.ts';
import { t } from '../i18n/index.ts';
import { Banner } from '../ui/states.tsx';

/** Messages on all pages: one at a time, the most severe first. */
export function Banners() {
  if (!isOnline.value) return <Banner icon="offline">{t.state.offline}</Banner>;
  if (health.value === 'unreachable') return <Banner icon="offline">{t.state.unreachable}</Banner>;
  if (health.value === 'databaseAway') return <Banner icon="alert">{t.state.databaseAway}</Banner>;
  if (live.value === 'lost') {
    return (
      <Banner icon="info" kind="info">
        {t.state.liveLost}
      </Banner>
    );
  }
  return null;
}
