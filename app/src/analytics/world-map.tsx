import { useEffect, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { unreachable } from '../api/problem.ts';
import { useData } from '../api/use.ts';
import { formatCountry, formatNumber, formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Panel } from '../ui/states.tsx';
import { complain } from '../ui/toast.tsx';
import type { Ways } from './figures.tsx';
import { useFollowing } from './following.ts';

const COUNTRIES = graphql(`
  query ClicksByCountry($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {
    ofAll: accountClickSummary(from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfLink) {
      totals {
        clicks
      }
      top {
        countries {
          values {
            value
            clicks
          }
        }
      }
    }
    ofLink: clickSummary(linkId: $id, from: $from, to: $to, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 100) @skip(if: $isOfAll) {
      totals {
        clicks
      }
      top {
        countries {
          values {
            value
            clicks
          }
        }
      }
    }
  }
`);

/** The least share of all clicks that each shade stands for, the lightest first. */
const SHADES = [0, 0.01, 0.05, 0.1, 0.25];

interface CountryProps {
  shape: string;
  clicks: number;
  name: string;
  share: number;
  href: string;
}

function Country({ shape, clicks, name, share, href }: CountryProps) {
  const { route } = useLocation();
  const label = `${name}: ${t.clicks(clicks, formatNumber(clicks))}, ${formatShare(share)}`;
  // The router knows links of HTML alone.
  function follow(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    route(href);
  }
  return (
    <a href={href} aria-label={label} style={{ '--level': SHADES.filter((from) => share >= from).length }} onClick={follow}>
      <title>{label}</title>
      <path d={shape} />
    </a>
  );
}

type World = typeof import('./world.ts');

/** The countries of clicks on a map. Each leads to its clicks alone; those that are too small for it are in the list below. */
export function WorldMap({ ways, clicks }: { ways: Ways; clicks: number }) {
  const { id } = useRoute().params;
  const [world, setWorld] = useState<World>();
  useEffect(() => void import('./world.ts').then(setWorld, () => complain(unreachable())), []);
  const loaded = useData(COUNTRIES, { ...ways.variables, id: id ?? '', isOfAll: id === undefined, isOfLink: id !== undefined });
  useFollowing(loaded, clicks);
  if (!world) return null;
  const words = t.reportForms;
  return (
    <Panel loaded={loaded}>
      {({ ofAll, ofLink }) => {
        const { totals, top } = ofLink ?? ofAll!;
        const shown = top.countries.values.filter(({ value }) => value in world.SHAPES);
        return (
          <figure class="world" aria-label={t.analytics.map}>
            <svg viewBox={world.SIZE}>
              <path d={Object.values(world.SHAPES).join('')} />
              {shown.map(({ value, clicks: count }) => (
                <Country key={value} shape={world.SHAPES[value]!} clicks={count} name={formatCountry(value)} share={count / totals.clicks} href={ways.narrow('country', [value])} />
              ))}
            </svg>
            <ul class="shades">
              {SHADES.map((from, at) => (
                <li key={from} style={{ '--level': at + 1 }}>
                  {at === 0 ? words.below(formatShare(SHADES[1]!)) : words.from(formatShare(from))}
                </li>
              ))}
            </ul>
          </figure>
        );
      }}
    </Panel>
  );
}
