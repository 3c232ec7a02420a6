import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Problem, unreachable } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { refresh } from '../session/session.ts';
import { wanted } from '../shell/pages.ts';
import { Form } from '../ui/form.tsx';
import { Skeleton } from '../ui/states.tsx';
import { CompanyFailure, CompanyFirst, searchOf } from './company.tsx';
import { Door } from './door.tsx';
import { type Begin, PasswordForm, SignInSteps } from './sign-in-form.tsx';
import { useWaysIn } from './ways-in.ts';

/** What the fragment of the address may have. */
interface Brought {
  /** The token of a link that the operator made for somebody. */
  link?: string;
  /** Of somebody with a second factor, who comes back from the company's identity provider. */
  challenge?: string;
  /** The second factors that it may be, separated by commas. */
  factors?: string;
  /** The page that is wanted. */
  to?: string;
}

/** What was brought last: the page is made anew when another language is chosen. */
let kept: Brought = {};

/** Takes out of the address what shall not stay in the history, and has the page that is wanted where all doors have it. */
function useBrought(): Brought {
  const { route } = useLocation();
  const [brought, setBrought] = useState(kept);
  useLayoutEffect(() => {
    const take = () => {
      const found: Brought = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
      const { to, ...query } = Object.fromEntries(new URLSearchParams(location.search));
      const next = found.to ?? to;
      if (found.link || found.challenge) {
        kept = found;
        setBrought(found);
      } else if (!next) return;
      const search = String(new URLSearchParams({ ...query, ...(next && { next }) }));
      route(search ? `/app/login?${search}` : '/app/login', true);
    };
    take();
    // Such a link may be pasted where this page is open already.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return brought;
}

const explain = ({ code }: Problem) => (code === 'UNAUTHENTICATED' ? t.access.link.spent : undefined);

/** The first step by a link of the operator. It asks first: programs that show what is behind a link open it, too. */
function LinkForm({ link, begin }: { link: string; begin: Begin }) {
  return (
    <Form submit={t.access.link.submit} onSubmit={() => begin({ link, isPersistent: false })} explain={explain}>
      <p>{t.access.link.lead}</p>
    </Form>
  );
}

const UNNAMED: Problem = { code: 'UNAUTHENTICATED', message: '', violations: [], details: {} };
const explainUnnamed = ({ code }: Problem) => (code === UNNAMED.code ? t.access.proxy.unnamed : undefined);

/** Where nobody but a proxy in front of the service says who it is. It asks first, or nobody could sign out. */
function ProxyForm() {
  const send = () => refresh().then((isIn) => (isIn ? undefined : UNNAMED), unreachable);
  return (
    <Form submit={t.session.signIn} onSubmit={send} explain={explainUnnamed}>
      <p>{t.access.proxy.lead}</p>
    </Form>
  );
}

export default function Login() {
  const { query, route } = useLocation();
  const { link, challenge, factors } = useBrought();
  const ways = useWaysIn();
  const search = searchOf(query);
  useEffect(() => {
    if (ways?.needsSetup) route('/app/setup', true);
  }, [ways?.needsSetup]);
  if (!ways) {
    return (
      <Door title={t.access.login.title}>
        <Skeleton rows={3} />
      </Door>
    );
  }
  const { companySignIn: company, hasPasskeys, hasPasswordLogin, registration } = ways;
  return (
    <Door title={t.access.login.title}>
      <SignInSteps key={link ?? challenge} challenge={challenge} factors={factors?.split(',')}>
        {(begin, begun) =>
          link ? (
            <LinkForm link={link} begin={begin} />
          ) : (
            <>
              {query.signIn && company !== null && (
                <CompanyFailure code={query.signIn} company={company} hasPassword={hasPasswordLogin} />
              )}
              <CompanyFirst ways={ways} to={wanted(query.next)} />
              {hasPasswordLogin && <PasswordForm begin={begin} begun={begun} email={query.email} hasPasskeys={hasPasskeys} />}
              {!hasPasswordLogin && company === null && <ProxyForm />}
            </>
          )
        }
      </SignInSteps>
      {hasPasswordLogin && (
        <p class="door-links">
          <a href={`/app/forgot${search}`}>{t.access.login.toForgot}</a>
          {registration === 'OPEN' && <a href={`/app/register${search}`}>{t.access.login.toRegister}</a>}
        </p>
      )}
    </Door>
  );
}
