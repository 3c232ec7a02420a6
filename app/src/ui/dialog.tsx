import type { ComponentChildren, ComponentProps, FunctionComponent, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { returnFocus } from './focus.ts';
import { ProblemText } from './states.tsx';

interface DialogProps {
  title: ComponentChildren;
  /** Absent: only what is in it closes it. */
  onClose?: () => void;
  /** A click beside it does not close it: something may have been typed. */
  keepsInput?: boolean;
  isBare?: boolean;
  class?: string;
  children: ComponentChildren;
}

/** Open as long as it is rendered; the focus returns to where it was. */
export function Dialog({ title, onClose, keepsInput, isBare, class: className, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const closedBy = onClose ? (keepsInput ? 'closerequest' : 'any') : 'none';
  useLayoutEffect(() => {
    const element = dialog.current!;
    element.showModal();
    return () => {
      element.close();
      // The browser gives the focus back itself, unless it came from another dialog, or from what is gone.
      setTimeout(returnFocus);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={className}
      aria-labelledby={id}
      {...{ closedby: closedBy }}
      onCancel={(event) => {
        if (event.target !== dialog.current) return;
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class={isBare ? 'hidden' : 'dialog-head'}>
        <h2 id={id}>{title}</h2>
        {onClose && !isBare && <Button kind="quiet" icon="close" label={t.action.close} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}

/** Opens a dialog in place of the one that is open, which it closes unless `props` say what else is done then. */
export type Open = <Props extends { onClose?(): void }>(
  dialog: FunctionComponent<Props>,
  props: Omit<Props, 'onClose'> & { onClose?: () => void },
) => void;

/** The dialog that is open above a page, if any. Closing one late, after a call, leaves the next open. */
export function useDialog(): { dialog?: VNode; open: Open } {
  const [opened, setOpened] = useState<{ show(onClose: () => void): VNode }>();
  const close = () => setOpened((now) => (now === opened ? undefined : now));
  return {
    dialog: opened?.show(close),
    open: (Content, props) => setOpened({ show: (onClose) => <Content {...({ onClose, ...props } as ComponentProps<typeof Content>)} /> }),
  };
}

interface ConfirmProps {
  title: ComponentChildren;
  text: ComponentChildren;
  confirm: string;
  onConfirm(): Promise<Problem | undefined>;
  onClose(): void;
}

/** Asks before something is lost. Closes once it is done, and says in place why it is not. */
export function Confirm({ title, text, confirm, onConfirm, onClose }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  async function act() {
    setBusy(true);
    const failed = await onConfirm();
    setBusy(false);
    setProblem(failed);
    if (!failed) onClose();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {problem && (
        <div class="form-problem" role="alert">
          <ProblemText problem={problem} />
        </div>
      )}
      <div class="form-actions">
        <Button kind="quiet" onClick={onClose}>
          {t.action.cancel}
        </Button>
        <Button kind="danger" onClick={act} isBusy={isBusy} isWrite>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
