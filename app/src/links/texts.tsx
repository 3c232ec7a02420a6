import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';

/** Beside the name of a link in a list. */
export function NotesMark({ notes }: { notes: string | null }) {
  if (notes === null) return null;
  return (
    <span class="notes-mark muted" title={notes}>
      <Icon name="notes" />
      <span class="hidden">
        {t.links.texts.notes}: <bdi>{notes}</bdi>
      </span>
    </span>
  );
}

/** Beside the destination of a link in a list. */
export function ExternalId({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <code class="external-id muted" dir="auto" title={t.links.texts.externalId}>
      {id}
    </code>
  );
}
