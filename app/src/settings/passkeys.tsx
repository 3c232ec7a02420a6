import { createPasskey, NO_PASSKEY, PASSKEY_KNOWN, takesPasskeys } from '../access/passkey.ts';
import { mutate } from '../api/client.ts';
import { AddPasskeyInput } from '../api/generated/constraints.ts';
import { graphql } from '../api/generated/gql.ts';
import type { PasskeyRowFragment, SettingsQuery } from '../api/generated/graphql.ts';
import type { Problem } from '../api/problem.ts';
import { formatAgo, formatDay, formatMoment } from '../i18n/format.ts';
import { t } from '../i18n/index.ts';
import { Button } from '../ui/button.tsx';
import { Confirm, Dialog, useDialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { naming } from '../ui/naming.tsx';
import { say } from '../ui/toast.tsx';

export const PASSKEY_ROW = graphql(`
  fragment PasskeyRow on Passkey {
    id
    name
    createdAt
    lastUsedAt
  }
`);

const START = graphql(`
  mutation StartPasskey {
    startPasskey {
      challenge
      options
    }
  }
`);

const ADD = graphql(`
  mutation AddPasskey($input: AddPasskeyInput!) {
    addPasskey(input: $input) {
      recoveryCodes
    }
  }
`);

const REMOVE = graphql(`
  mutation RemovePasskey($id: ID!) {
    removePasskey(id: $id)
  }
`);

const TYPES = ['Passkey', 'PasskeyListResult', 'Security'];

interface AddProps {
  /** A name to begin with. */
  name: string;
  /** What is left to do: recovery codes, if it is the first second factor. */
  onDone(codes: string[]): void;
  onClose(): void;
}

const explain = ({ code }: Problem): string | undefined =>
  code === NO_PASSKEY ? t.access.passkeys.notMade : code === PASSKEY_KNOWN ? t.access.passkeys.known : undefined;

function AddPasskey({ name, onDone, onClose }: AddProps) {
  const words = t.access.passkeys;
  async function send(values: FormData): Promise<Problem | undefined> {
    const started = await mutate(START, {});
    if (started.problem) return started.problem;
    const { answer, problem } = await createPasskey(started.data.startPasskey);
    if (!answer) return problem;
    const added = await mutate(ADD, { input: { ...answer, name: String(values.get('name')) } }, TYPES);
    if (added.problem) return added.problem;
    onClose();
    onDone(added.data.addPasskey.recoveryCodes);
    return undefined;
  }
  return (
    <Dialog title={words.addTitle} onClose={onClose} keepsInput>
      <p>{words.addLead}</p>
      <Form submit={words.add} onSubmit={send} onCancel={onClose} explain={explain}>
        <Field name="name" label={words.name} value={name} rule={AddPasskeyInput.name} hasFocus />
      </Form>
    </Dialog>
  );
}

function Row({ passkey: { name, createdAt, lastUsedAt }, onRemove }: { passkey: PasskeyRowFragment; onRemove(): void }) {
  const words = t.access.passkeys;
  return (
    <li class="session" data-row>
      <Icon name="key" />
      <div>
        <p class="session-name">
          <strong dir="auto">{name}</strong>
        </p>
        <p class="muted small facts">
          <span title={formatMoment(createdAt)}>{words.since(formatDay(createdAt))}</span>
          {lastUsedAt !== null && <span title={formatMoment(lastUsedAt)}>{words.used(formatAgo(lastUsedAt))}</span>}
        </p>
      </div>
      <Button isWrite isOpener label={words.removeLabel(name)} onClick={onRemove}>
        {words.remove}
      </Button>
    </li>
  );
}

/** The passkeys of the user. */
export default function Passkeys({ settings, onCodes }: { settings: SettingsQuery; onCodes(codes: string[]): void }) {
  const words = t.access.passkeys;
  const { dialog, open } = useDialog();
  const { passkeys } = settings.passkeys;
  const isPossible = settings.instance.hasPasskeys;
  if (!isPossible && passkeys.length === 0) return null;
  const isLast = passkeys.length === 1 && settings.security.totpSince === null;

  const here = settings.sessions.sessions.find(({ isCurrent }) => isCurrent);

  const askAdd = () =>
    open(AddPasskey, {
      name: [here?.browser, here?.os].filter(Boolean).join(', ') || words.usual,
      onDone(codes) {
        say(words.added);
        onCodes(codes);
      },
    });
  const askRemove = ({ id, name }: PasskeyRowFragment) =>
    open(Confirm, {
      title: naming(words.removeTitle, name),
      text: isLast ? words.removeLast : words.removeText,
      confirm: words.remove,
      onConfirm: async () => {
        const { problem } = await mutate(REMOVE, { id }, TYPES);
        if (!problem) say(naming(words.removed, name));
        return problem;
      },
    });

  return (
    <>
      <h3 class="field-title">{words.title}</h3>
      {passkeys.length === 0 ? (
        <p class="muted small">{words.none}</p>
      ) : (
        <ol class="sessions" aria-label={words.title} tabIndex={-1}>
          {passkeys.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onRemove={() => askRemove(passkey)} />
          ))}
        </ol>
      )}
      {isPossible && takesPasskeys && (
        <div class="form-actions start">
          <Button isWrite onClick={askAdd}>
            {words.addTitle}
          </Button>
        </div>
      )}
      {dialog}
    </>
  );
}
