// Shortcuts. A page declares one by `data-key="e"` on the element that it presses or focuses; rows of a list are marked
// by `data-row`, and their keys act on the row that has the focus. `keys` holds what is everywhere.
import { stored } from '../ui/stored.ts';

/** Single-key shortcuts can be in the way of speech input, so they can be switched off (WCAG 2.1.4). */
export const shortcuts = stored<'on' | 'off'>('shortcuts', 'on');

const SEQUENCE_MS = 1000;
const TYPED = 'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]';

type Handlers = Record<string, () => void>;

export const isTyping = (event: Event): boolean => event.target instanceof Element && event.target.matches(TYPED);

/** Whether the arrows choose in what has the focus, or scroll it. */
function needsArrows(element: Element): boolean {
  const scroller = element.closest('.table-scroll');
  return element.matches('[type=range]') || element.closest('[role="menu"]') !== null || (scroller !== null && scroller.scrollWidth > scroller.clientWidth);
}

/** Named keys that a page may declare. */
const isDeclared = ({ key, target }: KeyboardEvent): boolean =>
  key === 'Escape' || key === 'Delete' || (/^Arrow(Left|Right)$/.test(key) && !needsArrows(target as Element));
const isCovered = (): boolean => document.querySelector('dialog[open]') !== null;

function focusRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = at < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + step, 0), rows.length - 1);
  rows[next]?.querySelector<HTMLElement>('[data-open]')?.focus();
}

/** Whether the page itself has something for a key, such as `c` for one more of what it lists. */
const isOnPage = (key: string): boolean => document.querySelector(`main [data-key="${CSS.escape(key)}"]`) !== null;

function press(key: string): boolean {
  const row = document.activeElement?.closest('[data-row]');
  const marked = `[data-key="${CSS.escape(key)}"]`;
  const inRow = row?.querySelector<HTMLElement>(marked);
  const onPage = [...document.querySelectorAll<HTMLElement>(`main ${marked}`)].find((each) => !each.closest('[data-row]'));
  const target = inRow ?? onPage;
  if (target?.matches(TYPED)) target.focus();
  else target?.click();
  return target !== undefined;
}

/** Listens until the answer is called. `palette` opens by Ctrl K wherever the focus is. */
export function listen(handlers: Handlers, palette: () => void): () => void {
  let first = '';
  let at = 0;

  function onKey(event: KeyboardEvent): void {
    if (event.isComposing || event.altKey) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k' && !isCovered()) {
      event.preventDefault();
      palette();
      return;
    }
    if (event.ctrlKey || event.metaKey || shortcuts.value === 'off' || isTyping(event) || isCovered()) return;
    const sequence = performance.now() - at < SEQUENCE_MS ? `${first} ${event.key}` : '';
    first = event.key;
    at = performance.now();
    const act = handlers[sequence] ?? (isOnPage(event.key) ? undefined : handlers[event.key]);
    const isRowStep = event.key === 'j' || event.key === 'k';
    if (act) act();
    else if (isRowStep) focusRow(event.key === 'j' ? 1 : -1);
    else if (event.key.length > 1 && !isDeclared(event)) return;
    else if (!press(event.key)) return;
    event.preventDefault();
  }

  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
