import { signal } from '@preact/signals';
import { graphql } from '../api/generated/gql.ts';
import { health, isOnline, live } from '../api/service.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { user } from '../session/session.ts';
import { Banner } from '../ui/states.tsx';
import { onDemand } from './lazy.tsx';

const MAIL = graphql(`
  query Mail {
    instance {
      isMailConfigured
    }
  }
`);

const Unproved = onDemand(() => import('../access/dialogs.ts'), (dialogs) => dialogs.Unproved, 'session');

/** What says that the banner for the proof of the user's address was put away, in this tab, until its session ends. */
const PUT_AWAY = 'linkgraph.unproved';
const isPutAway = signal(sessionStorage.getItem(PUT_AWAY) !== null);

function putAway(): void {
  sessionStorage.setItem(PUT_AWAY, 'put-away');
  isPutAway.value = true;
}

/** Nobody is asked to prove an address by a mail that the service can't send. */
function IfMailed() {
  const { data } = useData(MAIL, {});
  return data?.instance.isMailConfigured ? <Unproved onClose={putAway} /> : null;
}

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
  if (user.value?.emailVerifiedAt === null && !isPutAway.value) return <IfMailed />;
  return null;
}
