import { live } from '../api/service.ts';
import { t } from '../i18n/index.ts';

/** Says that what is on the page changes by itself, as long as it does. */
export function LiveDot() {
  if (live.value !== 'connected') return null;
  return <span class="live">{t.shell.isLive}</span>;
}
