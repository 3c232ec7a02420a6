import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { user } from '../session/session.ts';
import { naming } from '../ui/naming.tsx';
import { complain, say } from '../ui/toast.tsx';

const SEND = graphql(`
  mutation SendVerification {
    sendVerification {
      message
    }
  }
`);

/** Sends another mail to the address that is not proved yet, says how that went, and answers whether it is on its way. */
export async function sendVerification(): Promise<boolean> {
  const { pendingEmail, email } = user.value!;
  const { problem } = await mutate(SEND, {});
  if (problem) complain(problem);
  else say(naming(t.session.mailSent, pendingEmail ?? email));
  return !problem;
}
