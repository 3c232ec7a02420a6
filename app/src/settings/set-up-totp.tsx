import { atCode, codeIn } from '../access/code-field.tsx';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { CopyButton } from '../ui/copy.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { QrCode } from '../ui/qr.tsx';

const CONFIRM = graphql(`
  mutation ConfirmTotp($input: ConfirmTotpInput!) {
    confirmTotp(input: $input) {
      recoveryCodes
    }
  }
`);

interface SetUpProps {
  secret: string;
  /** The secret as apps scan it. */
  uri: string;
  onDone(codes: string[]): void;
  onClose(): void;
}

/** A key as people type it: four characters at a time. */
const inFours = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';

/** Gives the secret to an authenticator app. Nothing changes until a code of the app was right. */
export default function SetUpTotp({ secret, uri, onDone, onClose }: SetUpProps) {
  const words = t.access.totp;
  async function send(values: FormData): Promise<Problem | undefined> {
    const { data, problem } = await mutate(CONFIRM, { input: { code: codeIn(values) } }, ['Security']);
    if (problem) return atCode(problem);
    onClose();
    onDone(data.confirmTotp.recoveryCodes);
    return undefined;
  }
  return (
    <Dialog title={t.settings.security.setUpTitle} onClose={onClose} keepsInput>
      <p>{words.scan}</p>
      <QrCode text={uri} label={words.qr} />
      <div class="field">
        <h3>{words.secret}</h3>
        <div class="totp-secret">
          <code>{inFours(secret)}</code>
          <CopyButton text={secret} label={words.copySecret} isUnsaid />
        </div>
      </div>
      <Form submit={words.turnOn} onSubmit={send} onCancel={onClose}>
        <Field name="code" label={words.code} autocomplete="one-time-code" inputMode="numeric" rule={{ required: true }} />
      </Form>
    </Dialog>
  );
}
