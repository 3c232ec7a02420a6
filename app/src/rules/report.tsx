// How a split divided visitors, and whether as it should.
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { formatMoment, formatNumber, formatShare } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { readable } from '../links/address.ts';
import { Banner, Panel } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';

const REPORT = graphql(`
  query SplitReport($id: ID!, $rule: Int) {
    splitReport(linkId: $id, rule: $rule) {
      from
      isUneven
      parts {
        destination {
          number
          url
          label
        }
        expectedShare
        clicks
        visitors
        share {
          share
          low
          high
        }
      }
    }
  }
`);

/** The report of the split of a rule, or of the link's own. */
export function SplitReport({ id, rule }: { id: string; rule?: number }) {
  const words = t.rules.report;
  const loaded = useData(REPORT, { id, rule });
  const heads = [words.address, words.clicks, words.visitors, words.share, words.meant];
  return (
    <Panel loaded={loaded} rows={3}>
      {({ splitReport: { from, isUneven, parts } }) => (
        <div class="split-report">
          <p class="muted small">{words.since(formatMoment(from))}</p>
          <Table
            caption={rule === undefined ? words.title : `${words.title}: ${t.rules.rule(formatNumber(rule))}`}
            head={heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          >
            {parts.map(({ destination: { number, url, label }, expectedShare, clicks, visitors, share }) => (
              <tr key={number}>
                <th scope="row">
                  <bdi>{label ?? readable(url)}</bdi>
                </th>
                <td>{formatNumber(clicks)}</td>
                <td>{formatNumber(visitors)}</td>
                <td>
                  {share ? (
                    <>
                      <span class="share-bar" aria-hidden="true" style={{ '--share': share.share, '--low': share.low, '--high': share.high }} />
                      {words.range(formatShare(share.share), formatShare(share.low), formatShare(share.high))}
                    </>
                  ) : (
                    '–'
                  )}
                </td>
                <td>{formatShare(expectedShare)}</td>
              </tr>
            ))}
          </Table>
          {isUneven ? <Banner icon="alert">{words.uneven}</Banner> : <p>{parts.every(({ visitors }) => visitors === 0) ? words.early : words.even}</p>}
          <p class="hint">{words.hint}</p>
        </div>
      )}
    </Panel>
  );
}
