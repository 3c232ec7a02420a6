import { pluralDe as plural } from '../../i18n/plural.ts';
import type en from './en.ts';

export default {
  card: (title?: string) => `In Messengern: ${title ? `„${title}“` : 'wie die Seite'}`,
  app: (opens) => `Auf Telefonen: ${opens ? 'öffnet eine App' : 'keine App'}`,
  leads: (rules: number, parts: number) =>
    `Wohin er führt: ${rules === 0 ? 'keine Regeln' : `${rules} ${plural(rules, 'Regel', 'Regeln')}`}${parts > 0 ? `, verteilt auf ${parts} Adressen` : ''}`,
  created: (day: string) => `Angelegt am ${day}`,
  lastClick: (ago: string) => `Letzter Klick ${ago}`,
  neverClicked: 'Nie geklickt',
  open: 'Öffnen',
  copyDestination: 'Ziel kopieren',
  missing: 'Diesen Link gibt es nicht',
  latest: 'Neueste Klicks',
  shown: (shown: string, total: string) => `${shown} von ${total}`,
  showMore: (count: string) => `${count} weitere zeigen`,
  noClicks: 'Noch keine Klicks',
  noClicksHint: 'Öffnen Sie die Kurz-URL, und der erste erscheint hier.',
  when: 'Wann',
  where: 'Land',
  referrer: 'Herkunft',
  browser: 'Browser',
  system: 'System',
  device: 'Gerät',
  bot: 'Bot',
  unknown: 'Unbekannt',
  direct: 'Direkt',
} satisfies typeof en;
