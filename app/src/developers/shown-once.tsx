import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { copy, CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Banner } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';

interface ShownOnceProps {
  title: string;
  label: string;
  secret: string;
  onClose(): void;
  children: ComponentChildren;
}

/** A secret that is never shown again: closes only after it is said that it was stored. */
export function ShownOnce({ title, label, secret, onClose, children }: ShownOnceProps) {
  const [isStored, setStored] = useState(false);
  const id = useId();
  async function act() {
    say((await copy(secret)) ? t.copied : t.copyByHand);
  }
  return (
    <Dialog title={title} class="wide">
      <Banner icon="alert">{t.developers.shownOnce.warning}</Banner>
      <div class="field">
        <label for={id}>{label}</label>
        <div class="secret">
          <div class="input-group">
            <input
              id={id}
              value={secret}
              readOnly
              spellcheck={false}
              // oxlint-disable-next-line no-autofocus -- it is what the dialog is for
              autofocus
              onFocus={(event) => event.currentTarget.select()}
            />
          </div>
          <Button kind="primary" icon="copy" onClick={() => void act()}>
            {t.developers.shownOnce.copy}
          </Button>
        </div>
      </div>
      {children}
      <div class="shown-once-end">
        <div class="check">
          <input
            id={`${id}-stored`}
            type="checkbox"
            checked={isStored}
            onChange={(event) => setStored(event.currentTarget.checked)}
          />
          <label for={`${id}-stored`}>{t.developers.shownOnce.confirm}</label>
        </div>
        <Button kind="primary" isDisabled={!isStored} onClick={onClose}>
          {t.developers.shownOnce.done}
        </Button>
      </div>
    </Dialog>
  );
}

/** Text to be copied into a terminal or a program. */
export function Code({ text, copyLabel }: { text: string; copyLabel: string }) {
  return (
    <div class="code">
      {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reachable by keyboard */}
      <pre dir="auto" tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={copyLabel} isUnsaid />
    </div>
  );
}
