import type { ComponentChildren } from 'preact';
import { isOffline } from '../api/service.ts';
import { t } from '../i18n/index.ts';
import { may, type Scope } from '../session/role.ts';
import { Icon, type IconName } from './icons.tsx';

interface Look {
  kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  icon?: IconName;
  /** Its accessible name, where its children have too few words, or none. */
  label?: string;
  /** It is there for roles that have this scope alone. */
  needs?: Scope;
  children?: ComponentChildren;
}

const looks = ({ kind = 'plain', label, children }: Look, more?: string): string =>
  ['button', kind, label && !children && 'icon-only', more].filter(Boolean).join(' ');

interface ButtonProps extends Look {
  type?: 'button' | 'submit';
  isBusy?: boolean;
  isDisabled?: boolean;
  /** It changes something at the service: disabled, with the reason, while that can't be reached. */
  isWrite?: boolean;
  onClick?: (event: MouseEvent) => void;
  class?: string;
  dataKey?: string;
  /** Whether `j` and `k` focus it in its row. */
  isOpener?: boolean;
  /** Reached by its shortcut alone, as there is the same in a menu. */
  isForKey?: boolean;
}

export function Button(props: ButtonProps) {
  const { type = 'button', icon, label, children, isBusy, isDisabled, isWrite, onClick, dataKey, isOpener, isForKey } = props;
  const isHeldBack = isWrite && isOffline.value;
  const isOff = isDisabled || isHeldBack;
  if (!may(props.needs)) return null;
  return (
    <button
      type={type}
      class={looks(props, isForKey ? 'for-key' : props.class)}
      aria-label={label}
      title={isHeldBack ? t.state.writesOff : label}
      // Not `disabled`: it would lose the focus, and nobody could ask it by keyboard why.
      aria-disabled={isOff || undefined}
      aria-busy={isBusy}
      onClick={isBusy || isOff ? undefined : onClick}
      data-key={dataKey}
      data-open={isOpener}
      tabIndex={isForKey ? -1 : undefined}
      aria-hidden={isForKey}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export function LinkButton(props: Look & { href: string; isExternal?: boolean; dataKey?: string; onClick?: () => void }) {
  const { href, icon, label, children, isExternal, dataKey, onClick } = props;
  if (!may(props.needs)) return null;
  const external = isExternal && { target: '_blank', rel: 'noreferrer' };
  return (
    <a href={href} class={looks(props)} aria-label={label} title={label} data-key={dataKey} onClick={onClick} {...external}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}
