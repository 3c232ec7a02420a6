import type { DomainStatus } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';

const TONES: Record<DomainStatus, string> = { PENDING: 'warning', ACTIVE: 'good', FAILING: 'warning', SUSPENDED: 'danger' };

export function StatusChip({ status }: { status: DomainStatus }) {
  return <span class={`chip ${TONES[status]}`}>{t.domains.status[status]}</span>;
}
