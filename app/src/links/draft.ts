// What was typed of a new link and not sent, for whoever comes back to it in this tab. It goes with the session.
import { user } from '../session/session.ts';

/** The form for one link, or the one for many. */
type Form = 'one' | 'many';
const keyOf = (form: Form) => `linkgraph.draft.${form}`;

interface Draft {
  /** Another one may have signed in meanwhile. */
  userId: string;
  entries: [name: string, value: string][];
}

/** Values that a form has when nothing was typed. */
const GIVEN = ['domain', 'isActive', 'useKnown'];

export function dropDraft(form: Form): void {
  sessionStorage.removeItem(keyOf(form));
}

export function keepDraft(form: Form, values: FormData): void {
  // Who signs out leaves the page, too.
  if (!user.value) return;
  // A password is typed again.
  const kept = [...values].filter(([name]) => name !== 'password');
  const entries = kept.map(([name, value]): [string, string] => [name, String(value)]);
  const isTyped = entries.some(([name, value]) => !GIVEN.includes(name) && value.trim() !== '');
  const draft: Draft = { userId: user.value.id, entries };
  if (isTyped) sessionStorage.setItem(keyOf(form), JSON.stringify(draft));
  else dropDraft(form);
}

export function keptDraft(form: Form): FormData | undefined {
  const text = sessionStorage.getItem(keyOf(form));
  if (text === null) return undefined;
  const { userId, entries } = JSON.parse(text) as Draft;
  if (userId !== user.value?.id) return undefined;
  const values = new FormData();
  for (const [name, value] of entries) values.append(name, value);
  return values;
}

/** What was pasted into the form for one link, and is of many. */
export function addToMany(text: string): void {
  const values = keptDraft('many') ?? new FormData();
  values.set('urls', [values.get('urls'), text].filter(Boolean).join('\n'));
  keepDraft('many', values);
}
