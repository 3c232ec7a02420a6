import { useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { say } from '../ui/toast.tsx';
import { stop } from './sending.ts';

/** Ends an import, wherever it was begun. */
export function StopButton({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false);
  const its = t.imports;
  async function act() {
    const problem = await stop(id);
    if (!problem) say(its.stopped);
    return problem;
  }
  return (
    <>
      <Button isWrite onClick={() => setAsked(true)}>
        {its.stop}
      </Button>
      {isAsked && (
        <Confirm title={its.stopTitle} text={its.stopText} confirm={its.stop} onConfirm={act} onClose={() => setAsked(false)} />
      )}
    </>
  );
}
