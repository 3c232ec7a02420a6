// An input for several values, each with a button that takes it away.
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { FormContext } from './field.tsx';

interface TokensProps {
  id: string;
  'aria-invalid'?: true;
  'aria-describedby'?: string;
  name: string;
  /** Names the list of values. */
  label: string;
  words: { remove(name: string): string; added(names: string): string; removed(name: string): string };
  values: string[];
  onChange(values: string[]): void;
  /** Offered while typing. */
  names: string[];
  look?: (text: string) => void;
  isSame(a: string, b: string): boolean;
  /** A value as it is read. */
  show?: (value: string) => string;
  /** What is typed, as a value. Undefined: it is none, and stays in the input. */
  read?: (text: string) => string | undefined;
  /** What is typed is a value, too, once the input is left. */
  addsOnBlur?: boolean;
  hasFocus?: boolean;
}

/**
 * Enter, a comma, or the choice of a suggestion adds what is typed, Backspace in the empty input takes away the last. What is typed and not
 * added is one of the form's values, too.
 */
export function Tokens(props: TokensProps) {
  const { name, label, words, values, onChange, names, look, isSame, show = String, read = String, addsOnBlur, hasFocus } = props;
  const input = useRef<HTMLInputElement>(null);
  const [said, say] = useState('');
  const list = useId();
  const { clear } = useContext(FormContext);

  /** Answers what is none. */
  function add(texts: string[]): string {
    const added: string[] = [];
    const left: string[] = [];
    for (const text of texts.map((each) => each.trim()).filter((each) => each !== '')) {
      const value = read(text);
      if (value === undefined) left.push(text);
      else if (![...values, ...added].some((each) => isSame(each, value))) added.push(value);
    }
    if (added.length > 0) {
      onChange([...values, ...added]);
      say(words.added(added.map(show).join(', ')));
    }
    clear(name);
    look?.('');
    return left.join(', ');
  }
  function remove(value: string) {
    onChange(values.filter((each) => each !== value));
    say(words.removed(show(value)));
    clear(name);
    input.current!.focus();
  }

  function onInput({ currentTarget, inputType }: InputEvent & { currentTarget: HTMLInputElement }) {
    const texts = currentTarget.value.split(',');
    const isChosen = (!inputType || inputType === 'insertReplacementText') && names.includes(currentTarget.value);
    const rest = isChosen ? '' : texts.pop()!;
    clear(name);
    if (texts.length === 0) {
      look?.(rest);
      return;
    }
    currentTarget.value = [add(texts), rest.trimStart()].filter((each) => each !== '').join(', ');
  }
  function onKeyDown(event: KeyboardEvent) {
    const { value } = input.current!;
    if (event.isComposing) return;
    if (event.key === 'Enter' && value.trim() !== '') {
      event.preventDefault();
      input.current!.value = '';
      input.current!.value = add([value]);
    } else if (event.key === 'Backspace' && value === '' && values.length > 0) remove(values.at(-1)!);
  }

  return (
    <div class="input-group tokens">
      {values.length > 0 && (
        <ul class="picked" aria-label={label}>
          {values.map((value) => (
            <li key={value} class="chip">
              <span dir="auto" title={show(value)}>
                {show(value)}
              </span>
              <Button kind="quiet" icon="close" label={words.remove(show(value))} onClick={() => remove(value)} />
              <input type="hidden" name={name} value={value} />
            </li>
          ))}
        </ul>
      )}
      <input
        id={props.id}
        aria-invalid={props['aria-invalid']}
        aria-describedby={props['aria-describedby']}
        ref={input}
        name={name}
        list={list}
        // oxlint-disable-next-line no-autofocus -- the one field that the dialog was opened for
        autofocus={hasFocus}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        onFocus={() => look?.('')}
        onBlur={({ currentTarget }) => {
          if (addsOnBlur) currentTarget.value = add([currentTarget.value]);
        }}
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
      <datalist id={list}>
        {names.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </datalist>
      <span class="hidden" role="status">
        {said}
      </span>
    </div>
  );
}
