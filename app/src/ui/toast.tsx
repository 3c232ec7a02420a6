import { signal } from '@preact/signals';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icons.tsx';
import { ProblemText } from './states.tsx';

interface Toast {
  id: number;
  text?: string;
  problem?: Problem;
}

const SHOWN_MS = 5000;
const toasts = signal<Toast[]>([]);
let count = 0;

const dismiss = (id: number) => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

function add(toast: Omit<Toast, 'id'>): number {
  count += 1;
  toasts.value = [...toasts.value.slice(-2), { id: count, ...toast }];
  return count;
}

/** Says that something is done, and goes away. */
export function say(text: string): void {
  const id = add({ text });
  setTimeout(() => dismiss(id), SHOWN_MS);
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
      {shown.map(({ id, text, problem }) => (
        <div key={id} class={problem ? 'toast error' : 'toast'}>
          <Icon name={problem ? 'alert' : 'check'} />
          <div>{problem ? <ProblemText problem={problem} /> : text}</div>
          <Button kind="quiet" icon="close" label={t.action.close} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
