import type en from './en.ts';

export default {
  add: 'Notiz hinzufügen',
  edit: 'Notiz ändern',
  text: 'Was geschehen ist',
  hint: 'Etwa „Newsletter verschickt“. Die Notiz steht im Diagramm bei ihrer Zeit.',
  at: 'Wann',
  zone: (zone: string) => `Zeitzone: ${zone}`,
  saved: 'Die Notiz ist gespeichert',
  removed: 'Die Notiz ist gelöscht',
  removeTitle: (text: string) => `„${text}“ löschen?`,
  removeText: 'Sie verschwindet für alle im Konto aus dem Diagramm.',
  empty: 'In dieser Zeit ist nichts notiert.',
  earlier: (count: string) => `${count} frühere Notizen stehen weder hier noch im Diagramm. Wählen Sie einen kürzeren Zeitraum.`,
  editOf: (text: string) => `${text} ändern`,
  removeOf: (text: string) => `${text} löschen`,
} satisfies typeof en;
