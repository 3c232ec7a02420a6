// The list of reports. It comes with the dialogs of the statistics, of which it has most parts.
import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { LinkName } from '../analytics/link-name.tsx';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { ReportRowFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatDay } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { ShortName } from '../links/short-name.tsx';
import { may } from '../session/role.ts';
import { paged } from '../ui/address.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { Confirm, type Open, useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { naming } from '../ui/naming.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { ConditionWords } from './condition.tsx';
import { ReportDialog } from './form.tsx';
import { addressIn, conditionsIn, timeOf, timeText } from './view.ts';

export const REPORT_ROW = graphql(`
  fragment ReportRow on Report {
    id
    name
    linkId
    link {
      id
      slug
      shortUrl
      title
    }
    filter {
      dimension
      operator
      values
    }
    period
    back
    from
    to
    includeBots
    panels
    showsDestinations
    embedOrigins
    hasPassword
    expiresAt
    isShared
    url
    updatedAt
  }
`);

const REPORTS = graphql(`
  query Reports($page: Int!, $pageSize: Int!) {
    reports(page: $page, pageSize: $pageSize) {
      total
      page
      pageSize
      totalPages
      data {
        ...ReportRow
      }
    }
  }
`);

const STOP = graphql(`
  mutation StopReport($id: ID!) {
    updateReport(id: $id, input: { isShared: false }) {
      id
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteReport($id: ID!) {
    deleteReport(id: $id)
  }
`);

const PAGE_SIZE = 25;
const PATH = '/app/reports';

interface AskProps {
  report: ReportRowFragment;
  onClose(): void;
}

function StopDialog({ report: { id, name }, onClose }: AskProps) {
  const words = t.reports;
  async function act() {
    const { problem } = await mutate(STOP, { id });
    if (!problem) say(naming(words.stopped, name));
    return problem;
  }
  return <Confirm title={naming(words.stopTitle, name)} text={words.stopText} confirm={words.stop} onConfirm={act} onClose={onClose} />;
}

function DeleteDialog({ report: { id, name }, onClose }: AskProps) {
  const words = t.reports;
  async function act() {
    const { problem } = await mutate(DELETE, { id }, ['Report']);
    if (!problem) say(naming(words.removed, name));
    return problem;
  }
  return <Confirm title={naming(words.removeTitle, name)} text={words.removeText} confirm={t.action.delete} onConfirm={act} onClose={onClose} />;
}

/** Whether a report has a page, and until when. */
function State({ report: { isShared, expiresAt } }: { report: ReportRowFragment }) {
  const words = t.reports;
  if (!isShared) return <span class="chip">{words.kept}</span>;
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return <span class="chip warning">{words.ended(formatDay(expiresAt))}</span>;
  return (
    <>
      <span class="chip good">{words.shared}</span>
      {expiresAt && <span>{words.sharedUntil(formatDay(expiresAt))}</span>}
    </>
  );
}

/** Whether a report is shared, and the clicks that it counts, in words. */
function About({ report }: { report: ReportRowFragment }) {
  const words = t.reports;
  return (
    <p class="muted small facts">
      <State report={report} />
      {report.link ? (
        <bdi>{report.link.title ?? <ShortName link={report.link} />}</bdi>
      ) : (
        <span>{words.allLinks}</span>
      )}
      <span>{timeText(timeOf(report))}</span>
      {conditionsIn(report).map((condition, at) => (
        <ConditionWords key={at} condition={condition} read={condition.dimension === 'link' ? (id) => <LinkName id={id} /> : undefined} />
      ))}
      {report.includeBots && <span>{words.withBots}</span>}
      {report.isShared && report.hasPassword && <span>{words.withPassword}</span>}
    </p>
  );
}

function Row({ report, open }: { report: ReportRowFragment; open: Open }) {
  const words = t.reports;
  const { name, url } = report;
  const edit = () => open(ReportDialog, { report });
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          <a href={addressIn(report)} class="slug" dir="auto" data-open>
            {name}
          </a>
        </div>
        <About report={report} />
      </td>
      <td class="cell-actions">
        <div>
          {url && (
            <>
              <CopyButton text={url} label={words.copyOf(name)} isUnsaid />
              <LinkButton kind="quiet" icon="open" label={words.openOf(name)} href={url} isExternal />
            </>
          )}
          <Button kind="quiet" icon="edit" label={words.edit} dataKey="e" isForKey needs="LINKS_WRITE" isWrite onClick={edit} />
          {may('LINKS_WRITE') && (
            <Menu label={words.actions(name)}>
              <MenuItem icon="edit" isWrite onSelect={edit}>
                {t.action.edit}
              </MenuItem>
              {report.isShared && (
                <MenuItem icon="pause" isWrite onSelect={() => open(StopDialog, { report })}>
                  {words.stop}
                </MenuItem>
              )}
              <MenuItem icon="trash" kind="danger" isWrite onSelect={() => open(DeleteDialog, { report })}>
                {t.action.delete}
              </MenuItem>
            </Menu>
          )}
        </div>
      </td>
    </tr>
  );
}

/** Views of the statistics that members of the account have saved, and shared. */
export function ReportList({ onShown }: { onShown(): void; onClose?(): void }) {
  const words = t.reports;
  useLayoutEffect(onShown, []);
  const { query, route } = useLocation();
  const { page } = paged.read(query);
  const loaded = useData(REPORTS, { page, pageSize: PAGE_SIZE }, ['Report']);
  const { dialog, open } = useDialog();
  return (
    <>
      <p class="muted">{words.lead}</p>
      <Panel loaded={loaded} rows={5}>
        {({ reports }) => (
          <List
            label={words.title}
            columns={[words.about]}
            page={reports}
            row={(report) => <Row key={report.id} report={report} open={open} />}
            href={(to) => paged.write(PATH, { page: to })}
            empty={
              <EmptyState icon="chart" title={words.empty} hint={words.emptyHint}>
                <LinkButton href="/app">{t.shell.toOverview}</LinkButton>
              </EmptyState>
            }
            none={
              reports.total > 0 ? (
                <EmptyState icon="chart" title={words.none}>
                  <Button onClick={() => route(PATH)}>{words.first}</Button>
                </EmptyState>
              ) : undefined
            }
          />
        )}
      </Panel>
      {dialog}
    </>
  );
}
