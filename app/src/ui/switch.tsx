import { useEffect, useState } from 'preact/hooks';
import { isOffline } from '../api/service.ts';
import { t } from '../i18n/index.ts';

interface SwitchProps {
  label: string;
  isOn: boolean;
  /** Answers whether it was changed; otherwise the switch goes back. */
  onChange(isOn: boolean): Promise<boolean>;
  isDisabled?: boolean;
  /** The words beside it; its label says more. */
  children?: string;
}

/** Follows the hand at once, and the service when it answers. */
export function Switch({ label, isOn, onChange, isDisabled, children }: SwitchProps) {
  const [shown, setShown] = useState(isOn);
  useEffect(() => setShown(isOn), [isOn]);
  async function change(next: boolean) {
    setShown(next);
    if (!(await onChange(next))) setShown(!next);
  }
  const input = (
    <input
      type="checkbox"
      role="switch"
      class="switch"
      aria-label={label}
      title={isOffline.value ? t.state.writesOff : label}
      checked={shown}
      disabled={isDisabled || isOffline.value}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
  return children ? (
    <label class="switch-label">
      {input}
      {children}
    </label>
  ) : (
    input
  );
}
