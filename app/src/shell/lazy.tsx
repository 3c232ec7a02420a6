import type { FunctionComponent } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { UNREACHABLE, unreachable } from '../api/problem.ts';
import { health, isOnline, note, recoveries } from '../api/service.ts';
import { needWords, t } from '../i18n/index.ts';
import type { Part } from '../i18n/parts.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/states.tsx';
import { complain } from '../ui/toast.tsx';

/** The file for which the page was loaded anew. */
const RELOADED = 'linkgraph.reloaded';
/** Delay before a part is loaded in advance, in milliseconds, so that the page's own requests come first. */
const SOON_MS = 1000;

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

/** A page whose file could not be fetched, since the line or the service was away: when they are back, it comes by itself. */
function notYetFetched() {
  let isFirst = true;
  return function NotYetFetched() {
    const before = useRef(recoveries.value);
    useEffect(() => {
      // All may be well again when somebody comes back to it.
      if (isFirst || !isOnline.value || health.value !== 'ready') note(UNREACHABLE);
      else location.reload();
      isFirst = false;
    }, []);
    useEffect(() => {
      if (recoveries.value !== before.current) location.reload();
    }, [recoveries.value]);
    return <NotFetched />;
  };
}

/**
 * A module, or why it can't be fetched. After an upgrade of the service its file has another name: then the whole page is
 * loaded anew, once, which gets the new version.
 */
async function fetched<Module extends object>(load: () => Promise<Module>, parts: Part[] = []): Promise<Module | 'gone' | 'away'> {
  try {
    const [module] = await Promise.all([load(), needWords(parts)]);
    return module;
  } catch {
    // The text of the function has the name of the file.
    const file = String(load);
    if (!(await isServed())) return 'away';
    if (sessionStorage.getItem(RELOADED) === file) return 'gone';
    sessionStorage.setItem(RELOADED, file);
    location.reload();
    return new Promise<never>(() => undefined);
  }
}

/** A page that is fetched when it is first shown, with the parts of the words that it needs. */
export function page<Component>(load: () => Promise<{ default: Component }>, ...parts: Part[]) {
  return lazy<Component>(async () => {
    const module = await fetched(load, parts);
    if (typeof module === 'object') return module;
    return { default: (module === 'away' ? notYetFetched() : NotFetched) as Component };
  });
}

/**
 * A dialog, or another part that is opened, of a module: fetched soon after the page, or when it is opened, if that is earlier, with the
 * parts of the words that the page lacks. Its `onClose`, if it has one, is called if it can't be fetched.
 */
export function onDemand<Module extends object, Props extends object>(
  load: () => Promise<Module>,
  pick: (module: Module) => FunctionComponent<Props>,
  ...parts: Part[]
) {
  setTimeout(() => void load().then(() => needWords(parts)).catch(() => undefined), SOON_MS);
  return function OnDemand(props: Props) {
    const [Content, setContent] = useState<FunctionComponent<Props>>();
    useLayoutEffect(() => {
      let isWanted = true;
      void fetched(load, parts).then((module) => {
        if (!isWanted) return;
        if (typeof module === 'object') setContent(() => pick(module));
        else {
          complain(unreachable());
          (props as { onClose?(): void }).onClose?.();
        }
      });
      return () => {
        isWanted = false;
      };
    }, []);
    return Content ? <Content {...props} /> : null;
  };
}
