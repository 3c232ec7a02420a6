import { t } from '../i18n/index.ts';
import { signOut, user } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { explainLogin, signInWith } from './sign-in.ts';

/** Signs the same user in again, above the page: what waits for a token goes on then. */
export default function SessionOver() {
  return (
    <Dialog title={t.session.isOver}>
      <p class="muted">{t.session.lead}</p>
      <Form submit={t.session.signIn} onSubmit={signInWith} explain={explainLogin}>
        <Field
          name="email"
          type="email"
          label={t.session.email}
          autocomplete="username"
          value={user.value?.email}
          isReadOnly
        />
        <Field
          name="password"
          type="password"
          label={t.session.password}
          autocomplete="current-password"
          rule={{ required: true }}
          hasFocus
        />
        <Check name="isPersistent" label={t.session.stay} isOn />
      </Form>
      <p>
        <Button kind="quiet" onClick={() => void signOut()}>
          {t.session.leave}
        </Button>
      </p>
    </Dialog>
  );
}
