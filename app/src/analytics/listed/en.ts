import { plural } from '../../i18n/plural.ts';

export default {
  alternatives: 'By what clicks are counted',
  count: (count: number, formatted: string) => `${formatted} ${plural(count, 'value', 'values')}`,
  search: 'Search',
  share: 'Share',
  none: 'Nothing fits',
  noneHint: 'Try another word.',
  all: 'Show all',
  file: { csv: 'Table as CSV', jsonl: 'Table as JSON Lines' },
};
