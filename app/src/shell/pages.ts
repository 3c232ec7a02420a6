import { t } from '../i18n/index.ts';
import { may, type Scope } from '../session/role.ts';
import type { IconName } from '../ui/icons.tsx';

export interface PageEntry {
  path: string;
  icon: IconName;
  label(): string;
  /** The second key after `g`. */
  key: string;
  /** Where there is no room for it, the account's menu has it alone. */
  isMinor?: boolean;
}

/** What roles need for the pages below these addresses; the first that fits counts. */
const NEEDS: [RegExp, Scope][] = [
  [/^\/app(\/(clicks|reports))?\/?$/, 'ANALYTICS_READ'],
  [/^\/app\/links\/(new|import)/, 'LINKS_WRITE'],
  [/^\/app\/links/, 'LINKS_READ'],
  [/^\/app\/domains/, 'DOMAINS_READ'],
  [/^\/app\/developers\/webhooks/, 'WEBHOOKS_READ'],
  [/^\/app\/developers/, 'API_KEYS_MANAGE'],
  [/^\/app\/billing/, 'BILLING_READ'],
];

/** Whether the user's role has the page of an address. */
export const mayOpen = (path: string): boolean => may(NEEDS.find(([pattern]) => pattern.test(path))?.[1]);

/** The page that whoever signs in wants, by what the address of a door has. */
export const wanted = (next?: string): string => (next?.startsWith('/app') ? next : '/app');

/** The pages of the navigation, the palette and the keys. A new page adds its line here and its route in `app.tsx`. */
export const PAGES: PageEntry[] = [
  { path: '/app', icon: 'chart', label: () => t.shell.overview, key: 'o' },
  { path: '/app/links', icon: 'link', label: () => t.shell.links, key: 'l' },
  { path: '/app/domains', icon: 'globe', label: () => t.shell.domains, key: 'd' },
  { path: '/app/developers', icon: 'code', label: () => t.shell.developers, key: 'a' },
  { path: '/app/members', icon: 'user', label: () => t.shell.members, key: 'm', isMinor: true },
  { path: '/app/billing', icon: 'card', label: () => t.shell.billing, key: 'b', isMinor: true },
  { path: '/app/settings', icon: 'settings', label: () => t.shell.settings, key: 's', isMinor: true },
  { path: '/app/help', icon: 'help', label: () => t.shell.help, key: 'h', isMinor: true },
];

/** Those that the user's role has. */
export const pages = (): PageEntry[] => PAGES.filter(({ path }) => mayOpen(path));
