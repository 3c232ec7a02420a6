import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';
import { ProblemText } from './states.tsx';

export interface Undo {
  /** Takes it back. */
  undo(): void;
  /** It can't be taken back any more: the time is over, or the message was closed. */
  end?(): void;
}

interface Toast {
  id: number;
  text?: ComponentChildren;
  problem?: Problem;
  undo?: Undo;
}

const SHOWN_MS = 5000;
/** How long something can be taken back, in milliseconds. */
const UNDO_MS = 10_000;
const toasts = signal<Toast[]>([]);
let count = 0;

/** Takes a message away, and answers it, if it was still there. */
function take(id: number): Toast | undefined {
  const taken = toasts.value.find((toast) => toast.id === id);
  toasts.value = toasts.value.filter((toast) => toast !== taken);
  return taken;
}

const dismiss = (id: number): void => take(id)?.undo?.end?.();

function add(toast: Omit<Toast, 'id'>): number {
  count += 1;
  // What can be taken back stays for its whole time.
  const before = toasts.value.filter(({ undo }, at, all) => undo || at >= all.length - 2);
  toasts.value = [...before, { id: count, ...toast }];
  return count;
}

/** Says that something is done, and goes away. With `undo`, it can be taken back for ten seconds. */
export function say(text: ComponentChildren, undo?: Undo): void {
  const id = add({ text, undo });
  setTimeout(() => dismiss(id), undo ? UNDO_MS : SHOWN_MS);
}

/** Takes back what was done last, if that can be. */
export function undoLast(): void {
  const last = toasts.value.findLast(({ undo }) => undo);
  if (last) take(last.id)?.undo?.undo();
}

/** Says what went wrong where no form shows it; stays until it is closed. */
export function complain(problem: Problem): void {
  add({ problem });
}

/** Above everything, dialogs too: it is a popover, and comes to the front with each message. */
export function Toasts() {
  const shown = toasts.value;
  return (
    <div
      class="toasts"
      popover="manual"
      role="status"
      aria-live="polite"
      ref={(element) => {
        if (!element) return;
        if (element.matches(':popover-open')) element.hidePopover();
        if (shown.length > 0) element.showPopover();
      }}
    >
      {shown.map(({ id, text, problem, undo }) => (
        <div key={id} class={problem ? 'toast error' : 'toast'}>
          <Icon name={problem ? 'alert' : 'check'} />
          <div>{problem ? <ProblemText problem={problem} /> : text}</div>
          {undo && (
            <Button isWrite onClick={() => take(id)?.undo?.undo()}>
              {t.action.undo}
            </Button>
          )}
          <Button kind="quiet" icon="close" label={t.action.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
