import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import lazy from 'preact-iso/lazy';
import { unreachable } from '../api/problem.ts';
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

/**
 * A module, or nothing if it can't be fetched. After an upgrade of the service its file has another name: then the whole page is
 * loaded anew, once, which gets the new version.
 */
async function fetched<Module>(load: () => Promise<Module>, parts: Part[] = []): Promise<Module | undefined> {
  try {
    const [module] = await Promise.all([load(), needWords(parts)]);
    return module;
  } catch {
    // The text of the function has the name of the file.
    const file = String(load);
    if (sessionStorage.getItem(RELOADED) === file || !(await isServed())) return undefined;
    sessionStorage.setItem(RELOADED, file);
    location.reload();
    return new Promise<never>(() => undefined);
  }
}

/** A page that is fetched when it is first shown, with the parts of the words that it needs. */
export function page<Component>(load: () => Promise<{ default: Component }>, ...parts: Part[]) {
  return lazy<Component>(async () => (await fetched(load, parts)) ?? { default: NotFetched as Component });
}

/**
 * A dialog, or another part that is opened, of a module: fetched soon after the page, or when it is opened, if that is earlier, with the
 * parts of the words that the page lacks. `onClose` is called if it can't be fetched.
 */
export function onDemand<Module, Props extends { onClose?(): void }>(
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
        if (module) setContent(() => pick(module));
        else {
          complain(unreachable());
          props.onClose?.();
        }
      });
      return () => {
        isWanted = false;
      };
    }, []);
    return Content ? <Content {...props} /> : null;
  };
}
