import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { t } from '../i18n/index.ts';
import { wanted } from '../shell/pages.ts';
import { Banner, Skeleton } from '../ui/states.tsx';
import { AccountForm } from './account-form.tsx';
import { CompanyFirst } from './company.tsx';
import { Door, invitationAddress } from './door.tsx';
import { useWaysIn } from './ways-in.ts';

function Ways({ invitation, to }: { invitation?: string; to: string }) {
  const ways = useWaysIn();
  if (!ways) return <Skeleton rows={3} />;
  if (ways.registration === 'CLOSED' && !invitation) {
    return (
      <Banner icon="info" kind="info">
        {t.access.register.closed}
      </Banner>
    );
  }
  return (
    <>
      <CompanyFirst ways={ways} to={to} />
      {ways.hasPasswordLogin && <AccountForm invitation={invitation} />}
    </>
  );
}

export default function Register() {
  const { query, route } = useLocation();
  const { invitation } = query;
  const to = invitation ? invitationAddress(invitation) : wanted(query.next);
  // A new user's first page is the one that makes a link.
  useEffect(() => {
    if (!invitation && !query.next) route(`/app/register?next=${encodeURIComponent('/app/links/new')}`, true);
  }, []);
  return (
    <Door title={t.access.register.title} lead={invitation && t.access.register.invited}>
      <Ways invitation={invitation} to={to} />
      <p class="door-links">
        <span>
          {t.access.register.hasAccount} <a href={`/app/login?next=${encodeURIComponent(to)}`}>{t.session.signIn}</a>
        </span>
      </p>
    </Door>
  );
}
