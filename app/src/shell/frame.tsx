import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { unreachable } from '../api/problem.ts';
import { chooseLocale, locale, LOCALES, t } from '../i18n/index.ts';
import { isUrl } from '../links/address.ts';
import { signOut, user } from '../session/session.ts';
import { Icon, Logo } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { complain, undoLast } from '../ui/toast.tsx';
import { Banners } from './banners.tsx';
import { isTyping, listen } from './keys.ts';
import { onDemand } from './lazy.tsx';
import { mayOpen, PAGES, pages } from './pages.ts';
import { theme, THEME_ICONS, THEMES } from './theme.ts';
import { Workspaces } from './workspaces.tsx';

const Palette = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Palette, 'keys');
const KeyHelp = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.KeyHelp, 'keys');

const NEW = '/app/links/new';

export function Preferences() {
  return (
    <>
      <p class="menu-title">{t.shell.theme}</p>
      {THEMES.map((each) => (
        <MenuItem key={each} icon={THEME_ICONS[each]} isChecked={theme.value === each} onSelect={() => (theme.value = each)}>
          {t.shell.themes[each]}
        </MenuItem>
      ))}
      <p class="menu-title">{t.shell.language}</p>
      {LOCALES.map(({ id, name }) => (
        <MenuItem key={id} icon="language" isChecked={locale.value === id} onSelect={() => void chooseLocale(id).catch(() => complain(unreachable()))}>
          {name}
        </MenuItem>
      ))}
    </>
  );
}

function AccountMenu({ showKeys }: { showKeys(): void }) {
  const { name = '', email = '' } = user.value ?? {};
  return (
    <Menu label={t.shell.account} face={<span class="avatar">{(name || email).slice(0, 1).toUpperCase()}</span>}>
      <p class="menu-user">
        <strong dir="auto">{name}</strong>
        <span class="muted" dir="auto">{email}</span>
      </p>
      {pages().filter(({ isMinor }) => isMinor).map(({ path, icon, label }) => (
        <MenuItem key={path} icon={icon} href={path}>
          {label()}
        </MenuItem>
      ))}
      <Preferences />
      <hr />
      <MenuItem icon="keyboard" onSelect={showKeys}>
        {t.shell.shortcuts}
      </MenuItem>
      <MenuItem icon="signOut" onSelect={() => void signOut()}>
        {t.shell.signOut}
      </MenuItem>
    </Menu>
  );
}

function Navigation({ path }: { path: string }) {
  const isHere = (entry: string) => (entry === '/app' ? path === entry : path.startsWith(entry));
  return (
    <nav class="rail" aria-label={t.shell.navigation}>
      {pages().map(({ path: to, icon, label, isMinor }) => (
        <a key={to} href={to} class={isMinor ? 'minor' : undefined} aria-current={isHere(to) ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{label()}</span>
        </a>
      ))}
    </nav>
  );
}

/** Everything around a page for somebody who is signed in. */
export function Frame({ children }: { children: ComponentChildren }) {
  const { path, route } = useLocation();
  const [open, setOpen] = useState<'palette' | 'keys'>();
  const main = useRef<HTMLElement>(null);
  const close = () => setOpen(undefined);

  useEffect(() => {
    const go = (to: string) => mayOpen(to) && route(to);
    const goTo = Object.fromEntries(PAGES.map(({ path: to, key }) => [`g ${key}`, () => go(to)]));
    return listen({ ...goTo, c: () => go(NEW), u: undoLast, '?': () => setOpen('keys') }, () => setOpen('palette'));
  }, []);

  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text').trim() ?? '';
      if (!isTyping(event) && !document.querySelector('dialog[open]') && mayOpen(NEW) && isUrl(text)) {
        route(`${NEW}?url=${encodeURIComponent(text)}`);
      }
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, []);

  const isFirst = useRef(true);
  useEffect(() => {
    // A page that put the focus into a field keeps it.
    if (!isFirst.current && !main.current!.contains(document.activeElement)) main.current!.focus();
    isFirst.current = false;
  }, [path]);

  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t.shell.skip}
      </a>
      <header class="header">
        <a class="brand" href="/app" aria-label={t.app}>
          <Logo />
          <span>{t.app}</span>
        </a>
        <button type="button" class="jump" onClick={() => setOpen('palette')} aria-haspopup="dialog">
          <Icon name="search" />
          <span>{t.shell.search}</span>
          <kbd>Ctrl K</kbd>
        </button>
        {mayOpen(NEW) && (
          <a class="button primary" href={NEW} title={t.shell.newLink}>
            <Icon name="plus" />
            <span>{t.shell.newLink}</span>
          </a>
        )}
        <Workspaces />
        <AccountMenu showKeys={() => setOpen('keys')} />
      </header>
      <Navigation path={path} />
      <main id="main" ref={main} tabIndex={-1}>
        <Banners />
        {children}
      </main>
      {open === 'palette' && <Palette onClose={close} go={route} showKeys={() => setOpen('keys')} />}
      {open === 'keys' && <KeyHelp onClose={close} />}
    </div>
  );
}
