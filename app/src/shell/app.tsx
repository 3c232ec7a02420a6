import type { FunctionComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary } from 'preact-iso/lazy';
import { exec, LocationProvider, Route, Router, useLocation } from 'preact-iso/router';
import { asking } from '../api/proof.ts';
import { locale, t } from '../i18n/index.ts';
import { home } from '../session/role.ts';
import { status } from '../session/session.ts';
import { Boundary, Shut } from '../ui/states.tsx';
import { Toasts } from '../ui/toast.tsx';
import { Away } from './away.tsx';
import { Frame } from './frame.tsx';
import { onDemand, page } from './lazy.tsx';
import { NotFound } from './not-found.tsx';
import { mayOpen, wanted } from './pages.ts';

const SessionOver = onDemand(() => import('../access/dialogs.ts'), (dialogs) => dialogs.SessionOver, 'session');
const Proof = onDemand(() => import('../access/dialogs.ts'), (dialogs) => dialogs.Proof, 'session');

/** For whoever is not signed in; any other page leads to the sign-in page, which leads back. */
const DOORS: [string, FunctionComponent][] = [
  ['/app/login', page(() => import('../access/login.tsx'), 'access', 'session')],
  ['/app/register', page(() => import('../access/register.tsx'), 'access', 'session')],
  ['/app/forgot', page(() => import('../access/forgot.tsx'), 'access', 'session')],
  ['/app/reset', page(() => import('../access/reset.tsx'), 'access', 'session')],
  ['/app/verify-email', page(() => import('../access/verify-email.tsx'), 'access', 'session')],
  ['/app/undo-email', page(() => import('../access/undo-email.tsx'), 'access', 'session')],
  ['/app/invitation', page(() => import('../members/invitation.tsx'), 'access', 'members', 'session')],
  ['/app/setup', page(() => import('../access/setup.tsx'), 'access', 'session')],
  ['/app/farewell', page(() => import('../settings/farewell.tsx'), 'access', 'settings')],
];

const ROOMS: [string, FunctionComponent][] = [
  ['/app', page(() => import('../overview/overview.tsx'), 'analytics')],
  ['/app/clicks', page(() => import('../analytics/breakdown.tsx'), 'analytics', 'breakdown', 'reportForms')],
  ['/app/reports', page(() => import('../reports/list.tsx'), 'analytics', 'reportForms')],
  ['/app/links', page(() => import('../links/list.tsx'), 'linkList', 'links', 'tags')],
  ['/app/links/new', page(() => import('../links/new.tsx'), 'linkForms', 'links', 'tags')],
  ['/app/links/tags', page(() => import('../tags/list.tsx'), 'links', 'tagList', 'tags')],
  ['/app/links/utm', page(() => import('../utm/list.tsx'), 'links', 'tags')],
  ['/app/links/import', page(() => import('../imports/start.tsx'), 'imports', 'links', 'tags')],
  ['/app/links/import/:id', page(() => import('../imports/detail.tsx'), 'imports', 'links', 'tags')],
  ['/app/links/:id', page(() => import('../links/detail.tsx'), 'analytics', 'linkPage', 'links', 'tags')],
  ['/app/links/:id/app', page(() => import('../apps/link.tsx'), 'apps')],
  ['/app/links/:id/card', page(() => import('../card/page.tsx'), 'card')],
  ['/app/links/:id/clicks', page(() => import('../analytics/breakdown.tsx'), 'analytics', 'breakdown', 'reportForms')],
  ['/app/links/:id/rules', page(() => import('../rules/page.tsx'), 'links', 'rules', 'tags')],
  ['/app/domains', page(() => import('../domains/list.tsx'), 'domains', 'tags')],
  ['/app/domains/pages', page(() => import('../visitors/page.tsx'), 'visitors', 'domains')],
  ['/app/domains/apps', page(() => import('../apps/page.tsx'), 'apps', 'domains')],
  ['/app/domains/:id', page(() => import('../domains/detail.tsx'), 'domains', 'tags')],
  ['/app/developers', page(() => import('../developers/keys.tsx'), 'developers')],
  ['/app/developers/webhooks', page(() => import('../developers/webhooks.tsx'), 'developers')],
  ['/app/developers/webhooks/:id', page(() => import('../developers/webhook.tsx'), 'developers')],
  ['/app/members', page(() => import('../members/members.tsx'), 'members', 'transfers')],
  ['/app/billing', page(() => import('../billing/billing.tsx'), 'billing')],
  ['/app/settings', page(() => import('../settings/settings.tsx'), 'settings', 'session')],
  ['/app/help', page(() => import('../help/help.tsx'), 'help', 'developers')],
];

/** The doors that mails lead to, whoever is signed in. */
const MAILED = ['/app/reset', '/app/verify-email', '/app/undo-email', '/app/invitation'];

/** Addresses that people type, and the pages that they mean. */
const MEANT: Record<string, string> = {
  '/app/imports': '/app/links/import',
  '/app/tags': '/app/links/tags',
};

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
  const meant = path === '/app' && status.value === 'in' && home() !== path ? home() : MEANT[path];
  const mustLeave = isOut ? !isDoor : status.value === 'in' && isDoor && !MAILED.includes(path);
  useEffect(() => {
    if (!mustLeave) return;
    if (isOut) route(url === '/app' ? '/app/login' : `/app/login?next=${encodeURIComponent(url)}`, true);
    else route(wanted(query.next), true);
  }, [mustLeave]);
  useEffect(() => {
    if (meant && !mustLeave) route(meant + url.slice(path.length), true);
  }, [meant, mustLeave]);
  if (status.value === 'away') return <Away />;
  if (mustLeave || meant) return null;
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
        {mayOpen(path) ? (
          <Router>
            {routes(ROOMS)}
            <Route default component={NotFound} />
          </Router>
        ) : (
          <>
            <h1 class="hidden">{t.app}</h1>
            <Shut />
          </>
        )}
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
      {asking.value && <Proof onClose={() => asking.value?.(false)} />}
      {status.value === 'over' && <SessionOver />}
      <Toasts />
    </LocationProvider>
  );
}
