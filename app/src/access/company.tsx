import { useLocation } from 'preact-iso/router';
import type { WaysInFragment } from '../api/generated/graphql.ts';
import { t } from '../i18n/index.ts';
import { oneOf } from '../ui/address.ts';
import { Banner } from '../ui/states.tsx';

/** What the company's identity provider is asked for beside who it is: to have it proved anew, or to be connected with the user who is signed in. */
type Purpose = 'again' | 'connect';

/** Where the service sends the browser to the company's identity provider, which sends it back to `to`. */
export const companyAddress = (to: string, purpose?: Purpose): string =>
  `/auth/sign-in?${new URLSearchParams({ ...(purpose && { [purpose]: '1' }), to })}`;

/** The query of a page's address as an address has it, without what came of the company's sign-in: that is told once. */
export function searchOf(query: Record<string, string>): string {
  const { signIn: _told, ...others } = query;
  const search = String(new URLSearchParams(others));
  return search && `?${search}`;
}

interface LinkProps {
  /** The name of the company's identity provider. */
  company: string;
  to: string;
  isPrimary?: boolean;
  isAgain?: boolean;
}

/** The way to the company's identity provider, and from there to `to`. */
export function CompanyLink({ company, to, isPrimary, isAgain }: LinkProps) {
  const words = t.session.company;
  return (
    <a
      class={isPrimary ? 'button primary' : 'button'}
      href={companyAddress(to, isAgain ? 'again' : undefined)}
    >
      {isAgain ? words.again(company) : words.signIn(company)}
    </a>
  );
}

/** On a door, above the form of those who have a password. */
export function CompanyFirst({ ways: { companySignIn, hasPasswordLogin }, to }: { ways: WaysInFragment; to: string }) {
  if (companySignIn === null) return null;
  return (
    <>
      <div class="form-actions company">
        <CompanyLink company={companySignIn} to={to} isPrimary={!hasPasswordLogin} />
      </div>
      {hasPasswordLogin && <p class="door-or muted small">{t.access.company.or}</p>}
    </>
  );
}

/** In a dialog above a page, which is left, and comes back as it is stored. */
export function CompanyInstead({ company, isAgain }: { company: string; isAgain?: boolean }) {
  const { path, query } = useLocation();
  return (
    <div class="company company-instead">
      <CompanyLink company={company} to={path + searchOf(query)} isAgain={isAgain} />
      <p class="muted small">{t.session.company.leaves}</p>
    </div>
  );
}

/** Why somebody came back from the company's identity provider, and is not signed in; the first stands for those that nobody knows. */
const FAILURES = [
  'failed',
  'cancelled',
  'unavailable',
  'address',
  'noEmail',
  'closed',
  'group',
  'suspended',
  'taken',
  'proof',
  'limited',
] as const;

export const failureOf = (code: string | undefined) => oneOf(FAILURES).read(code);

/** What went wrong with the company's identity provider, and the way out. */
export function CompanyFailure({ code, company, hasPassword }: { code: string; company: string; hasPassword: boolean }) {
  const failure = failureOf(code);
  const words = t.access.company;
  return <Banner icon="alert">{failure === 'address' && !hasPassword ? words.addressAlone(company) : words.failures[failure](company)}</Banner>;
}
