import { Fragment } from 'preact';
import { t } from '../i18n/index.ts';

/** The address of the list of the links that have a tag. */
export const linksOf = (tag: string): string => `/app/links?${new URLSearchParams({ tag })}`;

/** The tags of a link, or the first of them. Each leads to the links that have it. */
export function TagChips({ tags, most = tags.length }: { tags: string[]; most?: number }) {
  if (tags.length === 0) return null;
  const others = tags.slice(most);
  return (
    <ul class="tags" aria-label={t.tags.title}>
      {tags.slice(0, most).map((tag) => (
        <li key={tag}>
          <a class="chip" dir="auto" href={linksOf(tag)} title={tag}>
            {tag}
          </a>
        </li>
      ))}
      {others.length > 0 && (
        <li class="muted small" title={others.join(', ')}>
          <span aria-hidden="true">+{others.length}</span>
          <span class="hidden">
            {others.map((tag, at) => (
              <Fragment key={tag}>
                {at > 0 && ', '}
                <bdi>{tag}</bdi>
              </Fragment>
            ))}
          </span>
        </li>
      )}
    </ul>
  );
}
