import type { ComponentChildren } from 'preact';
import { useContext, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';
import { isOffline } from '../api/service.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from './button.tsx';
import { type Errors, FieldFrame, FormContext, type FrameProps, Notes, notesOf } from './field.tsx';
import { ProblemText } from './states.tsx';

/** The constraints of one field in `api/generated/constraints.ts`. */
interface Rule {
  readonly required?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
}

/** Years of two digits are slips, and browsers wait for up to six unless a field ends before them. */
const [FIRST_MINUTE, LAST_MINUTE] = ['1970-01-01T00:00', '9999-12-31T23:59'];

type Typed = HTMLInputElement | HTMLTextAreaElement;

function complaint(field: Typed): string {
  const { validity } = field;
  if (validity.valueMissing) return t.field.required;
  if (validity.tooShort) return t.field.tooShort(field.minLength);
  if (field instanceof HTMLTextAreaElement) return t.field.pattern;
  if (validity.typeMismatch) return t.field.email;
  if (field.type === 'number') return t.field.range(formatNumber(Number(field.min)), formatNumber(Number(field.max)));
  if (field.type === 'datetime-local') return t.field.moment;
  return t.field.pattern;
}

const lengthOf = (text: string): number => [...text].length;

/** Said at once of what is too long, which stays as it is: nobody would see that its end is gone. */
function useLength(rule: Rule | undefined, value = '') {
  const most = rule?.maxLength ?? Infinity;
  const over = (text: string) => (text.length > most && lengthOf(text) > most ? lengthOf(text) : 0);
  const [length, setLength] = useState(over(value));
  return {
    error: length > 0 ? t.field.tooLong(formatNumber(most), formatNumber(length)) : undefined,
    measure: (text: string) => setLength(over(text)),
  };
}

const mostOf = ({ dataset }: Typed): number => Number(dataset.most ?? Infinity);

// A length is judged by the browser only after typing, so what was filled in for the user is judged here.
const isShort = ({ value, minLength }: Typed) => value !== '' && minLength > 0 && value.length < minLength;

function complaints(form: HTMLFormElement): Errors {
  const fields = [...form.elements].filter((each) => each instanceof HTMLInputElement || each instanceof HTMLTextAreaElement);
  const all = fields.map((field) => {
    const length = lengthOf(field.value);
    if (length > mostOf(field)) return [field.name, t.field.tooLong(formatNumber(mostOf(field)), formatNumber(length))];
    return [field.name, field.validity.valid ? (isShort(field) ? t.field.tooShort(field.minLength) : '') : complaint(field)];
  });
  return Object.fromEntries(all.filter(([, why]) => why !== ''));
}

/**
 * The violations by the fields' names. Paths are the caller's, so they may begin with the argument and with what holds the fields in it.
 * Of an item of a list, its field has the name, and several values.
 */
function violations({ violations: told, details, code, message }: Problem, values: FormData): Errors {
  const all = told.map(({ path, message: why }) => {
    const [, name = '', item] = /^(?:input\.)?(?:change\.)?(.*?)(?:\.(\d+))?$/.exec(path) ?? [];
    return [name, item ? `${String(values.getAll(name)[Number(item)])}: ${why}` : why] as const;
  });
  if (code === 'CONFLICT' && details.path) all.push([details.path, message]);
  return Object.fromEntries(all);
}

interface FormProps {
  /** Sends the form, and answers what went wrong. */
  onSubmit(values: FormData): Promise<Problem | undefined>;
  submit: string;
  /** Its action can't be undone. */
  isDanger?: boolean;
  onCancel?: () => void;
  /** Gets what was typed when the form, or the page, is left. */
  onLeave?: (values: FormData) => void;
  /** Something was typed or chosen in it. */
  onInput?: (form: HTMLFormElement) => void;
  class?: string;
  /** The words for a problem, where the page knows better. */
  explain?: (problem: Problem) => ComponentChildren | undefined;
  children: ComponentChildren;
}

/**
 * A form whose fields keep what was typed, whatever happens: they are not controlled, and are read on submit. Errors
 * stand at the fields that the API's violations name, all others above the button.
 */
export function Form({ onSubmit, submit, isDanger, onCancel, onLeave, onInput, class: className, explain, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Errors>({});
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const leave = useRef(onLeave);
  leave.current = onLeave;
  useLayoutEffect(() => {
    const left = form.current!;
    const tell = () => leave.current?.(new FormData(left));
    addEventListener('pagehide', tell);
    return () => {
      removeEventListener('pagehide', tell);
      tell();
    };
  }, []);

  function show(next: Errors) {
    setErrors(next);
    const wrong = [...form.current!.elements].filter(
      (element) => (element as HTMLInputElement).name in next && (element as HTMLInputElement).type !== 'hidden',
    );
    for (const element of wrong) {
      const fold = element.closest('details');
      if (fold) fold.open = true;
    }
    (wrong[0] as HTMLElement | undefined)?.focus();
  }

  async function send(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy || isOffline.value) return;
    const found = complaints(form.current!);
    setProblem(undefined);
    show(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    const values = new FormData(form.current!);
    const failed = await onSubmit(values);
    setBusy(false);
    if (!failed || !form.current) return;
    const named = violations(failed, values);
    const names = Object.keys(named);
    show(named);
    if (names.length === 0 || names.some((name) => !form.current!.elements.namedItem(name))) setProblem(failed);
  }

  const clear = (name: string) => {
    if (name in errors) setErrors(({ [name]: _gone, ...others }) => others);
  };
  return (
    <FormContext.Provider value={{ errors, clear, isBusy }}>
      <form ref={form} class={className ?? 'form'} noValidate onSubmit={send} onInput={(event) => onInput?.(event.currentTarget)}>
        {children}
        {problem && (
          <div class="form-problem" role="alert">
            {explain?.(problem) ?? <ProblemText problem={problem} />}
          </div>
        )}
        <div class="form-actions">
          {onCancel && (
            <Button kind="quiet" onClick={onCancel}>
              {t.action.cancel}
            </Button>
          )}
          <Button type="submit" kind={isDanger ? 'danger' : 'primary'} isBusy={isBusy} isWrite>
            {submit}
          </Button>
        </div>
      </form>
    </FormContext.Provider>
  );
}

interface FieldProps extends Omit<FrameProps, 'label' | 'children'> {
  label: string;
  rule?: Rule;
  type?: 'text' | 'email' | 'password' | 'number' | 'date' | 'datetime-local' | 'time';
  value?: string;
  autocomplete?: string;
  inputMode?: 'url' | 'email' | 'numeric';
  placeholder?: string;
  isReadOnly?: boolean;
  hasFocus?: boolean;
  /** It is for words of a language, not for names and addresses. */
  isProse?: boolean;
  prefix?: string;
  /** The id of a `datalist`. */
  list?: string;
  onInput?: (value: string) => void;
}

export function Field(props: FieldProps) {
  const { name, label, rule, type = 'text', isOptional, isProse, prefix, onInput } = props;
  const input = useRef<HTMLInputElement>(null);
  const { clear } = useContext(FormContext);
  const [isShown, setShown] = useState(false);
  const isFree = type === 'text' && !isProse;
  const isMoment = type === 'datetime-local';
  const limits = isMoment ? [FIRST_MINUTE, LAST_MINUTE] : type === 'date' ? [FIRST_MINUTE.slice(0, 10), LAST_MINUTE.slice(0, 10)] : [rule?.min, rule?.max];
  const shownType = isShown ? 'text' : type;
  const { error, measure } = useLength(rule, props.value);
  // By keyboard, day, month, year, hour and minute of such a field would have to be deleted one by one.
  function empty() {
    input.current!.value = '';
    input.current!.focus();
    input.current!.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  return (
    <FieldFrame {...props} error={error ?? props.error}>
      {(shared) => (
        <div class="input-group">
          {prefix && <span class="input-prefix">{prefix}</span>}
          <input
            {...shared}
            name={name}
            type={shownType as 'text'}
            dir={type === 'text' ? 'auto' : undefined}
            defaultValue={props.value}
            required={rule?.required && !isOptional}
            minLength={rule?.minLength}
            data-most={rule?.maxLength}
            pattern={rule?.pattern}
            min={limits[0]}
            max={limits[1]}
            autocomplete={props.autocomplete ?? 'off'}
            autocapitalize={isFree ? 'none' : undefined}
            spellcheck={isProse ?? false}
            inputMode={props.inputMode}
            placeholder={props.placeholder}
            list={props.list}
            readOnly={props.isReadOnly}
            // oxlint-disable-next-line no-autofocus -- the one field that the page or dialog was opened for
            autofocus={props.hasFocus}
            ref={(element) => {
              input.current = element;
              if (props.hasFocus) focusOnce(element);
            }}
            onInput={(event) => {
              clear(name);
              measure(event.currentTarget.value);
              onInput?.(event.currentTarget.value);
            }}
          />
          {type === 'password' && (
            <Button
              kind="quiet"
              icon="eye"
              label={isShown ? t.field.hidePassword : t.field.showPassword}
              onClick={() => setShown(!isShown)}
            />
          )}
          {isMoment && <Button kind="quiet" icon="close" label={t.field.empty(label)} onClick={empty} />}
        </div>
      )}
    </FieldFrame>
  );
}

/** For text of several lines. */
type TextAreaProps = Omit<FrameProps, 'children'> & Pick<FieldProps, 'rule' | 'value' | 'onInput' | 'hasFocus'> & { rows?: number };

export function TextArea(props: TextAreaProps) {
  const { name, rule, value, isOptional, rows = 3, onInput, hasFocus } = props;
  const { clear } = useContext(FormContext);
  const { error, measure } = useLength(rule, value);
  return (
    <FieldFrame {...props} error={error}>
      {(shared) => (
        <div class="input-group">
          <textarea
            {...shared}
            name={name}
            dir="auto"
            rows={rows}
            ref={(element) => {
              if (hasFocus) focusOnce(element);
            }}
            defaultValue={value}
            required={rule?.required && !isOptional}
            data-most={rule?.maxLength}
            autocomplete="off"
            onInput={(event) => {
              clear(name);
              measure(event.currentTarget.value);
              onInput?.(event.currentTarget.value);
            }}
          />
        </div>
      )}
    </FieldFrame>
  );
}

/** `autofocus` acts when a page or dialog opens; a field that comes later is focused by hand. */
function focusOnce(input: Typed | null) {
  if (input && !input.dataset.focused) {
    input.dataset.focused = 'true';
    input.focus();
  }
}

interface CheckProps {
  name: string;
  label: string;
  hint?: string;
  isOn?: boolean;
}

export function Check({ name, label, hint, isOn }: CheckProps) {
  const id = useId();
  const { errors, clear } = useContext(FormContext);
  const notes = { id, error: errors[name], hint };
  return (
    <div class="check">
      <input
        id={id}
        name={name}
        type="checkbox"
        defaultChecked={isOn}
        aria-invalid={notes.error ? true : undefined}
        aria-describedby={notesOf(notes)}
        onChange={() => clear(name)}
      />
      <label for={id}>{label}</label>
      <Notes {...notes} />
    </div>
  );
}
