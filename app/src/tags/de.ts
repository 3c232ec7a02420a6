import type en from './en.ts';

export default {
  title: 'Schlagwörter',
  tag: 'Schlagwort',
  field: {
    hint: 'Wörter, die Ihre Links ordnen. Eingabetaste oder Komma fügt eines hinzu.',
    add: 'Schlagwörter hinzufügen',
    take: 'Schlagwörter wegnehmen',
    remove: (name: string) => `${name} wegnehmen`,
    added: (name: string) => `${name} ist hinzugefügt`,
    removed: (name: string) => `${name} ist weggenommen`,
    filterHint: 'Links, die alle haben. Eingabetaste oder Komma fügt eines hinzu.',
  },
} satisfies typeof en;
