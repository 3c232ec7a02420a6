import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary } from 'preact-iso/lazy';
import { exec, LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { locale } from '../i18n/index.ts';
import { status } from '../session/session.ts';
import { Boundary } from '../ui/states.tsx';
import { Toasts } from '../ui/toast.tsx';
import { Away } from './away.tsx';
import { Frame } from './frame.tsx';
import { onDemand, page } from './lazy.tsx';
import { NotFound } from './not-found.tsx';

const Login = page(() => import('../access/login.tsx'), 'access');
const Register = page(() => import('../access/register.tsx'), 'access');
const Forgot = page(() => import('../access/forgot.tsx'), 'access');
const Reset = page(() => import('../access/reset.tsx'), 'access');
const Setup = page(() => import('../access/setup.tsx'), 'access');
const Overview = page(() => import('../overview/overview.tsx'), 'analytics');
const Links = page(() => import('../links/list.tsx'), 'links', 'tags');
const NewLink = page(() => import('../links/new.tsx'), 'links', 'tags');
const Tags = page(() => import('../tags/list.tsx'), 'links', 'tags');
const UtmTemplates = page(() => import('../utm/list.tsx'), 'links', 'tags');
const ImportLinks = page(() => import('../imports/start.tsx'), 'imports', 'links', 'tags');
const ImportDetail = page(() => import('../imports/detail.tsx'), 'imports', 'links', 'tags');
const LinkDetail = page(() => import('../links/detail.tsx'), 'analytics', 'links', 'tags');
const Domains = page(() => import('../domains/list.tsx'), 'domains', 'tags');
const DomainDetail = page(() => import('../domains/detail.tsx'), 'domains', 'tags');
const ApiKeys = page(() => import('../developers/keys.tsx'), 'developers');
const Webhooks = page(() => import('../developers/webhooks.tsx'), 'developers');
const WebhookDetail = page(() => import('../developers/webhook.tsx'), 'developers');
const Billing = page(() => import('../billing/billing.tsx'), 'billing');
const Settings = page(() => import('../settings/settings.tsx'), 'settings');
const Farewell = page(() => import('../settings/farewell.tsx'), 'access', 'settings');

const SessionOver = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.SessionOver);

/** For whoever is not signed in; any other page leads to the sign-in page, which leads back. */
const DOORS: [string, FunctionComponent][] = [
  ['/app/login', Login],
  ['/app/register', Register],
  ['/app/forgot', Forgot],
  ['/app/reset', Reset],
  ['/app/setup', Setup],
  ['/app/farewell', Farewell],
];

const ROOMS: [string, FunctionComponent][] = [
  ['/app', Overview],
  ['/app/links', Links],
  ['/app/links/new', NewLink],
  ['/app/links/tags', Tags],
  ['/app/links/utm', UtmTemplates],
  ['/app/links/import', ImportLinks],
  ['/app/links/import/:id', ImportDetail],
  ['/app/links/:id', LinkDetail],
  ['/app/domains', Domains],
  ['/app/domains/:id', DomainDetail],
  ['/app/developers', ApiKeys],
  ['/app/developers/webhooks', Webhooks],
  ['/app/developers/webhooks/:id', WebhookDetail],
  ['/app/billing', Billing],
  ['/app/settings', Settings],
];

const routes = (table: typeof DOORS) => table.map(([path, component]) => <Route key={path} path={path} component={component} />);

/** Fetches the page of an address before it is known who asks for it. */
export function preload(path: string): void {
  const found = [...DOORS, ...ROOMS].find(([pattern]) => exec(path, pattern, { path, query: {}, params: {} }));
  (found?.[1] as { preload?: () => Promise<unknown> } | undefined)?.preload?.();
}

function Pages() {
  const { path, url, query, route } = useLocation();
  const isOut = status.value === 'out';
  const isDoor = DOORS.some(([door]) => door === path);
  const mustLeave = isOut ? !isDoor : status.value === 'in' && isDoor && path !== '/app/reset';
  useEffect(() => {
    if (!mustLeave) return;
    if (isOut) route(url === '/app' ? '/app/login' : `/app/login?next=${encodeURIComponent(url)}`, true);
    else route(query.next?.startsWith('/app') ? query.next : '/app', true);
  }, [mustLeave]);
  if (status.value === 'away') return <Away />;
  if (mustLeave) return null;
  if (isDoor) {
    return (
      <Router>
        {routes(DOORS)}
      </Router>
    );
  }
  return (
    <Frame>
      <Boundary key={path}>
        <Router>
          {routes(ROOMS)}
          <Route default component={NotFound} />
        </Router>
      </Boundary>
    </Frame>
  );
}

export function App() {
  return (
    <LocationProvider scope="/app" key={locale.value}>
      <ErrorBoundary>
        <Pages />
      </ErrorBoundary>
      {status.value === 'over' && <SessionOver />}
      <Toasts />
    </LocationProvider>
  );
}
