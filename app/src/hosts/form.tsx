import { UpdateHostInput } from '../api/generated/constraints.ts';
import type { HostFactsFragment, HostField, UpdateHostInput as Change } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { withScheme } from '../links/address.ts';
import { TagsField } from '../tags/field.tsx';
import { tagsIn } from '../tags/name.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';

const CLEARED = {
  rootUrl: 'ROOT_URL',
  notFoundUrl: 'NOT_FOUND_URL',
  expiredUrl: 'EXPIRED_URL',
} as const satisfies Partial<Record<keyof Change, HostField>>;

const URLS = Object.keys(CLEARED) as (keyof typeof CLEARED)[];
const CHOICES = ['ignoresCase', 'forwardsQuery'] as const;

/** Changes the settings, and answers why it could not. */
export type UpdateHost = (change: Change) => Promise<Problem | undefined>;

/** The form's changes of the settings; a URL whose field is empty is removed. */
function changes(values: FormData, settings: HostFactsFragment): Change {
  const change: Change = {};
  const clear: HostField[] = [];
  for (const name of URLS) {
    const url = withScheme(String(values.get(name)));
    if (url === (settings[name] ?? '')) continue;
    if (url === '') clear.push(CLEARED[name]);
    else change[name] = url;
  }
  for (const name of CHOICES) if (values.has(name) !== settings[name]) change[name] = values.has(name);
  const defaultTags = tagsIn(values, 'defaultTags');
  if (defaultTags.join() !== settings.defaultTags.join()) change.defaultTags = defaultTags;
  return clear.length > 0 ? { ...change, clear } : change;
}

interface DialogProps {
  host: string;
  settings: HostFactsFragment;
  update: UpdateHost;
  onClose(): void;
}

export default function SettingsDialog({ host, settings, update, onClose }: DialogProps) {
  const its = t.hosts;
  async function send(values: FormData) {
    const change = changes(values, settings);
    // The service refuses a change of nothing.
    const problem = Object.keys(change).length > 0 ? await update(change) : undefined;
    if (problem) return problem;
    say(its.saved(host));
    onClose();
    return undefined;
  }
  return (
    <Dialog title={its.change(host)} onClose={onClose} keepsInput>
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
        {CHOICES.map((name) => (
          <Check key={name} name={name} label={its[name]} hint={its.hints[name]} isOn={settings[name]} />
        ))}
        <TagsField name="defaultTags" label={its.defaultTags} value={settings.defaultTags} hint={its.hints.defaultTags} />
      </Form>
    </Dialog>
  );
}
