import { t } from '../i18n/index.ts';
import { signOut, user } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Field, Form } from '../ui/form.tsx';
import { explainLogin, signInWith } from './login.tsx';

/** Signs the same user in again, above the page: what waits for a token goes on then. */
export function SessionOver() {
  return (
    <Dialog title={t.access.over.title}>
      <p class="muted">{t.access.over.lead}</p>
      <Form submit={t.access.login.submit} onSubmit={signInWith} explain={explainLogin}>
        <Field
          name="email"
          type="email"
          label={t.access.email}
          autocomplete="username"
          value={user.value?.email}
          isReadOnly
        />
        <Field
          name="password"
          type="password"
          label={t.access.password}
          autocomplete="current-password"
          rule={{ required: true }}
          hasFocus
        />
        <Check name="isPersistent" label={t.access.stay} isOn />
      </Form>
      <p>
        <Button kind="quiet" onClick={() => void signOut()}>
          {t.access.over.leave}
        </Button>
      </p>
    </Dialog>
  );
}
