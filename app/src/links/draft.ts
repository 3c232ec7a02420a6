// What was typed of a new link and not sent, for whoever comes back to it in this tab. It goes with the session.
import { user } from '../session/session.ts';

const KEY = 'linkgraph.draft';

interface Draft {
  /** Another one may have signed in meanwhile. */
  userId: string;
  entries: [name: string, value: string][];
}

/** Values that a form has when nothing was typed. */
const GIVEN = ['domain', 'isActive'];

export function dropDraft(): void {
  sessionStorage.removeItem(KEY);
}

export function keepDraft(values: FormData): void {
  // Who signs out leaves the page, too.
  if (!user.value) return;
  const entries = [...values].map(([name, value]): [string, string] => [name, String(value)]);
  const isTyped = entries.some(([name, value]) => !GIVEN.includes(name) && value.trim() !== '');
  const draft: Draft = { userId: user.value.id, entries };
  if (isTyped) sessionStorage.setItem(KEY, JSON.stringify(draft));
  else dropDraft();
}

export function keptDraft(): FormData | undefined {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return undefined;
  const { userId, entries } = JSON.parse(text) as Draft;
  if (userId !== user.value?.id) return undefined;
  const values = new FormData();
  for (const [name, value] of entries) values.append(name, value);
  return values;
}
