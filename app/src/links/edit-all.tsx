// The form that changes many links in the same way.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ChangeLinksInput } from '../api/generated/constraints.ts';
import type { ChangeLinksInput as Change } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, Select, TextArea } from '../ui/form.tsx';
import { changeOf } from './fields.ts';
import { forwardChoices } from './form-fields.tsx';

const NAMES = ['title', 'notes', 'startsAt', 'expiresAt', 'maxClicks', 'expiredUrl', 'forwardsQuery'] as const;
type Name = (typeof NAMES)[number];

const CHOICES = ['keep', 'set', 'clear'] as const;
type Choice = (typeof CHOICES)[number];

/** What every field of the form has. */
interface Shared {
  name: Name;
  label: string;
  isBare: true;
}

/** Nothing is asked of the fields that are to stay or to go. */
const FIELDS: Record<Name, (shared: Shared) => ComponentChildren> = {
  title: (shared) => <Field {...shared} isProse rule={{ ...ChangeLinksInput.title, required: true }} />,
  notes: (shared) => <TextArea {...shared} rule={{ ...ChangeLinksInput.notes, required: true }} />,
  startsAt: (shared) => (
    <Field {...shared} type="datetime-local" rule={{ required: true }} hint={t.links.life.startsHint(timeZone())} />
  ),
  expiresAt: (shared) => (
    <Field {...shared} type="datetime-local" rule={{ required: true }} hint={t.links.life.expiresHint(timeZone())} />
  ),
  maxClicks: (shared) => (
    <Field {...shared} type="number" rule={{ ...ChangeLinksInput.maxClicks, required: true }} hint={t.links.life.maxClicksHint} />
  ),
  expiredUrl: (shared) => (
    <Field {...shared} inputMode="url" rule={{ ...ChangeLinksInput.expiredUrl, required: true }} hint={t.links.life.expiredUrlHint} />
  ),
  forwardsQuery: (shared) => <Select {...shared} options={forwardChoices()} hint={t.links.forwards.hint} />,
};

interface EditAllProps {
  count: number;
  /** Changes them, and answers why it could not. */
  update(change: Change): Promise<Problem | undefined>;
  onClose(): void;
}

export default function EditAllDialog({ count, update, onClose }: EditAllProps) {
  const [choices, setChoices] = useState<Partial<Record<Name, Choice>>>({});
  const words = t.links.editAll;
  const labels: Record<Name, string> = { ...t.links.texts, ...t.links.life };
  const labelOf = (name: Name, choice: Choice) =>
    name === 'forwardsQuery' && choice === 'clear' ? t.links.forwards.asDomain : words.choices[choice];

  async function send(values: FormData) {
    const chosen = NAMES.filter((name) => (choices[name] ?? 'keep') !== 'keep');
    const [addTags, removeTags] = [tagsIn(values, 'addTags'), tagsIn(values, 'removeTags')];
    if (chosen.length + addTags.length + removeTags.length === 0) return { code: '', message: words.nothing, violations: [], details: {} };
    const problem = await update({
      ...changeOf(values, chosen),
      ...(addTags.length > 0 && { addTags }),
      ...(removeTags.length > 0 && { removeTags }),
    });
    if (!problem) onClose();
    return problem;
  }
  return (
    <Dialog title={words.title(count)} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        {NAMES.map((name, at) => (
          <div key={name} class="part">
            <Select
              label={labels[name]}
              hasFocus={at === 0}
              value={choices[name] ?? 'keep'}
              onChange={(choice) => setChoices({ ...choices, [name]: choice })}
              options={CHOICES.map((value) => ({ value, label: labelOf(name, value) }))}
            />
            {choices[name] === 'set' && FIELDS[name]({ name, label: words.set(labels[name]), isBare: true })}
          </div>
        ))}
        <TagsField name="addTags" label={t.tags.field.add} hint={t.tags.field.hint} />
        <TagsField name="removeTags" label={t.tags.field.take} />
      </Form>
    </Dialog>
  );
}
