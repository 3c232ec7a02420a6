import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { fetchOnce } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import { t } from '../i18n/index.ts';
import { signOut } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon, type IconName } from '../ui/icons.tsx';
import { useTyped } from '../ui/typed.ts';
import { isUrl, readable, readableShort } from '../links/address.ts';
import { mayOpen, pages as pagesOfRole } from './pages.ts';
import { theme, THEME_ICONS, THEMES } from './theme.ts';

const FIND = graphql(`
  query PaletteLinks($search: String!) {
    links(search: $search, pageSize: 8, sort: MOST_CLICKED) {
      data {
        id
        shortUrl
        destinationUrl
        title
      }
    }
  }
`);

interface Choice {
  key: string;
  group: string;
  icon: IconName;
  label: string;
  note?: string;
  act(): void;
}

const WAIT_MS = 150;

interface PaletteProps {
  onClose(): void;
  go(url: string): void;
  showKeys(): void;
}

/** Links of the service, pages and actions by a few letters: the combobox pattern of the ARIA guide. */
export default function Palette({ onClose, go, showKeys }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const canMake = mayOpen('/app/links/new');

  const { answer: links = [], type } = useTyped<string, Choice[]>(async (typed) => {
    if (!mayOpen('/app/links')) return [];
    const { data } = await fetchOnce(FIND, { search: typed.trim().slice(0, 200) });
    return data?.links.data.map(({ id: key, shortUrl, destinationUrl, title }) => ({
      key,
      group: t.palette.links,
      icon: 'link',
      label: title ?? readableShort(shortUrl),
      note: title ? readableShort(shortUrl) : readable(destinationUrl),
      act: () => go(`/app/links/${key}`),
    }));
  }, WAIT_MS);
  useEffect(() => type(text), [text]);

  const fixed = useMemo<Choice[]>(() => {
    const pages = pagesOfRole().map(({ path, icon, label }) => ({
      key: path,
      group: t.palette.pages,
      icon,
      label: label(),
      act: () => go(path),
    }));
    const action = (key: string, icon: IconName, label: string, act: () => void): Choice => ({
      key,
      group: t.palette.actions,
      icon,
      label,
      act,
    });
    return [
      ...pages,
      ...(mayOpen('/app/reports') ? [{ ...action('reports', 'chart', t.palette.reports, () => go('/app/reports')), group: t.palette.pages }] : []),
      ...(canMake
        ? [
            action('new', 'plus', t.shell.newLink, () => go('/app/links/new')),
            action('import', 'upload', t.palette.import, () => go('/app/links/import')),
          ]
        : []),
      ...THEMES.map((each) =>
        action(each, THEME_ICONS[each], t.palette.theme(t.shell.themes[each]), () => {
          theme.value = each;
        }),
      ),
      action('keys', 'keyboard', t.shell.shortcuts, showKeys),
      action('out', 'signOut', t.shell.signOut, () => void signOut()),
    ];
  }, []);

  const sought = text.trim().toLowerCase();
  const shorten: Choice[] = canMake && isUrl(text.trim())
    ? [
        {
          key: 'shorten',
          group: t.palette.actions,
          icon: 'plus',
          label: t.palette.shorten(text.trim()),
          act: () => go(`/app/links/new?url=${encodeURIComponent(text.trim())}`),
        },
      ]
    : [];
  const choices = [...shorten, ...links, ...fixed.filter(({ label }) => label.toLowerCase().includes(sought))];
  const chosen = Math.min(at, choices.length - 1);

  function choose(choice: Choice | undefined) {
    if (!choice) return;
    onClose();
    choice.act();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((chosen + step + choices.length) % Math.max(1, choices.length));
    else if (event.key === 'Enter') choose(choices[chosen]);
    else return;
    event.preventDefault();
  }

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  return (
    <Dialog title={t.palette.title} onClose={onClose} isBare class="palette">
      <div class="palette-search">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={t.palette.title}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={choices[chosen] && `${id}-${chosen}`}
          placeholder={t.palette.title}
          autocomplete="off"
          spellcheck={false}
          // oxlint-disable-next-line no-autofocus -- the dialog is opened to type into it
          autofocus
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>Esc</kbd>
      </div>
      <div ref={list} id={id} role="listbox" aria-label={t.palette.title} class="palette-list">
        {choices.map((choice, index) => (
          <div
            key={choice.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            class={choices[index - 1]?.group === choice.group ? 'choice' : 'choice first'}
            data-group={choice.group}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(choice)}
            onKeyDown={onKeyDown}
          >
            <Icon name={choice.icon} />
            <span class="choice-label" dir="auto">{choice.label}</span>
            {choice.note && <span class="choice-note muted" dir="auto">{choice.note}</span>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="palette-none muted">{t.palette.none}</p>}
    </Dialog>
  );
}
