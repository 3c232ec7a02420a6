import type { ComponentChildren } from 'preact';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string; href: string; dataKey?: string }[];
  /** The current tab. Undefined: the page shows something else. */
  current?: Id;
  children?: ComponentChildren;
}

/** Views of one page. Each has its address, so that it can be linked, opened elsewhere and gone back from. */
export function Tabs<Id extends string>({ label, tabs, current }: TabsProps<Id>) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ id, label: text, href, dataKey }) => (
        <a key={id} href={href} aria-current={id === current ? 'page' : undefined} data-key={dataKey}>
          {text}
        </a>
      ))}
    </nav>
  );
}
