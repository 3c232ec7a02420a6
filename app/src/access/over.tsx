import { t } from '../i18n/index.ts';
import { signOut, user } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** Signs the same user in again, above the page: what waits for a token goes on then. */
export default function SessionOver() {
  return (
    <Dialog title={t.session.isOver}>
      <p class="muted">{t.session.lead}</p>
      <SignInForm email={user.value?.email} isReadOnly />
      <p>
        <Button kind="quiet" onClick={() => void signOut()}>
          {t.session.leave}
        </Button>
      </p>
    </Dialog>
  );
}
