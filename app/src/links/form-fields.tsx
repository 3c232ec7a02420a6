// The fields of forms. Their rules are the same for a new link and for one that is there.
import { useState } from 'preact/hooks';
import { CreateLinkInput } from '../api/generated/constraints.ts';
import { timeZone } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Select } from '../ui/field.tsx';
import { Check, Field, TextArea } from '../ui/form.tsx';
import { type Fields, NO_PASSWORD, textsOf } from './fields.ts';

function TextFields({ link }: { link?: Fields }) {
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

export const forwardChoices = () => [
  { value: 'true', label: t.links.forwards.yes },
  { value: 'false', label: t.links.forwards.no },
];

function ForwardField({ link }: { link?: Fields }) {
  const [choice, setChoice] = useState(link ? textsOf(link).forwardsQuery : '');
  return (
    <Select
      name="forwardsQuery"
      label={t.links.life.forwardsQuery}
      value={choice}
      onChange={setChoice}
      hint={t.links.forwards.hint}
      options={[{ value: '', label: t.links.forwards.asDomain }, ...forwardChoices()]}
    />
  );
}

function LifeFields({ link }: { link?: Fields }) {
  const texts = link && textsOf(link);
  const words = t.links.life;
  return (
    <>
      <div class="field-row">
        <Field name="startsAt" type="datetime-local" label={words.startsAt} value={texts?.startsAt} hint={words.startsHint(timeZone())} />
        <Field name="expiresAt" type="datetime-local" label={words.expiresAt} value={texts?.expiresAt} hint={words.expiresHint(timeZone())} />
      </div>
      <Field
        name="maxClicks"
        type="number"
        label={words.maxClicks}
        value={texts?.maxClicks}
        hint={words.maxClicksHint}
        rule={CreateLinkInput.maxClicks}
      />
      <Field
        name="expiredUrl"
        label={words.expiredUrl}
        value={texts?.expiredUrl}
        hint={words.expiredUrlHint}
        inputMode="url"
        rule={CreateLinkInput.expiredUrl}
      />
    </>
  );
}

const askChoices = () => [
  { value: '', label: t.linkForms.gate.atOnce },
  { value: 'true', label: t.linkForms.gate.asksFirst },
];

function GateFields({ link }: { link?: More }) {
  const words = t.linkForms.gate;
  const [asks, setAsks] = useState(link ? textsOf(link).asksFirst : '');
  return (
    <>
      <Field
        name="password"
        label={t.links.gate.password}
        hint={link?.hasPassword ? words.newPasswordHint : words.passwordHint}
        rule={CreateLinkInput.password}
      />
      {link?.hasPassword && <Check name={NO_PASSWORD} label={words.noPassword} />}
      <Select name="asksFirst" label={t.links.gate.asksFirst} value={asks} onChange={setAsks} options={askChoices()} />
      <TextArea
        name="notice"
        label={t.links.gate.notice}
        value={link && textsOf(link).notice}
        hint={words.noticeHint}
        rule={CreateLinkInput.notice}
      />
    </>
  );
}

/** The fields of a link, and whether it has a password. */
type More = Fields & { hasPassword?: boolean };

/** The fields that few links need. */
export const MoreFields = ({ link }: { link?: More; onClose?(): void }) => (
  <>
    <TextFields link={link} />
    <LifeFields link={link} />
    <ForwardField link={link} />
    <GateFields link={link} />
  </>
);
