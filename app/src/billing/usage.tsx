import { graphql } from '../api/generated/gql.ts';
import type { UsageBarsFragment } from '../api/generated/graphql.ts';
import { formatDay, formatNumber, formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';

export const USAGE = graphql(`
  fragment UsageBars on UsageResult {
    periodStart
    periodEnd
    links {
      used
      limit
    }
    clicks {
      used
    }
    domains {
      used
      limit
    }
    webhooks {
      used
      limit
    }
    apiKeys {
      used
      limit
    }
    apiCalls {
      used
    }
  }
`);

const NEAR = 0.8;
const LIMITED = ['links', 'domains', 'webhooks', 'apiKeys'] as const;

interface BarProps {
  label: string;
  used: number;
  limit: number | null;
}

function toneOf(used: number, limit: number): { tone: string; note?: string } {
  if (used > limit) return { tone: 'danger', note: t.billing.usage.over };
  if (used === limit) return { tone: 'danger', note: t.billing.usage.full };
  if (used >= NEAR * limit) return { tone: 'warning', note: t.billing.usage.near };
  return { tone: '' };
}

/** How much of a limit is used. The bar says nothing that the words do not. */
function UsageBar({ label, used, limit }: BarProps) {
  const words = t.billing.usage;
  if (limit === null) {
    return (
      <div class="usage">
        <dt>{label}</dt>
        <dd>{words.unlimited(formatNumber(used))}</dd>
      </div>
    );
  }
  const { tone, note } = toneOf(used, limit);
  const scale = Math.max(used, limit, 1);
  return (
    <div class={`usage ${tone}`}>
      <dt>{label}</dt>
      <dd>
        {words.of(formatNumber(used), formatNumber(limit))}
        {limit > 0 && <span class="muted"> · {formatShare(used / limit)}</span>}
      </dd>
      <dd class="usage-bar" aria-hidden="true" style={{ '--used': used / scale, '--near': (NEAR * limit) / scale, '--limit': limit / scale }}>
        {used > 0 && <span />}
      </dd>
      {note && <dd class="usage-note">{note}</dd>}
    </div>
  );
}

export function Usage({ usage }: { usage: UsageBarsFragment }) {
  const words = t.billing.usage;
  return (
    <section class="card billing-usage" aria-labelledby="usage">
      <h2 id="usage">{words.title}</h2>
      <dl>
        {LIMITED.map((what) => (
          <UsageBar key={what} label={words[what]} used={usage[what].used} limit={usage[what].limit ?? null} />
        ))}
      </dl>
      <dl class="usage-figures">
        <div>
          <dt>{words.clicks}</dt>
          <dd>
            <strong>{formatNumber(usage.clicks.used)}</strong>
          </dd>
          <dd class="muted small">{words.period(formatDay(usage.periodStart), formatDay(usage.periodEnd))}</dd>
        </div>
        <div>
          <dt>{words.apiCalls}</dt>
          <dd>
            <strong>{formatNumber(usage.apiCalls.used)}</strong>
          </dd>
          <dd class="muted small">{words.apiCallsHint}</dd>
        </div>
      </dl>
    </section>
  );
}
