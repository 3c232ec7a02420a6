import { t } from '../i18n/index.ts';
import { Icon } from '../ui/icons.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';

interface Workspace {
  id: string;
  name: string;
}

/** Says which workspace the frame is of, and leads to the others. */
export default function Switcher({ current, all, choose }: { current: Workspace; all: Workspace[]; choose(id: string): void }) {
  const face = (
    <span class="workspace">
      <Icon name="user" />
      <bdi>{current.name}</bdi>
      <Icon name="down" />
    </span>
  );
  return (
    <Menu label={t.shell.workspace(current.name)} face={face}>
      <p class="menu-title">{t.shell.workspaces}</p>
      {all.map(({ id, name }) => (
        <MenuItem key={id} isChecked={id === current.id} onSelect={() => id !== current.id && choose(id)}>
          <bdi>{name}</bdi>
        </MenuItem>
      ))}
    </Menu>
  );
}
