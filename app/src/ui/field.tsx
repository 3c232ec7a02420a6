// What all fields have, and the one to choose from a few.
import { createContext, type ComponentChildren } from 'preact';
import { useContext, useId } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Icon } from './icons.tsx';

export type Errors = Record<string, string>;

export const FormContext = createContext<{ errors: Errors; clear(name: string): void; isBusy: boolean }>({
  errors: {},
  clear: () => undefined,
  isBusy: false,
});

export interface FrameProps {
  name: string;
  label: ComponentChildren;
  hint?: ComponentChildren;
  isOptional?: boolean;
  /** The label is read, not shown. */
  isBare?: boolean;
  /** Its error, for a field outside of a form. */
  error?: string;
  children: (shared: { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string }) => ComponentChildren;
}

interface NotesProps {
  id: string;
  error?: string;
  hint?: ComponentChildren;
}

/** The ids of the notes of a field. */
export const notesOf = ({ id, error, hint }: NotesProps): string | undefined =>
  [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;

export function Notes({ id, error, hint }: NotesProps) {
  return (
    <>
      {error && (
        <p class="field-error" id={`${id}-error`}>
          <Icon name="alert" />
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </>
  );
}

/** The frame of each field: its label, its error, and a hint. */
export function FieldFrame({ name, label, hint, isOptional, isBare, error: given, children }: FrameProps) {
  const id = useId();
  const { errors } = useContext(FormContext);
  const notes = { id, error: given ?? errors[name], hint };
  return (
    <div class="field">
      <label for={id} class={isBare ? 'hidden' : undefined}>
        {label} {isOptional && <span class="muted">({t.field.optional})</span>}
      </label>
      {children({ id, 'aria-invalid': notes.error ? true : undefined, 'aria-describedby': notesOf(notes) })}
      <Notes {...notes} />
    </div>
  );
}

interface SelectProps<Value extends string> extends Pick<FrameProps, 'label' | 'hint' | 'isBare'> {
  name?: string;
  value?: Value;
  options: readonly { value: Value; label: string }[];
  onChange?: (value: Value) => void;
}

export function Select<Value extends string>({ name, value, options, onChange, ...frame }: SelectProps<Value>) {
  const { clear } = useContext(FormContext);
  return (
    <FieldFrame {...frame} name={name ?? ''}>
      {(shared) => (
        <select
          {...shared}
          name={name}
          value={value}
          onChange={(event) => {
            if (name) clear(name);
            onChange?.(event.currentTarget.value as Value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} dir="auto">
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
