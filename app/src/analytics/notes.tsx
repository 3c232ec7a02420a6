import { useRoute } from 'preact-iso/router';
import { mutate } from '../api/client.ts';
import { CreateAnnotationInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { NoteFragment, NotesFragment } from '../api/generated/graphql.ts';
import { minuteOf, momentOf } from '../i18n/clock.ts';
import { formatMinute, formatNumber, timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog, useDialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';

export const NOTES = graphql(`
  fragment Notes on AnnotationPageResult {
    total
    data {
      ...Note
    }
  }
`);

export const NOTE = graphql(`
  fragment Note on Annotation {
    id
    occurredAt
    text
    updatedAt
  }
`);

const CREATE = graphql(`
  mutation CreateAnnotation($input: CreateAnnotationInput!) {
    createAnnotation(input: $input) {
      id
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateAnnotation($id: ID!, $input: UpdateAnnotationInput!) {
    updateAnnotation(id: $id, input: $input) {
      id
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteAnnotation($id: ID!) {
    deleteAnnotation(id: $id)
  }
`);

/** Writes a note down, or changes one that is there. */
function NoteDialog({ note, onClose }: { note?: NoteFragment; onClose(): void }) {
  const words = t.notes;
  const linkId = useRoute().params.id;
  const version = useVersion(note?.updatedAt);
  async function send(values: FormData) {
    const input = { occurredAt: momentOf(String(values.get('occurredAt'))), text: String(values.get('text')).trim() };
    const { problem } = note
      ? await mutate(UPDATE, { id: note.id, input: version.of(input) })
      : await mutate(CREATE, { input: { ...input, linkId } }, ['Annotation']);
    if (problem) return version.told(problem);
    say(words.saved);
    onClose();
    return undefined;
  }
  return (
    <Dialog title={note ? words.edit : words.add} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        <Field name="text" label={words.text} hint={words.hint} value={note?.text} rule={CreateAnnotationInput.text} hasFocus isProse />
        <Field
          name="occurredAt"
          type="datetime-local"
          label={words.at}
          hint={words.zone(timeZone())}
          value={minuteOf(note?.occurredAt ?? new Date().toISOString())}
          rule={CreateAnnotationInput.occurredAt}
        />
      </Form>
    </Dialog>
  );
}

function DeleteDialog({ note: { id, text }, onClose }: { note: NoteFragment; onClose(): void }) {
  const words = t.notes;
  async function act() {
    const { problem } = await mutate(DELETE, { id }, ['Annotation']);
    if (!problem) say(words.removed);
    return problem;
  }
  return <Confirm title={naming(words.removeTitle, text)} text={words.removeText} confirm={t.action.delete} onConfirm={act} onClose={onClose} />;
}

/** What happened in the time that is shown, the latest first: as many as the chart marks. */
export function Notes({ notes: { data: notes, total } }: { notes: NotesFragment }) {
  const words = t.notes;
  const { dialog, open } = useDialog();
  return (
    <>
      {notes.length === 0 && <p class="muted">{words.empty}</p>}
      <ul class="noted">
        {notes.map((note) => (
          <li key={note.id}>
            <time class="muted" dateTime={note.occurredAt}>
              {formatMinute(note.occurredAt)}
            </time>
            <span dir="auto">{note.text}</span>
            <Button kind="quiet" icon="edit" label={words.editOf(note.text)} needs="LINKS_WRITE" isWrite onClick={() => open(NoteDialog, { note })} />
            <Button kind="quiet" icon="trash" label={words.removeOf(note.text)} needs="LINKS_WRITE" isWrite onClick={() => open(DeleteDialog, { note })} />
          </li>
        ))}
      </ul>
      {total > notes.length && <p class="muted">{words.earlier(formatNumber(total - notes.length))}</p>}
      <Button icon="plus" needs="LINKS_WRITE" isWrite onClick={() => open(NoteDialog, {})}>
        {words.add}
      </Button>
      {dialog}
    </>
  );
}
