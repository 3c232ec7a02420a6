import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { lookAgain, status } from '../session/session.ts';
import { Form } from '../ui/form.tsx';
import { Banner } from '../ui/states.tsx';
import { Door, takeToken } from './door.tsx';

const UNDO = graphql(`
  mutation UndoEmailChange($input: UndoEmailChangeInput!) {
    undoEmailChange(input: $input) {
      message
    }
  }
`);

/** The token that took an address back: the page may be made anew, in another language. */
const used = signal('');

const explain = ({ code }: Problem) => (code === 'UNAUTHENTICATED' ? t.access.undo.spent : undefined);

/** Takes the earlier address of a user back, by the link of the mail to it. It asks first: programs open the links of mails, too. */
export default function UndoEmail() {
  const words = t.access.undo;
  const token = useMemo(takeToken, []);
  const isDone = token !== '' && used.value === token;
  async function send() {
    const { problem } = await mutate(UNDO, { input: { token } });
    if (problem) return problem;
    await lookAgain();
    used.value = token;
    return undefined;
  }
  return (
    <Door title={words.title}>
      {isDone && (
        <Banner icon="check" kind="info">
          {words.done}
        </Banner>
      )}
      {!token && <Banner icon="alert">{t.access.reset.noToken}</Banner>}
      {token && !isDone && (
        <Form submit={words.submit} onSubmit={send} explain={explain}>
          <p>{words.lead}</p>
          <ul class="door-list">
            {words.effects.map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
        </Form>
      )}
      <p class="door-links">
        {status.value === 'in' ? <a href="/app">{t.shell.toOverview}</a> : <a href="/app/login">{t.access.forgot.toLogin}</a>}
      </p>
    </Door>
  );
}
