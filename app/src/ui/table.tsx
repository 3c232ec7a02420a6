import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';

interface TableProps {
  /** Names the table for screen readers. */
  caption: string;
  head: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}

/** A table that scrolls in itself when the page is too narrow for it. */
export function Table({ caption, head, children, class: className }: TableProps) {
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <div class="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class={className}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Heads the column of the rows' menus: its words are for screen readers alone. */
export function MenuHeading() {
  return (
    <th scope="col" class="cell-actions">
      <span class="hidden">{t.action.more}</span>
    </th>
  );
}
