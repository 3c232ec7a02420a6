import type en from './en.ts';

export default {
  title: 'Einstellungen',
  change: (host: string) => `Einstellungen von ${host} bearbeiten`,
  saved: (host: string) => `Die Einstellungen von ${host} sind gespeichert`,
  rootUrl: 'Wohin / führt',
  notFoundUrl: 'Wohin Adressen ohne Link führen',
  expiredUrl: 'Wohin Links nach ihrem Ende führen',
  ignoresCase: 'Groß- und Kleinschreibung nicht beachten',
  forwardsQuery: 'Parameter weitergeben',
  defaultTags: 'Schlagwörter neuer Links',
  hints: {
    rootUrl: 'Dorthin kommen Besucher, die den Host ohne Pfad öffnen. Leer: Sie bekommen, was eine Adresse ohne Link gibt.',
    notFoundUrl: 'Dorthin kommen Besucher auch bei Links, die ausgeschaltet sind oder noch nicht begonnen haben. Leer: Sie bekommen 404.',
    expiredUrl: 'Dorthin kommen Besucher von Links, die keine eigene URL nach dem Ende haben. Leer: Sie bekommen 410.',
    ignoresCase: 'Besucher erreichen einen Link, wie sie den Pfad auch schreiben: /SPRING führt dorthin, wohin /spring führt.',
    forwardsQuery: 'Das Ziel bekommt die Parameter der Kurz-URL, etwa ?ref=mail. Ein Link kann es anders halten.',
    defaultTags: 'Links, die auf dem Host angelegt werden, bekommen diese neben ihren eigenen. Eingabetaste oder Komma fügt eines hinzu.',
  },
  noRoot: 'Besucher bekommen, was eine Adresse ohne Link gibt',
  noTags: 'Keine',
  noUrl: (status: string) => `Besucher bekommen ${status}`,
  ignored: '/SPRING führt dorthin, wohin /spring führt',
  distinct: 'Nein: /SPRING und /spring sind zwei Pfade',
  forwarded: 'Ziele bekommen die Parameter der Kurz-URL',
  notForwarded: 'Nein: Parameter der Kurz-URL entfallen',
} satisfies typeof en;
