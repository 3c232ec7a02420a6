import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { useTyped } from './typed.ts';

const TYPING_MS = 200;

interface SearchProps {
  label: string;
  placeholder?: string;
  value: string;
  maxLength: number;
  onSearch(text: string): void;
}

/** Searches while it is typed into; `/` leads to it. */
export function SearchField({ label, placeholder, value, maxLength, onSearch }: SearchProps) {
  const { type } = useTyped(async (text: string) => onSearch(text.trim()) as undefined, TYPING_MS);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        defaultValue={value}
        data-key="/"
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </div>
  );
}
