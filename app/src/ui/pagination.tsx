import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Icon, type IconName } from './icons.tsx';

interface PaginationProps {
  page: number;
  pageSize: number;
  total: number;
  totalPages: number;
  /** The address of a page. */
  href(page: number): string;
}

export function Pagination({ page, pageSize, total, totalPages, href }: PaginationProps) {
  if (totalPages <= 1 && page === 1) return null;
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
      <span class="muted">
        {t.page.range(formatNumber(from), formatNumber(Math.min(total, from + pageSize - 1)), formatNumber(total))}
      </span>
      {step(page - 1, t.page.previous, 'left')}
      {step(page + 1, t.page.next, 'right')}
    </nav>
  );
}
