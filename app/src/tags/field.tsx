// The field for the tags of a link.
import { useState } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { FieldFrame } from '../ui/field.tsx';
import { Tokens } from '../ui/tokens.tsx';
import { isSame } from './name.ts';
import { useSuggestions } from './suggestions.tsx';

interface TagsInputProps {
  name: string;
  tags: string[];
  onChange(tags: string[]): void;
  hasFocus?: boolean;
}

/** Each tag with a button that takes it away, and an input for more. */
export function TagsInput({ tags, ...shared }: TagsInputProps & { id: string }) {
  const { names, look } = useSuggestions();
  const has = (tag: string) => tags.some((each) => isSame(each, tag));
  return (
    <Tokens
      {...shared}
      label={t.tags.title}
      words={t.tags.field}
      values={tags}
      names={names.filter((each) => !has(each))}
      look={look}
      isSame={isSame}
    />
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
