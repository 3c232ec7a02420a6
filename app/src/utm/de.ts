import { pluralDe as plural } from '../i18n/plural.ts';
import type en from './en.ts';

export default {
  hint: 'Sie werden an das Ziel angehängt, für die Analyseprogramme, die dort benutzt werden.',
  names: { source: 'Quelle', medium: 'Medium', campaign: 'Kampagne', term: 'Suchbegriff', content: 'Inhalt' },
  hints: {
    source: 'Woher Besucher kommen, etwa newsletter.',
    medium: 'Wie sie den Link bekommen, etwa email.',
    campaign: 'Wofür der Link ist, etwa fruehling.',
    term: 'Der Suchbegriff einer Anzeige.',
    content: 'Welcher von mehreren Links oder Texten es ist.',
  },
  template: 'Vorlage',
  noTemplate: 'Keine',
  templates: 'UTM-Vorlagen',
  preview: 'Das Ziel wird',
  emptyStays: 'Parameter, deren Feld leer ist, bleiben, wie sie sind.',
  nothing: 'Bitte mindestens einen Parameter.',
  list: {
    label: 'Ihre UTM-Vorlagen',
    count: (count: number, formatted: string) => `${formatted} ${plural(count, 'UTM-Vorlage', 'UTM-Vorlagen')}`,
    edit: (name: string) => `${name} bearbeiten`,
    remove: (name: string) => `${name} löschen`,
    empty: 'UTM-Parameter für viele Links bereithalten',
    emptyHint: 'Eine Vorlage füllt dieselben Parameter aus, wo immer ein Link angelegt oder bearbeitet wird.',
    none: 'Auf dieser Seite sind keine Vorlagen',
    all: 'Die ersten zeigen',
  },
  create: {
    title: 'Neue UTM-Vorlage',
    name: 'Name',
    submit: 'Vorlage anlegen',
    done: (name: string) => `${name} ist angelegt`,
  },
  edit: {
    title: 'UTM-Vorlage bearbeiten',
    hint: 'Links, die damit angelegt wurden, bleiben, wie sie sind.',
    done: (name: string) => `${name} ist gespeichert`,
  },
  remove: {
    title: (name: string) => `UTM-Vorlage ${name} löschen?`,
    text: 'Links, die damit angelegt wurden, bleiben, wie sie sind. Das ist endgültig.',
    confirm: 'Vorlage löschen',
    done: (name: string) => `${name} ist gelöscht`,
  },
} satisfies typeof en;
