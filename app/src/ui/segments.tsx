import { useId } from 'preact/hooks';
import { Icon, type IconName } from './icons.tsx';

interface SegmentsProps<Value extends string> {
  /** Read, not shown. */
  label: string;
  name: string;
  value: Value;
  options: readonly { value: Value; label: string; note?: string; icon?: IconName; dataKey?: string }[];
  onChange?: (value: Value) => void;
}

/** One of a few, all in sight: radio buttons, so that arrows move between them. */
export function Segments<Value extends string>({ label, name, value, options, onChange }: SegmentsProps<Value>) {
  const id = useId();
  return (
    <fieldset class="segments">
      <legend class="hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} for={`${id}-${option.value}`}>
          <input
            id={`${id}-${option.value}`}
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            data-key={option.dataKey}
            onChange={() => onChange?.(option.value)}
          />
          {option.icon && <Icon name={option.icon} />}
          <span>{option.label}</span>
          {option.note && <span class="segment-note">{option.note}</span>}
        </label>
      ))}
    </fieldset>
  );
}
