// The field for the tags of a link.
import { useContext, useId, useRef, useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { FieldFrame, FormContext } from '../ui/field.tsx';
import { isSame } from './name.ts';
import { Suggestions, useSuggestions } from './suggestions.tsx';

interface TagsInputProps {
  name: string;
  tags: string[];
  onChange(tags: string[]): void;
  hasFocus?: boolean;
}

/**
 * Each tag with a button that takes it away, and an input: Enter, a comma, or the choice of a suggestion adds what is typed, Backspace in
 * the empty one takes away the last. What is typed and not added is one of the form's values, too.
 */
export function TagsInput({ name, tags, onChange, hasFocus, ...shared }: TagsInputProps & { id: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [said, say] = useState('');
  const { names, look } = useSuggestions();
  const list = useId();
  const { clear } = useContext(FormContext);
  const has = (tag: string) => tags.some((each) => isSame(each, tag));

  function add(texts: string[]) {
    const added: string[] = [];
    for (const text of texts.map((each) => each.trim())) {
      if (text !== '' && ![...tags, ...added].some((each) => isSame(each, text))) added.push(text);
    }
    if (added.length > 0) {
      onChange([...tags, ...added]);
      say(t.tags.field.added(added.join(', ')));
    }
    clear(name);
    look('');
  }
  function remove(tag: string) {
    onChange(tags.filter((each) => each !== tag));
    say(t.tags.field.removed(tag));
    clear(name);
    input.current!.focus();
  }

  function onInput({ currentTarget, inputType }: InputEvent & { currentTarget: HTMLInputElement }) {
    const texts = currentTarget.value.split(',');
    const isChosen = (!inputType || inputType === 'insertReplacementText') && names.includes(currentTarget.value);
    const rest = isChosen ? '' : texts.pop()!;
    clear(name);
    if (texts.length === 0) {
      look(rest);
      return;
    }
    add(texts);
    currentTarget.value = rest.trimStart();
  }
  function onKeyDown(event: KeyboardEvent) {
    const { value } = input.current!;
    if (event.isComposing) return;
    if (event.key === 'Enter' && value.trim() !== '') {
      event.preventDefault();
      input.current!.value = '';
      add([value]);
    } else if (event.key === 'Backspace' && value === '' && tags.length > 0) remove(tags.at(-1)!);
  }

  return (
    <div class="input-group tags-input">
      {tags.length > 0 && (
        <ul class="picked" aria-label={t.tags.title}>
          {tags.map((tag) => (
            <li key={tag} class="chip">
              <span dir="auto" title={tag}>{tag}</span>
              <Button kind="quiet" icon="close" label={t.tags.field.remove(tag)} onClick={() => remove(tag)} />
              <input type="hidden" name={name} value={tag} />
            </li>
          ))}
        </ul>
      )}
      <input
        {...shared}
        ref={input}
        name={name}
        list={list}
        // oxlint-disable-next-line no-autofocus -- the one field that the dialog was opened for
        autofocus={hasFocus}
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        onFocus={() => look('')}
        onInput={onInput}
        onKeyDown={onKeyDown}
      />
      <Suggestions id={list} names={names.filter((each) => !has(each))} />
      <span class="hidden" role="status">
        {said}
      </span>
    </div>
  );
}

interface TagsFieldProps {
  name: string;
  label: string;
  hint?: string;
  /** The tags that a link has when the form opens. */
  value?: string[];
  isOptional?: boolean;
  hasFocus?: boolean;
}

export function TagsField({ value = [], hasFocus, ...field }: TagsFieldProps) {
  const [tags, setTags] = useState(value);
  return <FieldFrame {...field}>{(shared) => <TagsInput {...shared} name={field.name} tags={tags} onChange={setTags} hasFocus={hasFocus} />}</FieldFrame>;
}
