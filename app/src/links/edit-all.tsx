// The form that changes many links in the same way.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ChangeLinksInput } from '../api/generated/constraints.ts';
import type { ChangeLinksInput as Change } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { useData } from '../api/use.ts';
import { timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Select } from '../ui/field.tsx';
import { Field, Form, TextArea } from '../ui/form.tsx';
import UtmFields from '../utm/fields.tsx';
import { useUtm } from '../utm/typed.ts';
import { changeOf, passwordIn } from './fields.ts';
import { forwardChoices } from './form-fields.tsx';
import { FORM, FORM_TYPES } from './hosts.ts';

const NAMES = ['title', 'notes', 'startsAt', 'expiresAt', 'maxClicks', 'expiredUrl', 'forwardsQuery', 'asksFirst', 'notice'] as const;
type Name = (typeof NAMES)[number];

const CHOICES = ['keep', 'set', 'clear'] as const;
type Choice = (typeof CHOICES)[number];

/** Properties of each field of the form. */
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
  // To set it is to ask.
  asksFirst: ({ name }) => <input type="hidden" name={name} value="true" />,
  notice: (shared) => (
    <TextArea {...shared} rule={{ ...ChangeLinksInput.notice, required: true }} hint={t.linkForms.gate.noticeHint} />
  ),
};

interface PartProps {
  label: string;
  choice: Choice | undefined;
  choose(choice: Choice): void;
  labelOf?: (choice: Choice) => string;
  /** The input that is shown if it is to be set. */
  children: ComponentChildren;
}

function Part({ label, choice = 'keep', choose, labelOf = (each) => t.linkForms.editAll.choices[each], children }: PartProps) {
  return (
    <div class="part">
      <Select
        label={label}
        value={choice}
        onChange={choose}
        options={CHOICES.map((value) => ({ value, label: labelOf(value) }))}
      />
      {choice === 'set' && children}
    </div>
  );
}

interface EditAllProps {
  count: number;
  /** Changes them, and answers why it could not. */
  update(change: Change): Promise<Problem | undefined>;
  onClose(): void;
}

export default function EditAllDialog({ count, update, onClose }: EditAllProps) {
  const { data } = useData(FORM, {}, FORM_TYPES);
  const [choices, setChoices] = useState<Partial<Record<Name, Choice>>>({});
  const [utmChoice, setUtmChoice] = useState<Choice>();
  const [passwordChoice, setPasswordChoice] = useState<Choice>();
  const utm = useUtm('');
  const words = t.linkForms.editAll;
  /** Many links have no title in common. */
  const names = NAMES.filter((name) => count === 1 || name !== 'title');
  const labels: Record<Name, string> = { ...t.links.texts, ...t.links.life, ...t.links.gate };
  /** To take it away from them lets their domains say it. */
  const labelOf: Partial<Record<Name, (choice: Choice) => string>> = {
    forwardsQuery: (choice) => (choice === 'clear' ? t.links.forwards.asDomain : words.choices[choice]),
    asksFirst: (choice) => ({ ...words.choices, set: t.linkForms.gate.asksFirst, clear: t.linkForms.gate.atOnce })[choice],
  };

  async function send(values: FormData) {
    const chosen = NAMES.filter((name) => (choices[name] ?? 'keep') !== 'keep');
    const [addTags, removeTags] = [tagsIn(values, 'addTags'), tagsIn(values, 'removeTags')];
    const change: Change = {
      ...changeOf(values, chosen),
      ...(passwordChoice === 'clear' ? { password: null } : passwordIn(values)),
      ...(utmChoice === 'clear' && { utm: null }),
      ...(utmChoice === 'set' && utm.change && { utm: utm.change }),
      ...(addTags.length > 0 && { addTags }),
      ...(removeTags.length > 0 && { removeTags }),
    };
    if (Object.keys(change).length === 0) return { code: '', message: words.nothing, violations: [], details: {} };
    const problem = await update(change);
    if (!problem) onClose();
    return problem;
  }
  return (
    <Dialog title={words.title(count)} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        <TagsField name="addTags" label={t.tags.field.add} hint={t.tags.field.hint} hasFocus />
        <TagsField name="removeTags" label={t.tags.field.take} />
        {names.map((name) => (
          <Part
            key={name}
            label={labels[name]}
            choice={choices[name]}
            choose={(choice) => setChoices({ ...choices, [name]: choice })}
            labelOf={labelOf[name]}
          >
            {FIELDS[name]({ name, label: words.set(labels[name]), isBare: true })}
          </Part>
        ))}
        <Part label={t.links.gate.password} choice={passwordChoice} choose={setPasswordChoice}>
          <Field
            name="password"
            label={words.set(t.links.gate.password)}
            isBare
            rule={{ ...ChangeLinksInput.password, required: true }}
            hint={t.linkForms.gate.passwordHint}
          />
        </Part>
        <Part label={t.links.utm} choice={utmChoice} choose={setUtmChoice}>
          <UtmFields utm={utm} templates={data?.utmTemplates.data ?? []} hint={t.utm.emptyStays} />
        </Part>
      </Form>
    </Dialog>
  );
}
