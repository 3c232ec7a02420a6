import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Switch } from '../ui/switch.tsx';
import { shortcuts } from './keys.ts';

function Keys({ title, keys }: { title: string; keys: [string, string][] }) {
  const shown = (combination: string): ComponentChildren =>
    combination.split(' ').map((key) => <kbd key={key}>{key}</kbd>);
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {keys.map(([combination, meaning]) => (
          <div key={combination}>
            <dt>{meaning}</dt>
            <dd>{shown(combination)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export default function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t.keys.title} onClose={onClose} class="wide">
      <div class="key-help">
        <Keys
          title={t.keys.everywhere}
          keys={[
            ['c', t.keys.newLink],
            ['Ctrl V', t.keys.paste],
            ['Ctrl K', t.keys.palette],
            ['/', t.keys.search],
            ['g o', t.keys.overview],
            ['g l', t.keys.links],
            ['g d', t.keys.domains],
            ['g a', t.keys.developers],
            ['g m', t.keys.members],
            ['g b', t.keys.billing],
            ['g s', t.keys.settings],
            ['g h', t.keys.helpPage],
            ['d w m y', t.keys.periods],
            ['← →', t.keys.shift],
            ['u', t.keys.undo],
            ['?', t.keys.help],
            ['Esc', t.keys.escape],
          ]}
        />
        <Keys
          title={t.keys.inLists}
          keys={[
            ['j', t.keys.next],
            ['k', t.keys.previous],
            ['Enter', t.keys.open],
            ['e', t.keys.edit],
            ['y', t.keys.copy],
            ['x', t.keys.select],
            ['*', t.keys.all],
            ['+ - E A Delete', t.keys.selected],
            ['c', t.keys.addHere],
            ['r', t.keys.again],
            ['t', t.keys.test],
          ]}
        />
      </div>
      <div class="setting">
        <span aria-hidden="true">{t.keys.enabled}</span>
        <Switch
          label={t.keys.enabled}
          isOn={shortcuts.value === 'on'}
          onChange={async (isOn) => {
            shortcuts.value = isOn ? 'on' : 'off';
            return true;
          }}
        />
      </div>
    </Dialog>
  );
}
