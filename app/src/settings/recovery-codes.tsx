import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { user } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { save } from '../ui/save.ts';
import { Banner } from '../ui/states.tsx';

const FILE = 'linkgraph-recovery-codes.txt';

/** Codes that are never shown again: closes only after it is said that they were kept. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const words = t.settings.security;
  const [isKept, setKept] = useState(false);
  const id = useId();
  const list = `${codes.join('\n')}\n`;
  const download = () => save(new Blob([`${words.codesFor(user.value?.email ?? '')}\n\n${list}`], { type: 'text/plain' }), FILE);
  return (
    <Dialog title={words.codesTitle}>
      <Banner icon="alert">{words.codesWarning}</Banner>
      <ol class="recovery-codes" aria-label={words.recovery}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div class="form-actions start">
        <CopyButton text={list} label={t.action.copy} isUnsaid>
          {t.action.copy}
        </CopyButton>
        <Button icon="download" onClick={download}>
          {words.download}
        </Button>
      </div>
      <div class="check">
        <input id={id} type="checkbox" checked={isKept} onChange={(event) => setKept(event.currentTarget.checked)} />
        <label for={id}>{words.kept}</label>
      </div>
      <div class="form-actions">
        <Button kind="primary" isDisabled={!isKept} onClick={onClose}>
          {words.done}
        </Button>
      </div>
    </Dialog>
  );
}
