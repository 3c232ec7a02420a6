import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface FoldProps {
  label: string;
  isOpenFirst?: boolean;
  /** Made when it is first opened, and kept, with what is typed in it. `close` takes it away. */
  content: (close: () => void) => ComponentChildren;
  /** What is there before. */
  children?: ComponentChildren;
}

export function Fold({ label, isOpenFirst = false, content, children }: FoldProps) {
  const [isOpen, setOpen] = useState(isOpenFirst);
  const [isMade, setMade] = useState(isOpenFirst);
  function close() {
    setOpen(false);
    setMade(false);
  }
  return (
    <details
      class="more"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
        if (currentTarget.open) setMade(true);
      }}
    >
      <summary>{label}</summary>
      {isMade && content(close)}
      {children}
    </details>
  );
}
