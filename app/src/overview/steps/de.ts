import type en from './en.ts';

export default {
  title: 'Drei Schritte, in beliebiger Reihenfolge. Sobald es einen Link gibt, erscheinen hier seine Klicks.',
  done: 'Erledigt',
  link: { title: 'Den ersten Link erstellen', hint: 'Fügen Sie eine lange Adresse ein, und Sie bekommen eine kurze, die ihre Klicks zählt.', label: 'Neuer Link' },
  domain: { title: 'Eine eigene Domain verwenden', hint: 'Links wie go.example.com/fruehling: Setzen Sie zwei DNS-Einträge, und wir schauen nach, bis sie da sind.', label: 'Domain hinzufügen' },
  key: { title: 'Links aus eigenen Programmen erstellen', hint: 'Ein API-Schlüssel ist ein Passwort für ein Programm, mit den Berechtigungen, die Sie ihm geben.', label: 'Schlüssel erstellen' },
} satisfies typeof en;
