import type { ComponentChildren } from 'preact';
import { Button } from '../ui/button.tsx';

interface FactProps {
  label: string;
  /** The word on its button. */
  action: string;
  /** Its accessible name, where the word is not enough. */
  actionLabel?: string;
  isBusy?: boolean;
  onAct(): void;
  /** What is to be done about it, below. */
  note?: ComponentChildren;
  children: ComponentChildren;
}

/** One thing that can be changed, with the button for it. */
export function Fact({ label, action, actionLabel, isBusy, onAct, note, children }: FactProps) {
  return (
    <div class="fact">
      <dt>{label}</dt>
      <dd dir="auto">{children}</dd>
      <dd>
        <Button isWrite label={actionLabel} isBusy={isBusy} onClick={onAct}>
          {action}
        </Button>
      </dd>
      {note && <dd class="fact-note">{note}</dd>}
    </div>
  );
}
