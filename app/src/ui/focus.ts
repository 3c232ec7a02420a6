// Where the focus goes when what had it is gone: by itself it would go to nothing, and Tab would begin at the top.

/** The element that had the focus last, and its ancestors. Dialogs and menus above the page do not count. */
let path: HTMLElement[] = [];

const isAbove = (element: HTMLElement): boolean => element.closest('dialog, [popover]') !== null;

document.addEventListener('focusin', ({ target }) => {
  if (!(target instanceof HTMLElement) || isAbove(target)) return;
  path = [];
  for (let each: HTMLElement | null = target; each; each = each.parentElement) path.push(each);
});

// A click beside everything takes the focus away on purpose. A removal does so, too, in some browsers.
document.addEventListener('focusout', ({ target }) => {
  queueMicrotask(() => {
    const element = target as HTMLElement;
    if (element.isConnected && document.activeElement === document.body && !isAbove(element)) path = [];
  });
});

/** If nothing has the focus: back to what had it, else to the nearest around it that can, at last the page's heading. */
export function returnFocus(): void {
  if (document.activeElement !== document.body || document.querySelector('dialog[open]')) return;
  const next = path.find((each, index) => each.isConnected && !each.closest('[inert]') && (index === 0 || each.matches('[tabindex]')));
  const heading = next?.matches('main') ? next.querySelector<HTMLElement>('h1') : undefined;
  if (heading) heading.tabIndex = -1;
  (heading ?? next)?.focus({ preventScroll: true });
}

new MutationObserver(returnFocus).observe(document.body, { childList: true, subtree: true });
