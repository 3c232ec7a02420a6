import { pluralDe as plural } from '../../i18n/plural.ts';
import type en from './en.ts';

export default {
  selectAll: 'Alle auf dieser Seite auswählen',
  search: 'Titel, Pfade, Ziele, Notizen und Schlagwörter durchsuchen',
  searched: 'Titel, Pfad, Ziel, Notizen, Schlagwörter',
  state: 'Zustand',
  all: 'Alle',
  archived: { '': 'Nicht archivierte', true: 'Nur archivierte', any: 'Auch archivierte' },
  allArchived: 'Alle Ihre Links sind archiviert',
  showArchived: 'Archivierte Links zeigen',
  withArchived: 'Auch archivierte Links ansehen',
  anyDomain: 'Alle Domains',
  sort: 'Reihenfolge',
  sorts: {
    NEWEST: 'Neueste',
    OLDEST: 'Älteste',
    MOST_CLICKED: 'Meistgeklickt',
    LAST_CLICKED: 'Zuletzt geklickt',
  },
  trend: '14 Tage',
  clicks: 'Klicks',
  created: 'Angelegt',
  count: (count: number, formatted: string) => `${formatted} ${plural(count, 'Link', 'Links')}`,
  empty: 'Noch keine Links',
  emptyHint: 'Fügen Sie auf dieser Seite irgendeine Adresse ein, oder drücken Sie c.',
  none: 'Kein Link passt',
  noneHint: 'Versuchen Sie ein anderes Wort, oder heben Sie die Filter auf.',
  moreFilters: 'Weitere Filter',
  clearFilters: 'Filter aufheben',
  transfer: {
    menu: 'Import und Export',
    import: 'Links importieren',
    export: { csv: 'Diese Liste als CSV exportieren', jsonl: 'Diese Liste als JSON Lines exportieren' },
  },
} satisfies typeof en;
