import { useRoute } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { clock } from '../i18n/clock.ts';
import { formatMinute, formatNumber } from '../i18n/format.ts';
import { t, tag } from '../i18n/index.ts';
import { Panel } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import type { Ways } from './figures.tsx';
import { useFollowing } from './following.ts';
import { byHour } from './week.ts';

const HOURS = graphql(`
  query ClicksByHour($id: ID!, $isOfAll: Boolean!, $isOfLink: Boolean!, $from: DateTime!, $to: DateTime, $timeZone: TimeZone!, $includeBots: Boolean!, $filter: [ClickCondition!]) {
    ofAll: accountClickSummary(from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfLink) {
      from
      series {
        start
        clicks
      }
    }
    ofLink: clickSummary(linkId: $id, from: $from, to: $to, interval: HOUR, timeZone: $timeZone, includeBots: $includeBots, filter: $filter, limit: 1) @skip(if: $isOfAll) {
      from
      series {
        start
        clicks
      }
    }
  }
`);

/** Shades, of which the hour with the most clicks has the last. */
const LEVELS = 5;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOURS_OF_DAY = Array.from({ length: 24 }, (_, hour) => hour);

/** The weekdays as people there count them, by their places after Sunday. Browsers that do not know begin with Monday. */
function weekdays(): number[] {
  const { getWeekInfo } = Intl.Locale.prototype as { getWeekInfo?(): { firstDay: number } };
  const first = getWeekInfo?.call(new Intl.Locale(tag())).firstDay ?? 1;
  return Array.from({ length: 7 }, (_, at) => (first + at) % 7);
}

interface HoursProps {
  variables: Ways['variables'];
  /** How many clicks the page counts. */
  clicks: number;
}

/** On which weekdays and at which hours clicks are made. */
export function Hours({ variables, clicks }: HoursProps) {
  const { id } = useRoute().params;
  const loaded = useData(HOURS, { ...variables, id: id ?? '', isOfAll: id === undefined, isOfLink: id !== undefined });
  useFollowing(loaded, clicks);
  const words = t.reportForms;
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag(), { ...options, timeZone: 'UTC' }).format;
  const [weekday, hourOf] = [format({ weekday: 'long' }), format({ hour: '2-digit', minute: '2-digit' })];
  return (
    <Panel loaded={loaded} rows={7}>
      {({ ofAll, ofLink }) => {
        const { from, series } = ofLink ?? ofAll!;
        const sums = byHour(series, clock);
        const most = Math.max(...sums.flat());
        const first = series[0]?.start ?? from;
        return (
          <>
            {Date.parse(first) > Date.parse(from) && <p class="muted small">{words.newest(formatMinute(first))}</p>}
            <Table
              caption={t.analytics.hours}
              class="week"
              head={
                <>
                  <th scope="col">{words.weekday}</th>
                  {HOURS_OF_DAY.map((hour) => (
                    <th key={hour} scope="col" class="number">
                      {hourOf(hour * HOUR_MS)}
                    </th>
                  ))}
                </>
              }
            >
              {weekdays().map((day) => (
                <tr key={day}>
                  {/* The fourth day of 1970 was a Sunday. */}
                  <th scope="row">{weekday((day + 3) * DAY_MS)}</th>
                  {sums[day]!.map((sum, hour) => (
                    <td key={hour} class="number" style={{ '--level': sum && Math.ceil((sum / most) * LEVELS) }}>
                      {formatNumber(sum)}
                    </td>
                  ))}
                </tr>
              ))}
            </Table>
          </>
        );
      }}
    </Panel>
  );
}
