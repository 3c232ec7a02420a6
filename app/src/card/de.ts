import type en from './en.ts';

export default {
  title: 'Vorschau in Messengern',
  lead: 'Was Slack, WhatsApp, X und andere zeigen, wenn jemand den Link verschickt. Besucher sehen es nie.',
  missing: 'Diesen Link gibt es nicht',
  none: 'Messenger zeigen, was sie an der Adresse finden, zu der der Link führt.',
  fields: {
    title: 'Titel',
    description: 'Beschreibung',
    imageUrl: 'Adresse eines Bildes',
    imageHint: 'Im Web, am besten 1.200 mal 630 Pixel.',
  },
  upload: 'Ein Bild hochladen',
  uploadHint: 'PNG, JPEG oder WebP, höchstens 1 MiB. Wer seine Adresse hat, kann es sehen.',
  uploading: 'Das Bild wird hochgeladen …',
  noImage: 'Diese Datei ist kein Bild in PNG, JPEG oder WebP, ist beschädigt oder hat an einer Seite mehr als 4.096 Pixel.',
  tooLarge: 'Diese Datei ist größer als 1 MiB.',
  fill: 'Aus der Seite ausfüllen',
  filled: 'Aus der Seite ausgefüllt. Gespeichert ist noch nichts.',
  foundNothing: 'Die Seite sagt nichts über sich.',
  save: 'Die Vorschau speichern',
  saved: 'Gespeichert. Messenger zeigen vielleicht noch tagelang, was sie vorher gesehen haben.',
  remove: 'Die Vorschau entfernen',
  removed: 'Messenger zeigen wieder, was sie an der Adresse finden',
  looks: 'So sieht es aus',
  unsaved: 'Es gibt Änderungen, die nicht gespeichert sind.',
  noTitle: 'Titel',
} satisfies typeof en;
