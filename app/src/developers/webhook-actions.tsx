// Actions on webhooks, for each page that shows them.
import { useRef, useState } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { Confirm } from '../ui/dialog.tsx';
import { naming } from '../ui/naming.tsx';
import { complain, say } from '../ui/toast.tsx';
import { Code, ShownOnce } from './shown-once.tsx';
import { UPDATE, type Webhook } from './webhook-fields.ts';
import { WebhookForm } from './webhook-form.tsx';

const TEST = graphql(`
  mutation TestWebhook($id: ID!) {
    testWebhook(id: $id) {
      id
    }
  }
`);

const ROTATE = graphql(`
  mutation RotateWebhookSecret($id: ID!) {
    rotateWebhookSecret(id: $id) {
      secret
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteWebhook($id: ID!) {
    deleteWebhook(id: $id)
  }
`);

export async function activate({ id, name }: Webhook, isActive: boolean): Promise<void> {
  const { problem } = await mutate(UPDATE, { id, input: { isActive } });
  const words = t.developers.webhooks;
  if (problem) complain(problem);
  else say(naming(isActive ? words.resumed : words.paused, name));
}

export async function sendTest(id: string): Promise<void> {
  const { problem } = await mutate(TEST, { id });
  if (problem) complain(problem);
  else say(t.developers.webhooks.tested);
}

const verification = (secret: string): string => `import { Webhook } from "standardwebhooks";

const webhook = new Webhook("${secret}");
// Throws if the signature is wrong. The body is the raw text, not parsed JSON.
const event = webhook.verify(body, request.headers);`;

/** A webhook's secret, this once, with the code that uses it. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  const words = t.developers.secret;
  return (
    <ShownOnce title={words.title} label={words.label} secret={secret} onClose={onClose}>
      <div class="field">
        <h3>{words.verify}</h3>
        <p class="hint">{words.verifyHint}</p>
        <Code text={verification(secret)} copyLabel={words.copyCode} />
        <p class="hint">{words.twice}</p>
      </div>
    </ShownOnce>
  );
}

interface DialogProps {
  webhook: Webhook;
  onClose(): void;
  /** After it was deleted. */
  onGone?: () => void;
}

function DeleteDialog({ webhook: { id, name, url }, onClose, onGone }: DialogProps) {
  const words = t.developers.webhooks;
  async function act() {
    const { problem } = await mutate(DELETE, { id }, ['Webhook', 'WebhookPageResult']);
    if (!problem) {
      say(naming(words.removed, name));
      onGone?.();
    }
    return problem;
  }
  return (
    <Confirm
      title={naming(words.removeTitle, name)}
      text={naming(words.removeText, url)}
      confirm={words.remove}
      onConfirm={act}
      onClose={onClose}
    />
  );
}

function RotateDialog({ webhook: { id }, onClose }: DialogProps) {
  const words = t.developers.webhooks;
  const [secret, setSecret] = useState<string>();
  const isDone = useRef(false);
  async function act() {
    const { data, problem } = await mutate(ROTATE, { id });
    isDone.current = !problem;
    setSecret(data?.rotateWebhookSecret.secret);
    return problem;
  }
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />;
  return (
    <Confirm
      title={words.rotateTitle}
      text={words.rotateText}
      confirm={words.rotateConfirm}
      onConfirm={act}
      // Once it is done, the new secret takes its place.
      onClose={() => isDone.current || onClose()}
    />
  );
}

export type Asked = 'edit' | 'rotate' | 'delete';

/** The dialog that was asked for. */
export function WebhookDialog({ asked, ...props }: DialogProps & { asked: Asked }) {
  if (asked === 'edit') return <WebhookForm {...props} />;
  if (asked === 'rotate') return <RotateDialog {...props} />;
  return <DeleteDialog {...props} />;
}
