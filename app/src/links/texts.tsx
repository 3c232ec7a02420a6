import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';

/** Beside the name of a link in a list. */
export function TextMarks({ link: { notes, externalId } }: { link: LinkCoreFragment }) {
  return (
    <>
      {externalId && (
        <code class="external-id muted" dir="auto" title={t.links.texts.externalId}>
          {externalId}
        </code>
      )}
      {notes && (
        <span class="notes-mark muted" title={notes}>
          <Icon name="notes" />
          <span class="hidden">
            {t.links.texts.notes}: <bdi>{notes}</bdi>
          </span>
        </span>
      )}
    </>
  );
}
