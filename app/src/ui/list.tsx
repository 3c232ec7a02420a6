import type { ComponentChildren, VNode } from 'preact';
import { Pagination, type Size } from './pagination.tsx';
import { MenuHeading } from './table.tsx';

interface Column {
  title: ComponentChildren;
  class: string;
  /** The head leads to the list in the order of the column, or in its other direction. */
  sort?: {
    href: string;
    /** The rows are in the order of the column. */
    direction?: 'ascending' | 'descending';
  };
}

interface Page<Row> {
  data: Row[];
  total: number;
  page: number;
  pageSize: number;
  totalPages: number;
}

interface ListProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: (string | Column)[];
  /** The rows have nothing to be done with them. */
  isPlain?: boolean;
  page: Page<Row>;
  row(row: Row): VNode;
  /** The address of a page; absent where there is one only. */
  href?: (page: number) => string;
  /** Chooses how many rows a page has; absent where that is fixed. */
  chooseSize?: (size: Size) => void;
  /** What is listed was searched or chosen. */
  isFiltered?: boolean;
  /** Shown where there is nothing to list. */
  empty: ComponentChildren;
  /** Shown where there is nothing on this page, or for these filters; the table and its pages otherwise. */
  none?: ComponentChildren;
}

/** A page of a list: its rows, or why there are none. */
export function List<Row>({ label, columns, isPlain, page, row, href, chooseSize, isFiltered, empty, none }: ListProps<Row>) {
  if (page.data.length === 0 && (none || page.total === 0)) {
    return <>{none && (isFiltered || page.page > 1) ? none : empty}</>;
  }
  const heads = columns.map((column): Partial<Column> => (typeof column === 'string' ? { title: column } : column));
  return (
    <>
      <table class="link-table" tabIndex={-1}>
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {heads.map(({ title, class: className, sort }, at) => (
              <th key={at} scope="col" class={className} aria-sort={sort?.direction}>
                {sort ? (
                  <a class="sort" href={sort.href}>
                    {title}
                  </a>
                ) : (
                  title
                )}
              </th>
            ))}
            {!isPlain && <MenuHeading />}
          </tr>
        </thead>
        <tbody>{page.data.map(row)}</tbody>
      </table>
      {href && <Pagination {...page} href={href} chooseSize={chooseSize} />}
    </>
  );
}
