import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { isOffline } from '../api/service.ts';
import { t } from '../i18n/index.ts';
import { may, type Scope } from '../session/role.ts';
import { Icon, type IconName } from './icons.tsx';

interface MenuProps {
  label: string;
  icon?: IconName;
  children: ComponentChildren;
  /** The content of the button, instead of an icon. */
  face?: ComponentChildren;
}

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** A button that opens a list of actions, which the browser places, closes on Esc and on a click elsewhere. */
export function Menu({ label, icon = 'more', face, children }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const items = () => [...menu.current!.querySelectorAll<HTMLElement>('[role^="menuitem"]')];

  function move(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const all = items();
    all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus();
  }

  /** The browser focuses what says so when it opens the menu: a key that follows at once finds it open. */
  function focusFirst() {
    const first = items()[0];
    if (first) first.autofocus = true;
  }

  return (
    <>
      <button
        type="button"
        class="button quiet icon-only"
        aria-haspopup="menu"
        aria-label={label}
        title={label}
        {...{ popovertarget: id }}
      >
        {face ?? <Icon name={icon} />}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        class="menu"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={move}
        onBeforeToggle={focusFirst}
        // Before the action, which may open a dialog: that gives the focus back to the button, not to what is hidden.
        onClickCapture={(event) => (event.target as Element).closest('[role^="menuitem"]:not([aria-disabled])') && menu.current!.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

interface ItemProps {
  icon?: IconName;
  kind?: 'danger';
  href?: string;
  onSelect?: () => void;
  isChecked?: boolean;
  /** It changes something at the service: disabled, with the reason, while that can't be reached. */
  isWrite?: boolean;
  /** It is there for roles that have this scope alone. */
  needs?: Scope;
  dataKey?: string;
  children: ComponentChildren;
}

export function MenuItem({ icon, kind, href, onSelect, isChecked, isWrite, needs, dataKey, children }: ItemProps) {
  if (!may(needs)) return null;
  const isHeldBack = isWrite && isOffline.value;
  const shared = {
    class: `menu-item ${kind ?? ''}`,
    role: isChecked === undefined ? ('menuitem' as const) : ('menuitemradio' as const),
    'aria-checked': isChecked,
    // Not `disabled`: the arrow keys still lead to it, so that the reason can be read.
    'aria-disabled': isHeldBack || undefined,
    title: isHeldBack ? t.state.writesOff : undefined,
    'data-key': dataKey,
    tabIndex: -1,
  };
  const inner = (
    <>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {isChecked && <Icon name="check" />}
    </>
  );
  return href ? (
    <a {...shared} href={href}>
      {inner}
    </a>
  ) : (
    <button type="button" {...shared} onClick={isHeldBack ? undefined : onSelect}>
      {inner}
    </button>
  );
}
