import { useEffect, useId, useState } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { readableShort } from '../links/address.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { Icon } from '../ui/icons.tsx';
import { useTyped } from '../ui/typed.ts';

const FIND = graphql(`
  query LinksToPick($search: String!) {
    links(search: $search, pageSize: 6, sort: MOST_CLICKED) {
      data {
        id
        shortUrl
      }
    }
  }
`);

const NAME = graphql(`
  query LinkName($id: ID!) {
    link(id: $id) {
      id
      shortUrl
    }
  }
`);

const WAIT_MS = 200;

interface Named {
  id: string;
  shortUrl: string;
}

/** The short URLs of links that are known by their ids alone; null is a link that was deleted. */
function useUrls(ids: string[]) {
  const [urls, setUrls] = useState<Record<string, string | null>>({});
  useEffect(() => {
    for (const id of ids.filter((each) => !(each in urls))) {
      void fetchOnce(NAME, { id }).then(({ data }) => {
        setUrls((known) => ({ ...known, [id]: data ? data.link.shortUrl : null }));
      });
    }
  }, []);
  const add = (link: Named) => setUrls((known) => ({ ...known, [link.id]: link.shortUrl }));
  return { urls, add };
}

/** All links, or those that are chosen: `null` are all. */
export function LinkPicker({ ids, onChange }: { ids: string[] | null; onChange(ids: string[] | null): void }) {
  const words = t.developers.webhooks;
  const { urls, add } = useUrls(ids ?? []);
  const { answer: found, type } = useTyped<string, Named[]>(async (text) => {
    const { data } = await fetchOnce(FIND, { search: text.trim().slice(0, 200) });
    return data?.links.data;
  }, WAIT_MS);
  const id = useId();

  const isAll = ids === null;
  return (
    <div class="link-picker">
      <Select
        label={words.links}
        value={isAll ? 'all' : 'some'}
        onChange={(value) => onChange(value === 'all' ? null : [])}
        options={[
          { value: 'all', label: words.allLinks },
          { value: 'some', label: words.someLinks },
        ]}
      />
      {!isAll && (
        <>
          <p class="hint">{words.linksHint}</p>
          {ids.length > 0 && (
            <ul class="picked">
              {ids.map((each) => {
                const url = urls[each];
                const name = url === null ? words.deletedLink : url === undefined ? '…' : readableShort(url);
                return (
                  <li key={each} class="chip">
                    <bdi>{name}</bdi>
                    <Button
                      kind="quiet"
                      icon="close"
                      label={words.removeLink(name)}
                      onClick={() => onChange(ids.filter((other) => other !== each))}
                    />
                  </li>
                );
              })}
            </ul>
          )}
          <div class="search-field">
            <Icon name="search" />
            <input
              id={id}
              type="search"
              aria-label={words.findLink}
              placeholder={words.findLink}
              onFocus={() => !found && type('')}
              onInput={(event) => type(event.currentTarget.value)}
              onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
            />
          </div>
          {found && (
            <ul class="found">
              {found
                .filter((link) => !ids.includes(link.id))
                .map((link) => (
                  <li key={link.id}>
                    <Button
                      kind="quiet"
                      icon="plus"
                      onClick={() => {
                        add(link);
                        onChange([...ids, link.id]);
                      }}
                    >
                      <bdi>{readableShort(link.shortUrl)}</bdi>
                    </Button>
                  </li>
                ))}
              {found.length === 0 && <li class="muted small">{words.noLink}</li>}
            </ul>
          )}
        </>
      )}
    </div>
  );
}
