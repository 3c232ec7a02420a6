import { pluralDe as plural } from '../../i18n/plural.ts';
import type en from './en.ts';

export default {
  alternatives: 'Wonach Klicks gezählt werden',
  count: (count: number, formatted: string) => `${formatted} ${plural(count, 'Wert', 'Werte')}`,
  search: 'Suchen',
  share: 'Anteil',
  none: 'Nichts passt',
  noneHint: 'Versuchen Sie ein anderes Wort.',
  all: 'Alle zeigen',
  file: { csv: 'Tabelle als CSV', jsonl: 'Tabelle als JSON Lines' },
} satisfies typeof en;
