import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Select } from './field.tsx';
import { Icon, type IconName } from './icons.tsx';

/** Rows that a page may have. */
export const SIZES = ['25', '50', '100'] as const;
export type Size = (typeof SIZES)[number];

interface PaginationProps {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
  /** The address of a page. */
  href(page: number): string;
  /** Chooses how many rows a page has; absent where that is fixed. */
  chooseSize?: (size: Size) => void;
}

export function Pagination({ page, pageSize, total, totalPages, href, chooseSize }: PaginationProps) {
  const canChoose = chooseSize && total > Number(SIZES[0]);
  if (totalPages <= 1 && page === 1 && !canChoose) return null;
  const from = (page - 1) * pageSize + 1;
  const step = (to: number, label: string, icon: IconName) =>
    to < 1 || to > totalPages ? (
      <span class="button plain icon-only" aria-disabled="true">
        <Icon name={icon} />
      </span>
    ) : (
      <a class="button plain icon-only" href={href(to)} aria-label={label} title={label}>
        <Icon name={icon} />
      </a>
    );
  return (
    <nav class="pagination" tabIndex={-1} aria-label={t.page.label}>
      {canChoose && (
        <Select
          isBare
          label={t.page.size}
          value={String(pageSize) as Size}
          onChange={chooseSize}
          options={SIZES.map((value) => ({ value, label: t.page.sizes(value) }))}
        />
      )}
      <span class="muted">
        {t.page.range(formatNumber(from), formatNumber(Math.min(total, from + pageSize - 1)), formatNumber(total))}
      </span>
      {step(page - 1, t.page.previous, 'left')}
      {step(page + 1, t.page.next, 'right')}
    </nav>
  );
}
