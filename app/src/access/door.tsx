import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { Preferences } from '../shell/frame.tsx';
import { useTitle } from '../shell/title.ts';
import { Logo } from '../ui/icons.tsx';
import { Menu } from '../ui/menu.tsx';

/** The last token of each page of a mail. The page is made anew when another language is chosen. */
const taken = new Map<string, string>();

/** Takes the token from the address, also away from it: it shall not stay in the history. */
export function takeToken(): string {
  const { hash, search, pathname } = location;
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? new URLSearchParams(search).get('token');
  if (token === null) return taken.get(pathname) ?? '';
  history.replaceState(null, '', pathname);
  taken.set(pathname, token);
  return token;
}

/** The page of an invitation, by its token. */
export const invitationAddress = (token: string): string => `/app/invitation?token=${encodeURIComponent(token)}`;

/** The frame of the pages for whoever is not signed in: one card with one form. */
export function Door({ title, lead, children }: { title: string; lead?: string; children: ComponentChildren }) {
  useTitle(title);
  return (
    <div class="door">
      <header class="door-top">
        <span class="brand">
          <Logo />
          <span>{t.app}</span>
        </span>
        <Menu label={`${t.shell.theme}, ${t.shell.language}`} icon="sun">
          <Preferences />
        </Menu>
      </header>
      <main class="door-card">
        <h1>{title}</h1>
        {lead && <p class="muted">{lead}</p>}
        {children}
      </main>
    </div>
  );
}
