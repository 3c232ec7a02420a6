import type en from './en.ts';

export default {
  title: 'Hilfe',
  questions: 'Fragen',
  click: 'Was zählt als Klick?',
  clickText:
    'Jedes Mal, wenn ein kurzer Link jemanden weiterleitet. Statistiken lassen bekannte Bots, Vorschauen und im Voraus geladene Seiten weg, bis Sie „Mit Bots“ einschalten. Die Zahl beim Namen eines Links enthält sie alle.',
  visitor: 'Was ist ein Besucher?',
  visitorText:
    'Ein Browser an einer Adresse im Netz, an einem Tag. Im Browser wird nichts gespeichert, und die Adresse wird nicht aufbewahrt: Wer morgen wiederkommt, zählt noch einmal.',
  move: 'Wie ziehen meine Links hierher um?',
  moveText: 'Importieren Sie eine Datei Ihres alten Dienstes. Pfade, Titel, Tags und Klickzahlen bleiben.',
  toImport: 'Links importieren',
  domain: 'Wie bekommen Links meine eigene Domain?',
  domainText: 'Fügen Sie sie hinzu, setzen Sie zwei DNS-Einträge, und wir schauen nach, bis sie da sind.',
  toDomains: 'Domains',
  give: 'Wie gebe ich Links an jemand anderen?',
  giveText:
    'Wählen Sie sie in der Liste aus, oder öffnen Sie Ihre Domain, und wählen Sie „Übergeben…“. Sie brauchen die ID des anderen Kontos, die dort auf der Seite „Mitglieder“ steht; dort wird auch angenommen, innerhalb von 7 Tagen. Die Links leiten die ganze Zeit weiter und behalten ihre Klicks.',
  toLinks: 'Links',
  program: 'Wie erstellen Programme Links?',
  programText: 'Über die API, mit einem Schlüssel. Ein Webhook meldet ihnen, was geschieht.',
  toDevelopers: 'Entwickler',
  documents: 'Dokumente',
  licences: 'Lizenzen',
  licencesHint: 'Der Software in dieser Anwendung',
  keys: 'Ohne Maus',
  keysText: 'Alles hier geht auch mit der Tastatur, das meiste mit einer Taste.',
} satisfies typeof en;
