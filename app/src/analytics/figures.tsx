// Parts that every page of statistics has.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import type { ClickCondition, SummaryTopFragment, SummaryTotalsFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatChange, formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { type Dimension, GROUPS, type Values } from './conditions.ts';
import type { Comparison } from './period.ts';
import { isTold, READ, unknownOf } from './values.ts';
import { Segments } from '../ui/segments.tsx';
import { type Bar, Bars } from './bars.tsx';
import { WorldMap } from './opened.ts';

export const TOTALS = graphql(`
  fragment SummaryTotals on TotalStats {
    clicks
    uniques
    bots
  }
`);

export const TOPS = graphql(`
  fragment SummaryTops on TopStats {
    countries {
      ...SummaryTop
    }
    regions {
      ...SummaryTop
    }
    cities {
      ...SummaryTop
    }
    languages {
      ...SummaryTop
    }
    sources {
      ...SummaryTop
    }
    channels {
      ...SummaryTop
    }
    referrers {
      ...SummaryTop
    }
    utmSources {
      ...SummaryTop
    }
    utmMediums {
      ...SummaryTop
    }
    utmCampaigns {
      ...SummaryTop
    }
    devices {
      ...SummaryTop
    }
    browsers {
      ...SummaryTop
    }
    operatingSystems {
      ...SummaryTop
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

/** The lists of most frequent values, by dimension: those that a summary has. */
const LISTS = {
  country: 'countries',
  region: 'regions',
  city: 'cities',
  language: 'languages',
  source: 'sources',
  channel: 'channels',
  referrer: 'referrers',
  utm_source: 'utmSources',
  utm_medium: 'utmMediums',
  utm_campaign: 'utmCampaigns',
  device: 'devices',
  browser: 'browsers',
  os: 'operatingSystems',
  destination: 'destinations',
  trigger: 'triggers',
} as const satisfies Partial<Record<Dimension, string>>;
type Listed = keyof typeof LISTS;

/** Where a panel leads, and which clicks it is about. */
export interface Ways {
  /** Variables of a question about them. */
  variables: { from: string; to: string | null; timeZone: string; includeBots: boolean; filter?: ClickCondition[] };
  /** The address of the figures of those clicks alone that have a value. */
  narrow(dimension: Dimension, values: Values): string;
  /** The address of the page of all values. */
  all(dimension: Dimension): string;
}

interface HeadProps {
  title: string;
  dimension: Dimension;
  ways: Ways;
}

/** The title of a panel, and the way to all of its values. */
export const PanelHead = ({ title, dimension, ways }: HeadProps) => (
  <header class="section-head">
    <h2>{title}</h2>
    <a class="small" href={ways.all(dimension)} aria-label={`${t.analytics.all}: ${title}`}>
      {t.analytics.all}
    </a>
  </header>
);

interface TopProps {
  dimension: Listed;
  top: SummaryTopFragment;
  total: number;
  /** How values are read that mean something on this page alone. */
  read?: (value: string) => string;
  ways: Ways;
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

export function TopValues({ dimension, top, total, read, ways, children }: TopProps) {
  const label = read ?? READ[dimension] ?? String;
  const bar = (value: string | null) => ({ href: ways.narrow(dimension, [value]) });
  const bars: Bar[] = top.values.map(({ value, clicks }) => ({ key: value, label: label(value), value: clicks, ...bar(value) }));
  // Not the values' keys, which may be any text.
  if (top.unknown > 0) bars.push({ key: '\u0000unknown', label: unknownOf(dimension), value: top.unknown, isRest: true, ...bar(null) });
  if (top.other > 0) bars.push({ key: '\u0000other', label: t.analytics.other, value: top.other, isRest: true });
  return (
    <section class="card top-values">
      <PanelHead title={t.analytics[LISTS[dimension]]} dimension={dimension} ways={ways} />
      {children}
      {bars.length > 0 ? <Bars bars={bars} total={total} /> : <p class="muted">{t.analytics.nothing}</p>}
      {top.error > 0 && <p class="muted small">{t.analytics.upTo(formatNumber(top.error))}</p>}
      {dimension === 'country' && <CountrySource />}
    </section>
  );
}

interface PanelsProps {
  group: 'places' | 'origins' | 'means';
  top: Partial<Record<(typeof LISTS)[Listed], SummaryTopFragment>>;
  total: number;
  ways: Ways;
}

/** The panel of a group that the reader chooses. */
export function Panels({ group, top, total, ways }: PanelsProps) {
  const listOf = (dimension: Listed) => top[LISTS[dimension]];
  const isListed = (dimension: Dimension): dimension is Listed => dimension in LISTS;
  const panels = (GROUPS[group] as readonly Dimension[]).filter(isListed).filter((each) => isTold(each, listOf(each)));
  const [chosen, choose] = useState<Listed | 'map'>();
  // The map stands above the list of countries, which are the first of the places.
  const isMap = chosen === 'map';
  const dimension = panels.find((each) => each === chosen) ?? panels[0]!;
  const options: { value: Listed | 'map'; label: string }[] = panels.map((value) => ({ value, label: t.analytics[LISTS[value]] }));
  if (group === 'places') options.splice(1, 0, { value: 'map', label: t.analytics.map });
  return (
    <TopValues dimension={dimension} top={listOf(dimension)!} total={total} ways={ways}>
      <Segments
        label={t.analytics[group]}
        name={group}
        value={isMap ? chosen : dimension}
        options={options}
        onChange={choose}
      />
      {isMap && <WorldMap ways={ways} clicks={total} />}
    </TopValues>
  );
}
