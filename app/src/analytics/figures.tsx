// Parts that every page of statistics has.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { SummaryTopFragment, SummaryTotalsFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatChange, formatCountry, formatDay, formatLanguage, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Segments } from '../ui/segments.tsx';
import { type Bar, Bars } from './bars.tsx';

export const TOTALS = graphql(`
  fragment SummaryTotals on TotalStats {
    clicks
    uniques
    bots
    change {
      clicks
      uniques
      bots
    }
  }
`);

export const TOP_VALUES = graphql(`
  fragment SummaryTop on TopValuesStats {
    values {
      value
      clicks
    }
    unknown
    other
    error
  }
`);

const COUNTRY_DATA = graphql(`
  query CountryData {
    instance {
      countryData {
        name
        builtAt
        isBuiltIn
      }
    }
  }
`);

interface FigureProps {
  label: string;
  value: number;
  change?: number | null;
  before: number;
  /** More of it is neither good nor bad. */
  isNeutral?: boolean;
}

function Figure({ label, value, change, before, isNeutral }: FigureProps) {
  const tone = isNeutral || !change ? '' : change > 0 ? 'up' : 'down';
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd>
        <strong>{formatNumber(value)}</strong>
        {change != null && <span class={`change ${tone}`}>{formatChange(change)}</span>}
        {/* Nothing is said of nothing. */}
        {value + before > 0 && <span class="change">{before > 0 ? t.analytics.before(formatNumber(before)) : t.analytics.noChange}</span>}
      </dd>
    </div>
  );
}

interface Before {
  clicks: number;
  uniques: number;
  bots: number;
}

export function Figures({ totals, previous }: { totals: SummaryTotalsFragment; previous: Before }) {
  const { change } = totals;
  return (
    <dl class="figures">
      <Figure label={t.analytics.clicks} value={totals.clicks} change={change.clicks} before={previous.clicks} />
      <Figure label={t.analytics.visitors} value={totals.uniques} change={change.uniques} before={previous.uniques} />
      <Figure label={t.analytics.bots} value={totals.bots} change={change.bots} before={previous.bots} isNeutral />
    </dl>
  );
}

/** How the values of a dimension are read. */
export const READ: Record<string, (value: string) => string> = {
  countries: formatCountry,
  languages: formatLanguage,
  devices: (value) => t.devices[value] ?? value,
  triggers: (value) => t.analytics.opened[value] ?? value,
  channels: (value) => t.analytics.channel[value] ?? value,
};

/** Where clicks come from, in the ways that a panel has. */
const ORIGINS = ['sources', 'channels', 'referrers'] as const;
type Origin = (typeof ORIGINS)[number];

interface TopProps {
  dimension:
    | 'countries'
    | Origin
    | 'browsers'
    | 'operatingSystems'
    | 'devices'
    | 'languages'
    | 'utmSources'
    | 'utmMediums'
    | 'utmCampaigns'
    | 'destinations'
    | 'triggers';
  top: SummaryTopFragment;
  total: number;
  /** How values are read that mean something on this page alone. */
  read?: (value: string) => string;
  children?: ComponentChildren;
}

/** Where countries are from, and how old that is. */
function CountrySource() {
  // Its own request: a page of statistics is fetched again with each click, and this is what everybody may ask once a second.
  const source = useData(COUNTRY_DATA, {}).data?.instance.countryData;
  if (!source) return null;
  const name = source.isBuiltIn ? t.analytics.builtIn(source.name) : source.name;
  return <p class="muted small">{t.analytics.source(name, source.builtAt && formatDay(source.builtAt))}</p>;
}

export function TopValues({ dimension, top, total, read = READ[dimension] ?? String, children }: TopProps) {
  // Of these it is known that there was none.
  const isUtm = dimension.startsWith('utm');
  const unknown = isUtm ? t.analytics.none : dimension === 'referrers' || dimension === 'sources' ? t.analytics.direct : t.analytics.unknown;
  const bars: Bar[] = top.values.map(({ value, clicks }) => ({ key: value, label: read(value), value: clicks }));
  // Not the values' keys, which may be any text.
  if (top.unknown > 0) bars.push({ key: '\u0000unknown', label: unknown, value: top.unknown, isRest: true });
  if (top.other > 0) bars.push({ key: '\u0000other', label: t.analytics.other, value: top.other, isRest: true });
  return (
    <section class="card top-values">
      <h2>{t.analytics[dimension]}</h2>
      {children}
      {bars.length > 0 ? <Bars bars={bars} total={total} /> : <p class="muted">{t.analytics.nothing}</p>}
      {top.error > 0 && <p class="muted small">{t.analytics.upTo(formatNumber(top.error))}</p>}
      {dimension === 'countries' && <CountrySource />}
    </section>
  );
}

/** Where clicks come from, in the way that the reader chooses. */
export function Origins({ top, total }: { top: Record<Origin, SummaryTopFragment>; total: number }) {
  const [origin, setOrigin] = useState<Origin>('sources');
  return (
    <TopValues dimension={origin} top={top[origin]} total={total}>
      <Segments
        label={t.analytics.origins}
        name="origin"
        value={origin}
        options={ORIGINS.map((value) => ({ value, label: t.analytics[value] }))}
        onChange={setOrigin}
      />
    </TopValues>
  );
}
