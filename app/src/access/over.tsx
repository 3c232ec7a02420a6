import { useEffect, useState } from 'preact/hooks';
import { askPublicly } from '../api/public.ts';
import type { WaysInFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { signOut, user } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/states.tsx';
import { CompanyInstead } from './company.tsx';
import { PasswordForm, SignInSteps } from './sign-in-form.tsx';
import { INSTANCE, USUAL } from './ways-in.ts';

/** Signs the same user in again, above the page: what waits for a token goes on then. */
export default function SessionOver() {
  const [ways, setWays] = useState<WaysInFragment>();
  useEffect(() => {
    void askPublicly(INSTANCE).then((data) => setWays(data?.instance ?? USUAL));
  }, []);
  return (
    <Dialog title={t.session.isOver}>
      {ways ? (
        <>
          {ways.hasPasswordLogin && <p class="muted">{t.session.lead}</p>}
          <SignInSteps>
            {(begin, begun) => (
              <>
                {ways.hasPasswordLogin && <PasswordForm begin={begin} begun={begun} email={user.value?.email} isReadOnly />}
                {ways.companySignIn !== null && <CompanyInstead company={ways.companySignIn} />}
              </>
            )}
          </SignInSteps>
          {/* Not before the form, which takes the focus: whoever is typing would press it. */}
          <p>
            <Button kind="quiet" onClick={() => void signOut()}>
              {t.session.leave}
            </Button>
          </p>
        </>
      ) : (
        <Skeleton rows={2} />
      )}
    </Dialog>
  );
}
