import type en from './en.ts';

export default {
  allLinks: 'Alle Links',
  change: (change: string) => `${change} zum Zeitraum davor`,
  nothing: 'Nichts in dieser Zeit',
  made: (at: string) => `Stand: ${at}`,
  zone: (zone: string) => `Zeitzone: ${zone}`,
  missing: 'Diesen Bericht gibt es nicht, oder er ist nicht mehr freigegeben.',
  missingHint: 'Wer Ihnen die Adresse gegeben hat, kann ihn wieder freigeben.',
  asked: 'Dieser Bericht fragt nach einem Passwort',
  password: 'Passwort',
  wrong: 'Dieses Passwort ist nicht richtig. Bitte versuchen Sie es noch einmal.',
  open: 'Bericht öffnen',
  limited: 'Zu viele Anfragen',
  limitedHint: (wait: string) => `Bitte versuchen Sie es in ${wait} noch einmal.`,
  tooLarge: 'Dieser Bericht hat zu viele Klicks, um jeden anzusehen',
  tooLargeHint: 'Wer ihn erstellt hat, kann einen kürzeren Zeitraum wählen.',
  failed: 'Der Bericht ließ sich nicht laden',
  failedHint: 'Der Dienst ist gescheitert. Bitte versuchen Sie es später noch einmal.',
  away: 'Keine Verbindung',
  awayHint: 'Der Dienst ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
} satisfies typeof en;
