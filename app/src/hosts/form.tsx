import { UpdateHostInput } from '../api/generated/constraints.ts';
import type { HostFactsFragment, UpdateHostInput as Change } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { withScheme } from '../links/address.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Field, Form, TextArea } from '../ui/form.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';

const URLS = ['rootUrl', 'notFoundUrl', 'expiredUrl', 'faviconUrl'] as const;
const CHOICES = ['ignoresCase', 'forwardsQuery'] as const;

/** Changes the settings, and answers why it could not. */
export type UpdateHost = (change: Change) => Promise<Problem | undefined>;

/** The form's changes of the settings; null takes away what is empty. */
function changes(values: FormData, settings: HostFactsFragment): Change {
  const change: Change = {};
  for (const name of URLS) {
    const url = withScheme(String(values.get(name)));
    if (url === (settings[name] ?? '')) continue;
    change[name] = url || null;
  }
  const contact = String(values.get('securityContact')).trim();
  if (contact !== (settings.securityContact ?? '')) change.securityContact = contact || null;
  const robots = String(values.get('robotsText')).replaceAll(/\r\n?/g, '\n');
  if (robots !== (settings.robotsText ?? '')) change.robotsText = robots || null;
  for (const name of CHOICES) if (values.has(name) !== settings[name]) change[name] = values.has(name);
  const defaultTags = tagsIn(values, 'defaultTags');
  if (defaultTags.join() !== settings.defaultTags.join()) change.defaultTags = defaultTags;
  return change;
}

interface DialogProps {
  host: string;
  settings: HostFactsFragment;
  updatedAt: string;
  update: UpdateHost;
  onClose(): void;
}

export default function SettingsDialog({ host, settings, updatedAt, update, onClose }: DialogProps) {
  const its = t.hosts;
  const version = useVersion(updatedAt);
  async function send(values: FormData) {
    const change = changes(values, settings);
    // The service refuses a change of nothing.
    const problem = Object.keys(change).length > 0 ? await update(version.of(change)) : undefined;
    if (problem) return version.told(problem);
    say(naming(its.saved, host));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={naming(its.change, host)} onClose={onClose} keepsInput>
      <Form submit={t.action.save} onSubmit={send} onCancel={onClose}>
        {URLS.map((name, at) => (
          <Field
            key={name}
            name={name}
            label={its[name]}
            value={settings[name] ?? undefined}
            hint={its.hints[name]}
            inputMode="url"
            rule={UpdateHostInput[name]}
            hasFocus={at === 0}
          />
        ))}
        <Field
          name="securityContact"
          label={its.securityContact}
          value={settings.securityContact ?? undefined}
          hint={its.hints.securityContact}
          rule={UpdateHostInput.securityContact}
        />
        <TextArea
          name="robotsText"
          label={its.robotsText}
          value={settings.robotsText ?? undefined}
          hint={its.hints.robotsText}
          rule={UpdateHostInput.robotsText}
        />
        {CHOICES.map((name) => (
          <Check key={name} name={name} label={its[name]} hint={its.hints[name]} isOn={settings[name]} />
        ))}
        <TagsField name="defaultTags" label={its.defaultTags} value={settings.defaultTags} hint={its.hints.defaultTags} />
      </Form>
    </Dialog>
  );
}
