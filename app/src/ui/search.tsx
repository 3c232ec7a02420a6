import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icons.tsx';

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
  const typing = useRef(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = value;
  }, [value]);
  function onInput(text: string) {
    clearTimeout(typing.current);
    typing.current = setTimeout(() => onSearch(text.trim()), TYPING_MS);
  }
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
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
    </div>
  );
}
