import { CreateWebhookInput } from '../api/generated/constraints.ts';
import { t } from '../i18n/index.ts';

/** All events, in the schema's order, below the words of what they are about. */
export function eventGroups(): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const event of CreateWebhookInput.events.values) {
    const about = event.slice(0, event.indexOf('.'));
    const name = t.developers.groups[about] ?? about;
    groups.set(name, [...(groups.get(name) ?? []), event]);
  }
  return [...groups];
}
