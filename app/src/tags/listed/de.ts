import { pluralDe as plural } from '../../i18n/plural.ts';
import type en from './en.ts';

const links = (count: number, formatted: string) => `${formatted} ${plural(count, 'Link', 'Links')}`;

export default {
  list: {
    label: 'Ihre Schlagwörter',
    count: (count: number, formatted: string) => `${formatted} ${plural(count, 'Schlagwort', 'Schlagwörter')}`,
    search: 'Schlagwörter durchsuchen',
    links: 'Links',
    created: 'Angelegt',
    clicks: (name: string) => `Klicks von ${name}`,
    actions: (name: string) => `Aktionen für ${name}`,
    empty: 'Ordnen Sie Ihre Links nach Schlagwörtern',
    emptyHint: 'Ein Link bekommt Schlagwörter, wo er angelegt oder bearbeitet wird. Was Sie noch nicht haben, entsteht dabei.',
    none: 'Kein Schlagwort passt',
    noneHint: 'Versuchen Sie ein anderes Wort.',
    all: 'Alle Schlagwörter zeigen',
  },
  create: {
    title: 'Neues Schlagwort',
    name: 'Name',
    submit: 'Schlagwort anlegen',
    done: (name: string) => `${name} ist angelegt`,
  },
  rename: {
    title: 'Schlagwort umbenennen',
    do: 'Umbenennen',
    hint: 'Seine Links zeigen sofort den neuen Namen.',
    done: (name: string) => `Das Schlagwort heißt jetzt ${name}`,
  },
  merge: {
    title: (name: string) => `${name} mit einem anderen Schlagwort zusammenlegen`,
    do: 'Mit einem anderen zusammenlegen',
    text: (count: number, formatted: string, name: string) =>
      `${links(count, formatted)} mit ${name} ${plural(count, 'bekommt', 'bekommen')} stattdessen das andere Schlagwort. Dann wird ${name} gelöscht, endgültig.`,
    into: 'Das andere Schlagwort',
    submit: 'Zusammenlegen',
    unknown: 'Dieses Schlagwort haben Sie nicht.',
    done: (name: string, into: string) => `${name} ist in ${into} aufgegangen`,
  },
  remove: {
    title: (name: string) => `Schlagwort ${name} löschen?`,
    text: (count: number, formatted: string) =>
      count === 0
        ? 'Kein Link hat es.'
        : `Es wird von ${formatted} ${plural(count, 'Link', 'Links')} genommen, ${plural(count, 'der sonst bleibt, wie er ist', 'die sonst bleiben, wie sie sind')}. Das ist endgültig.`,
    confirm: 'Schlagwort löschen',
    done: (name: string) => `${name} ist gelöscht`,
  },
} satisfies typeof en;
