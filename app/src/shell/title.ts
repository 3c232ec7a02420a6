import { useEffect } from 'preact/hooks';
import { t } from '../i18n/index.ts';

/** What the tab, and the history, call this page. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t.app}`;
  }, [title]);
}
