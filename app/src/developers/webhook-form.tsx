import { useId, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { CreateWebhookInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { withScheme } from '../links/address.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { say } from '../ui/toast.tsx';
import { useVersion } from '../ui/version.ts';
import { eventGroups } from './events.ts';
import { LinkPicker } from './link-picker.tsx';
import { UPDATE, type Webhook } from './webhook-fields.ts';

const CREATE = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      webhook {
        id
      }
      secret
    }
  }
`);

interface GroupProps {
  name: string;
  events: string[];
  chosen: ReadonlySet<string>;
  choose(events: string[], isOn: boolean): void;
}

function EventGroup({ name, events, chosen, choose }: GroupProps) {
  const id = useId();
  const on = events.filter((event) => chosen.has(event)).length;
  return (
    <div class="event-group" role="group" aria-label={name}>
      <label class="event-head">
        <input
          type="checkbox"
          aria-label={t.developers.webhooks.selectGroup(name)}
          checked={on === events.length}
          indeterminate={on > 0 && on < events.length}
          onChange={(event) => choose(events, event.currentTarget.checked)}
        />
        <strong>{name}</strong>
      </label>
      {events.map((event) => (
        <div key={event} class="event">
          <input
            id={id + event}
            type="checkbox"
            checked={chosen.has(event)}
            onChange={(change) => choose([event], change.currentTarget.checked)}
          />
          <label for={id + event}>
            <code>{event}</code>
            <span class="muted small">{t.developers.events[event]}</span>
          </label>
        </div>
      ))}
    </div>
  );
}

/** The secret is told this once. */
export interface Created {
  id: string;
  secret: string;
}

interface WebhookFormProps {
  /** The webhook to change. Undefined: a new one is created. */
  webhook?: Webhook;
  onClose(): void;
  onCreated?: (created: Created) => void;
}

const failing = (path: string, message: string): Problem => ({
  code: 'VALIDATION_ERROR',
  message,
  violations: [{ path, message }],
  details: {},
});

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const words = t.developers.webhooks;
  const version = useVersion(webhook?.updatedAt);
  const [events, setEvents] = useState<ReadonlySet<string>>(new Set(webhook?.events ?? ['link.clicked']));
  const [linkIds, setLinkIds] = useState<string[] | null>(webhook?.linkIds ?? null);

  function choose(changed: string[], isOn: boolean) {
    const next = new Set(events);
    for (const event of changed) {
      if (isOn) next.add(event);
      else next.delete(event);
    }
    setEvents(next);
  }

  async function send(values: FormData) {
    if (events.size === 0) return failing('', words.needsEvent);
    if (linkIds?.length === 0) return failing('', words.needsLink);
    const input = {
      name: String(values.get('name')).trim(),
      url: withScheme(String(values.get('url'))),
      events: CreateWebhookInput.events.values.filter((event) => events.has(event)),
      linkIds,
      batch: values.has('batch'),
      excludeBots: values.has('excludeBots'),
    };
    if (webhook) {
      const { problem } = await mutate(UPDATE, { id: webhook.id, input: version.of(input) });
      if (problem) return version.told(problem);
      say(words.saved);
      onClose();
      return undefined;
    }
    const { data, problem } = await mutate(CREATE, { input }, ['Webhook']);
    if (problem) return problem;
    const { webhook: created, secret } = data.createWebhook;
    onCreated?.({ id: created.id, secret });
    return undefined;
  }

  return (
    <Dialog title={webhook ? words.edit : words.new} onClose={onClose} keepsInput class="wide">
      <Form
        submit={webhook ? t.action.save : words.create}
        onSubmit={send}
        onCancel={onClose}
        explain={({ violations }) => (violations[0]?.path === '' ? <p>{violations[0].message}</p> : undefined)}
      >
        <div class="field-row">
          <Field name="name" label={words.name} value={webhook?.name} placeholder="CRM" rule={CreateWebhookInput.name} hasFocus />
          <Field
            name="url"
            label={words.url}
            value={webhook?.url}
            inputMode="url"
            placeholder="https://hooks.example.com/linkgraph"
            hint={words.urlHint}
            rule={CreateWebhookInput.url}
          />
        </div>
        <fieldset>
          <legend>
            {words.events} <span class="muted">({words.eventCount(events.size)})</span>
          </legend>
          <div class="event-groups">
            {eventGroups().map(([name, members]) => (
              <EventGroup key={name} name={name} events={members} chosen={events} choose={choose} />
            ))}
          </div>
          <p class="hint" role="status">
            {events.size === 1 && events.has('link.clicked') && words.onlyClicks}
          </p>
        </fieldset>
        <details class="webhook-options" open={webhook && (webhook.batch || webhook.excludeBots || linkIds !== null)}>
          <summary>
            <Icon name="filter" /> {words.options}
          </summary>
          <LinkPicker ids={linkIds} onChange={setLinkIds} />
          <Check name="excludeBots" label={words.excludeBots} isOn={webhook?.excludeBots} />
          <Check name="batch" label={words.batch} hint={words.batchHint} isOn={webhook?.batch} />
        </details>
      </Form>
    </Dialog>
  );
}
