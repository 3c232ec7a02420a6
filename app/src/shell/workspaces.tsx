import { useEffect, useState } from 'preact/hooks';
import { graphql } from '../api/generated/gql.ts';
import { useData } from '../api/use.ts';
import { t } from '../i18n/index.ts';
import { role, workspace } from '../session/role.ts';
import { MOVED } from '../session/session.ts';
import { switchTo } from '../session/switch.ts';
import { naming } from '../ui/naming.tsx';
import { stored } from '../ui/stored.ts';
import { complain, say } from '../ui/toast.tsx';
import { onDemand } from './lazy.tsx';

const WORKSPACES = graphql(`
  query Workspaces {
    me {
      account {
        id
        name
      }
      memberships {
        account {
          id
          name
        }
      }
    }
  }
`);

const Switcher = onDemand(() => import('./dialogs.ts'), (dialogs) => dialogs.Switcher, 'keys');

/** Whether somebody who has signed in here has several: their frame shows at once which one it is of. */
const number = stored<'one' | 'several'>('workspaces', 'one');
/** Whoever has one waits for nothing of this: the page's own requests come first. In milliseconds. */
const LATER_MS = 1500;

/** Whether this page was loaded for another account than the one before. */
let hasMoved = sessionStorage.getItem(MOVED) !== null;
sessionStorage.removeItem(MOVED);

function Loaded() {
  const { data } = useData(WORKSPACES, {}, ['Membership']);
  useEffect(() => {
    if (!data) return;
    const { account, memberships } = data.me;
    workspace.value = account.name;
    number.value = memberships.length > 1 ? 'several' : 'one';
    if (!hasMoved) return;
    hasMoved = false;
    say(naming(t.shell.nowIn, account.name));
  }, [data]);
  if (!data || data.me.memberships.length < 2) return null;
  async function choose(id: string) {
    const problem = await switchTo(id);
    if (problem) complain(problem);
  }
  return <Switcher current={data.me.account} all={data.me.memberships.map(({ account }) => account)} choose={(id) => void choose(id)} />;
}

/** The workspaces of the user, who can go to another one if there are several. */
export function Workspaces() {
  const [isDue, setDue] = useState(role.value !== 'OWNER' || number.value === 'several' || hasMoved);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), LATER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isDue ? <Loaded /> : null;
}
