import { useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { naming } from './naming.tsx';
import { say } from './toast.tsx';

/** The way of pages on plain http, which have no clipboard of their own: what is selected is copied. */
function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.className = 'hidden';
  field.readOnly = true;
  field.value = text;
  const before = document.activeElement as HTMLElement | null;
  // Below an open dialog nothing can be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  before?.focus();
  return isCopied;
}

export async function copy(text: string): Promise<boolean> {
  if (!isSecureContext) return copySelected(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  );
}

const selectAll = (input: HTMLInputElement | null) => {
  if (!input || input === document.activeElement) return;
  input.focus();
  input.select();
};

interface CopyProps {
  text: string;
  label: string;
  dataKey?: string;
  /** The text is long or secret, so the message does not repeat it. */
  isUnsaid?: boolean;
  children?: string;
}

export function CopyButton({ text, label, dataKey, isUnsaid, children }: CopyProps) {
  const [isDone, setDone] = useState(false);
  const [isByHand, setByHand] = useState(false);
  async function act() {
    const isCopied = await copy(text);
    say(isCopied ? (isUnsaid ? t.copied : naming(t.copiedText, text)) : t.copyByHand);
    setByHand(!isCopied);
    setDone(isCopied);
    setTimeout(() => setDone(false), 1500);
  }
  if (isByHand) {
    return (
      <input
        class="by-hand"
        aria-label={t.copyByHand}
        title={t.copyByHand}
        value={text}
        readOnly
        ref={selectAll}
        onBlur={() => setByHand(false)}
      />
    );
  }
  return (
    <Button
      kind={children ? 'plain' : 'quiet'}
      icon={isDone ? 'check' : 'copy'}
      label={children ? undefined : label}
      dataKey={dataKey}
      onClick={() => void act()}
    >
      {children}
    </Button>
  );
}
