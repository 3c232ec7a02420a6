import type en from './en.ts';

export default {
  topLinks: 'Meistgeklickte Links',
  offered: 'Ein anderes Konto bietet Ihnen Links oder eine Domain an: zum Angebot',
  emptyHint: 'Teilen Sie einen Link, und seine Klicks erscheinen hier.',
} satisfies typeof en;
