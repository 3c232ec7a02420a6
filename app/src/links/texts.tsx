// What names a link and says what it is for: the fields of forms, and what is shown of it.
import { CreateLinkInput } from '../api/generated/constraints.ts';
import type { LinkCoreFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { Field, TextArea } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { type Fields, textsOf } from './fields.ts';

/** The rules are the same for a new link and for one that is there. */
export function TitleField({ value }: { value?: string }) {
  const { title, titleHint } = t.links.texts;
  return <Field name="title" label={title} value={value} hint={titleHint} rule={CreateLinkInput.title} isOptional isProse />;
}

export function TextFields({ link }: { link?: Fields }) {
  const texts = link && textsOf(link);
  const words = t.links.texts;
  return (
    <>
      <TextArea name="notes" label={words.notes} value={texts?.notes} hint={words.notesHint} rule={CreateLinkInput.notes} />
      <Field
        name="externalId"
        label={words.externalId}
        value={texts?.externalId}
        hint={words.externalIdHint}
        rule={CreateLinkInput.externalId}
      />
    </>
  );
}

/** Beside the name of a link in a list. */
export function TextMarks({ link: { notes, externalId } }: { link: LinkCoreFragment }) {
  return (
    <>
      {externalId && (
        <code class="external-id muted" title={t.links.texts.externalId}>
          {externalId}
        </code>
      )}
      {notes && (
        <span class="notes-mark muted" title={notes}>
          <Icon name="notes" />
          <span class="hidden">
            {t.links.texts.notes}: {notes}
          </span>
        </span>
      )}
    </>
  );
}
