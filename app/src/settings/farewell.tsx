import { Door } from '../access/door.tsx';
import { t } from '../i18n/index.ts';

/** The last page of a user who is deleted. */
export default function Farewell() {
  return (
    <Door title={t.settings.farewell.title} lead={t.settings.farewell.lead}>
      <p class="door-links">
        <a href="/app/register">{t.settings.farewell.again}</a>
        <a href="/app/login">{t.access.login.title}</a>
      </p>
    </Door>
  );
}
