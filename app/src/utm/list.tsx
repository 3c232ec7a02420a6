import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { graphql } from '../api/generated/gql.ts';
import type { UtmTemplateFieldsFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { useTitle } from '../shell/title.ts';
import { Button } from '../ui/button.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { MenuHeading } from '../ui/table.tsx';
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
type Ask = (what: 'edit' | 'delete', template: Template) => void;

const addressOf = (page: number): string => (page > 1 ? `/app/links/utm?page=${page}` : '/app/links/utm');

function Row({ template, ask }: { template: Template; ask: Ask }) {
  const { edit, remove } = t.utm.list;
  const { name } = template;
  return (
    <tr data-row>
      <td class="cell-link">
        <strong>{name}</strong>
        <UtmFacts values={template} />
      </td>
      <td class="cell-actions">
        <div>
          <Button kind="quiet" icon="edit" label={edit(name)} dataKey="e" isOpener isWrite onClick={() => ask('edit', template)} />
          <Button kind="quiet" icon="trash" label={remove(name)} isWrite onClick={() => ask('delete', template)} />
        </div>
      </td>
    </tr>
  );
}

function Rows({ templates, ask }: { templates: Template[]; ask: Ask }) {
  const { label } = t.utm.list;
  return (
    <table class="link-table" tabIndex={-1}>
      <caption class="hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">{t.utm.template}</th>
          <MenuHeading />
        </tr>
      </thead>
      <tbody>
        {templates.map((template) => (
          <Row key={template.id} template={template} ask={ask} />
        ))}
      </tbody>
    </table>
  );
}

export default function UtmTemplates() {
  const its = t.utm;
  useTitle(its.templates);
  const { query, route } = useLocation();
  const page = Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1);
  const loaded = useData(TEMPLATES, { page, pageSize: PAGE_SIZE }, ['UtmTemplate']);
  const [asked, setAsked] = useState<{ what: 'create' } | { what: Parameters<Ask>[0]; template: Template }>();
  const close = () => setAsked(undefined);
  const total = loaded.data?.utmTemplates.total;
  const create = (
    <Button kind="primary" icon="plus" dataKey="c" isWrite onClick={() => setAsked({ what: 'create' })}>
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
        {({ utmTemplates }) =>
          utmTemplates.data.length > 0 ? (
            <>
              <Rows templates={utmTemplates.data} ask={(what, template) => setAsked({ what, template })} />
              <Pagination {...utmTemplates} href={addressOf} />
            </>
          ) : page > 1 ? (
            <EmptyState icon="search" title={its.list.none} hint={its.list.emptyHint}>
              <Button onClick={() => route(addressOf(1))}>{its.list.all}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon="chart" title={its.list.empty} hint={its.list.emptyHint}>
              {create}
            </EmptyState>
          )
        }
      </Panel>
      {asked?.what === 'create' && <TemplateDialog onClose={close} />}
      {asked?.what === 'edit' && <TemplateDialog template={asked.template} onClose={close} />}
      {asked?.what === 'delete' && <DeleteDialog template={asked.template} onClose={close} />}
    </>
  );
}
