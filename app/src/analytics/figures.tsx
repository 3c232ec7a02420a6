// Parts that every page of statistics has.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { SummaryTopFragment, SummaryTotalsFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatChange, formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import type { Dimension, Values } from './conditions.ts';
import type { Comparison } from './period.ts';
import { READ, unknownOf } from './values.ts';
import { Segments } from '../ui/segments.tsx';
import { type Bar, Bars } from './bars.tsx';

export const TOTALS = graphql(`
  fragment SummaryTotals on TotalStats {
    clicks
    uniques
    bots
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
  /** Of the time that is compared; undefined: with none. */
  before: number | undefined;
  compare: Comparison;
  /** More of it is neither good nor bad. */
  isNeutral?: boolean;
}

function Figure({ label, value, before = 0, compare, isNeutral }: FigureProps) {
  const change = before > 0 ? value / before - 1 : undefined;
  const told = compare === 'year' ? t.analytics.yearEarlier : t.analytics.before;
  const none = compare === 'year' ? t.analytics.noneEarlier : t.analytics.noChange;
  const tone = isNeutral || !change ? '' : change > 0 ? 'up' : 'down';
  return (
    <div class="figure">
      <dt>{label}</dt>
      <dd>
        <strong>{formatNumber(value)}</strong>
        {change !== undefined && <span class={`change ${tone}`}>{formatChange(change)}</span>}
        {/* Nothing is said of nothing. */}
        {compare !== 'none' && value + before > 0 && <span class="change">{before > 0 ? told(formatNumber(before)) : none}</span>}
      </dd>
    </div>
  );
}

interface FiguresProps {
  totals: SummaryTotalsFragment;
  /** Of the period before. */
  previous?: Omit<SummaryTotalsFragment, '__typename'>;
  /** Of the year before, where it was asked for. */
  year?: { totals: SummaryTotalsFragment };
  compare: Comparison;
}

export function Figures({ totals, previous, year, compare }: FiguresProps) {
  const before = { before: previous, year: year?.totals, none: undefined }[compare];
  return (
    <dl class="figures">
      <Figure label={t.analytics.clicks} value={totals.clicks} before={before?.clicks} compare={compare} />
      <Figure label={t.analytics.visitors} value={totals.uniques} before={before?.uniques} compare={compare} />
      <Figure label={t.analytics.bots} value={totals.bots} before={before?.bots} compare={compare} isNeutral />
    </dl>
  );
}

/** The panels, and the dimension of each as conditions have it. */
const PANELS = {
  countries: 'country',
  regions: 'region',
  cities: 'city',
  sources: 'source',
  channels: 'channel',
  referrers: 'referrer',
  browsers: 'browser',
  operatingSystems: 'os',
  devices: 'device',
  languages: 'language',
  utmSources: 'utm_source',
  utmMediums: 'utm_medium',
  utmCampaigns: 'utm_campaign',
  destinations: 'destination',
  triggers: 'trigger',
} as const satisfies Record<string, Dimension>;

/** The address of the same page with the clicks alone that have a value. */
export type Narrow = (dimension: Dimension, values: Values) => string;

interface TopProps {
  panel: keyof typeof PANELS;
  top: SummaryTopFragment;
  total: number;
  /** How values are read that mean something on this page alone. */
  read?: (value: string) => string;
  narrow: Narrow;
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

export function TopValues({ panel, top, total, read, narrow, children }: TopProps) {
  const dimension = PANELS[panel];
  const label = read ?? READ[dimension] ?? String;
  const bars: Bar[] = top.values.map(({ value, clicks }) => ({ key: value, label: label(value), value: clicks, href: narrow(dimension, [value]) }));
  // Not the values' keys, which may be any text.
  if (top.unknown > 0) bars.push({ key: '\u0000unknown', label: unknownOf(dimension), value: top.unknown, isRest: true, href: narrow(dimension, [null]) });
  if (top.other > 0) bars.push({ key: '\u0000other', label: t.analytics.other, value: top.other, isRest: true });
  return (
    <section class="card top-values">
      <h2>{t.analytics[panel]}</h2>
      {children}
      {bars.length > 0 ? <Bars bars={bars} total={total} /> : <p class="muted">{t.analytics.nothing}</p>}
      {top.error > 0 && <p class="muted small">{t.analytics.upTo(formatNumber(top.error))}</p>}
      {panel === 'countries' && <CountrySource />}
    </section>
  );
}

/** Panels that take one place by turns. */
const GROUPS = {
  places: ['countries', 'regions', 'cities'],
  origins: ['sources', 'channels', 'referrers'],
} as const;
type Group = keyof typeof GROUPS;
type Grouped = (typeof GROUPS)[Group][number];

interface PanelsProps<Of extends Group> {
  group: Of;
  top: Record<(typeof GROUPS)[Of][number], SummaryTopFragment>;
  total: number;
  narrow: Narrow;
}

/** The panel of a group that the reader chooses. */
export function Panels<Of extends Group>({ group, top, total, narrow }: PanelsProps<Of>) {
  const tops: Partial<Record<Grouped, SummaryTopFragment>> = top;
  // Only a file of cities tells regions and cities.
  const panels: Grouped[] = GROUPS[group].filter((panel) => (panel !== 'regions' && panel !== 'cities') || tops[panel]!.values.length > 0);
  const [chosen, choose] = useState<Grouped>();
  const panel = panels.find((each) => each === chosen) ?? panels[0]!;
  return (
    <TopValues panel={panel} top={tops[panel]!} total={total} narrow={narrow}>
      {panels.length > 1 && (
        <Segments
          label={t.analytics[group]}
          name={group}
          value={panel}
          options={panels.map((value) => ({ value, label: t.analytics[value] }))}
          onChange={choose}
        />
      )}
    </TopValues>
  );
}
