import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { UtmTemplateFieldsFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { paged } from '../ui/address.ts';
import { Button } from '../ui/button.tsx';
import { type Open, useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { DeleteDialog, TemplateDialog } from './actions.tsx';
import { UtmFacts } from './facts.tsx';

const TEMPLATES = graphql(`
  query UtmTemplates($page: Int!, $pageSize: Int!) {
    utmTemplates(page: $page, pageSize: $pageSize) {
      total
      page
      pageSize
      totalPages
      data {
        ...UtmTemplateFields
      }
    }
  }
`);

const PAGE_SIZE = 25;

type Template = UtmTemplateFieldsFragment;

const PATH = '/app/links/utm';

function Row({ template, open }: { template: Template; open: Open }) {
  const { edit, remove } = t.utm.list;
  const { name } = template;
  return (
    <tr data-row>
      <td class="cell-link">
        <strong dir="auto">{name}</strong>
        <UtmFacts values={template} />
      </td>
      <td class="cell-actions">
        <div>
          <Button kind="quiet" icon="edit" label={edit(name)} dataKey="e" isOpener needs="LINKS_WRITE" isWrite onClick={() => open(TemplateDialog, { template })} />
          <Button kind="quiet" icon="trash" label={remove(name)} needs="LINKS_WRITE" isWrite onClick={() => open(DeleteDialog, { template })} />
        </div>
      </td>
    </tr>
  );
}

export default function UtmTemplates() {
  const its = t.utm;
  useTitle(its.templates);
  const { query, route } = useLocation();
  const { page } = paged.read(query);
  const loaded = useData(TEMPLATES, { page, pageSize: PAGE_SIZE }, ['UtmTemplate']);
  const { dialog, open } = useDialog();
  const total = loaded.data?.utmTemplates.total;
  const create = (
    <Button kind="primary" icon="plus" dataKey="c" needs="LINKS_WRITE" isWrite onClick={() => open(TemplateDialog, {})}>
      {its.create.title}
    </Button>
  );

  return (
    <>
      <header class="page-head">
        <a class="crumb" href="/app/links">
          {t.links.title}
        </a>
        <h1>{its.templates}</h1>
        {total !== undefined && <span class="muted">{its.list.count(total, formatNumber(total))}</span>}
        <div class="page-action">{create}</div>
      </header>
      <Panel loaded={loaded} rows={5}>
        {({ utmTemplates }) => (
          <List
            label={its.list.label}
            columns={[its.template]}
            page={utmTemplates}
            row={(template) => <Row key={template.id} template={template} open={open} />}
            href={(to) => paged.write(PATH, { page: to })}
            empty={
              <EmptyState icon="chart" title={its.list.empty} hint={its.list.emptyHint}>
                {create}
              </EmptyState>
            }
            none={
              <EmptyState icon="search" title={its.list.none} hint={its.list.emptyHint}>
                <Button onClick={() => route(PATH)}>{its.list.all}</Button>
              </EmptyState>
            }
          />
        )}
      </Panel>
      {dialog}
    </>
  );
}
