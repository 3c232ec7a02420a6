import lazy from 'preact-iso/lazy';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';

const RELOADED = 'linkgraph.reloaded';

/** Whether it is worth loading the page anew. Of a service that is down nothing would come back, not even what was typed. */
const isServed = (): Promise<boolean> => fetch('/app', { method: 'HEAD' }).then(({ ok }) => ok, () => false);

function NotFetched() {
  return (
    <>
      <h1 class="hidden">{t.problem.title}</h1>
      <EmptyState icon="alert" title={t.shell.notFetched} hint={t.problem.UNREACHABLE}>
        <Button onClick={() => location.reload()}>{t.action.retry}</Button>
      </EmptyState>
    </>
  );
}

/**
 * A page, or a part of one, that is fetched when it is first shown. After an upgrade of the service its file has another
 * name: then the whole page is loaded anew, once, which gets the new version.
 */
export function page<Component>(load: () => Promise<{ default: Component }>) {
  return lazy<Component>(async () => {
    try {
      const module = await load();
      sessionStorage.removeItem(RELOADED);
      return module;
    } catch {
      if (sessionStorage.getItem(RELOADED) || !(await isServed())) return { default: NotFetched as Component };
      sessionStorage.setItem(RELOADED, '1');
      location.reload();
      return new Promise<never>(() => undefined);
    }
  });
}
