import { useLocation } from 'preact-iso/router';
import { tagsArguments } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { TagRowFragment } from '../api/generated/graphql.ts';
import { useData } from '../api/use.ts';
import { formatDay, formatNumber } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { may } from '../session/role.ts';
import { useTitle } from '../shell/title.ts';
import { addressed, escaped, page, text } from '../ui/address.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { type Open, useDialog } from '../ui/dialog.tsx';
import { List } from '../ui/list.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { SearchField } from '../ui/search.tsx';
import { EmptyState, Panel } from '../ui/states.tsx';
import { DeleteDialog, MergeDialog, NameDialog } from './actions.tsx';
import { linksOf } from './chips.tsx';

export const TAG_ROW = graphql(`
  fragment TagRow on Tag {
    id
    name
    linkCount
    createdAt
    updatedAt
  }
`);

const TAGS = graphql(`
  query Tags($page: Int!, $pageSize: Int!, $search: String) {
    tags(page: $page, pageSize: $pageSize, search: $search) {
      total
      page
      pageSize
      totalPages
      data {
        ...TagRow
      }
    }
  }
`);

const PAGE_SIZE = 25;

type Tag = TagRowFragment;

const PATH = '/app/links/tags';
const ADDRESS = addressed({ search: text, page });

function Row({ tag, open }: { tag: Tag; open: Open }) {
  const { name, linkCount, createdAt } = tag;
  const rename = () => open(NameDialog, { tag });
  return (
    <tr data-row>
      <td class="cell-link">
        <div class="link-name">
          {/* The number is that of all links, archived ones too. */}
          <a href={`${linksOf(name)}&archived=any`} class="slug" dir="auto" data-open>
            {name}
          </a>
        </div>
      </td>
      <td class="number">{formatNumber(linkCount)}</td>
      <td class="wide-cell muted">{formatDay(createdAt)}</td>
      <td class="cell-actions">
        <div>
          <LinkButton kind="quiet" icon="chart" label={t.tagList.list.clicks(name)} needs="ANALYTICS_READ" href={`/app?${new URLSearchParams({ tag: escaped(name) })}`} />
          <Button kind="quiet" icon="edit" label={t.tagList.rename.do} dataKey="e" isForKey needs="LINKS_WRITE" isWrite onClick={rename} />
          {may('LINKS_WRITE') && (
            <Menu label={t.tagList.list.actions(name)}>
              <MenuItem icon="edit" isWrite onSelect={rename}>
                {t.tagList.rename.do}
              </MenuItem>
              <MenuItem icon="merge" isWrite onSelect={() => open(MergeDialog, { tag })}>
                {t.tagList.merge.do}
              </MenuItem>
              <MenuItem icon="trash" kind="danger" isWrite onSelect={() => open(DeleteDialog, { tag })}>
                {t.action.delete}
              </MenuItem>
            </Menu>
          )}
        </div>
      </td>
    </tr>
  );
}

export default function Tags() {
  useTitle(t.tags.title);
  const { query, route } = useLocation();
  const { search, page: shown } = ADDRESS.read(query);
  const loaded = useData(TAGS, { page: shown, pageSize: PAGE_SIZE, search: search || null }, ['Tag']);
  const { dialog, open } = useDialog();
  const words = t.tagList.list;
  const create = (
    <Button kind="primary" icon="plus" dataKey="c" needs="LINKS_WRITE" isWrite onClick={() => open(NameDialog, {})}>
      {t.tagList.create.title}
    </Button>
  );

  return (
    <>
      <header class="page-head">
        <a class="crumb" href="/app/links">
          {t.links.title}
        </a>
        <h1>{t.tags.title}</h1>
        {loaded.data && <span class="muted">{words.count(loaded.data.tags.total, formatNumber(loaded.data.tags.total))}</span>}
        <div class="page-action">{create}</div>
      </header>
      <search hidden={loaded.data?.tags.total === 0 && search === ''}>
        <SearchField
          label={words.search}
          placeholder={words.search}
          value={search}
          maxLength={tagsArguments.search.maxLength}
          onSearch={(typed) => route(ADDRESS.write(PATH, { search: typed }), true)}
        />
      </search>
      <Panel loaded={loaded} rows={5}>
        {({ tags }) => (
          <List
            label={words.label}
            columns={[t.tags.tag, { title: words.links, class: 'number' }, { title: words.created, class: 'wide-cell' }]}
            page={tags}
            row={(tag) => <Row key={tag.id} tag={tag} open={open} />}
            href={(to) => ADDRESS.write(PATH, { search, page: to })}
            isFiltered={search !== ''}
            empty={
              <EmptyState icon="tag" title={words.empty} hint={words.emptyHint}>
                {create}
              </EmptyState>
            }
            none={
              <EmptyState icon="search" title={words.none} hint={words.noneHint}>
                <Button onClick={() => route(PATH)}>{words.all}</Button>
              </EmptyState>
            }
          />
        )}
      </Panel>
      {dialog}
    </>
  );
}
