import { useEffect } from 'preact/hooks';
import { t } from '../i18n/index.ts';

/** Sets the page's title in the tab and in the history. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${t.app}`;
  }, [title]);
}
