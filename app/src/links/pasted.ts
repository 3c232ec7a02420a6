// Links in a text that was pasted: an address a line, or a table of a spreadsheet.
import type { CreateLinksItemInput } from '../api/generated/graphql.ts';
import { isUrl, withScheme } from './address.ts';

const COLUMNS = {
  destinationUrl: ['url', 'destination', 'destination url', 'destinationurl', 'long url', 'address', 'ziel', 'ziel-url', 'adresse'],
  slug: ['slug', 'path', 'short path', 'keyword', 'pfad', 'kurzer pfad'],
  title: ['title', 'titel', 'name'],
  tags: ['tags', 'tag', 'schlagwörter', 'schlagwort'],
  notes: ['notes', 'notizen'],
} as const;
type Column = keyof typeof COLUMNS;
const NAMES = Object.keys(COLUMNS) as Column[];

/** Those of a table without heads, after its addresses. */
const USUAL: Column[] = ['slug', 'title', 'tags', 'notes'];

export interface Pasted {
  /** The row as it was pasted, to be tried again. */
  text: string;
  link: CreateLinksItemInput & { destinationUrl: string };
}

/** The rows of a table. A cell in quotes may have what separates others. */
function rowsOf(text: string, separator: string | undefined): { text: string; cells: string[] }[] {
  const rows: { text: string; cells: string[] }[] = [];
  let [cells, cell, start, isQuoted]: [string[], string, number, boolean] = [[], '', 0, false];
  for (let at = 0; at <= text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (isQuoted && character !== undefined) {
      if (character === '"') isQuoted = false;
      else cell += character;
    } else if (character === '"' && cell === '' && separator) isQuoted = true;
    else if (character === undefined || character === '\n') {
      cells.push(cell.trim());
      if (cells.some((each) => each !== '')) rows.push({ text: text.slice(start, at), cells });
      [cells, cell, start] = [[], '', at + 1];
    } else if (character === separator) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return rows;
}

const columnOf = (head: string): Column | undefined =>
  NAMES.find((name) => (COLUMNS[name] as readonly string[]).includes(head.trim().replaceAll('"', '').toLowerCase()));

const looksLikeUrl = (cell = ''): boolean => isUrl(withScheme(cell)) && cell.includes('.');

/** Tabs separate the cells of what is copied from a spreadsheet. Addresses have commas, so that these separate below heads alone. */
function separatorOf(text: string): string | undefined {
  const [first = ''] = text.split('\n');
  return ['\t', ';', ','].find((each) => text.includes(each) && (each === '\t' || (first.includes(each) && first.split(each).some(columnOf))));
}

export function pastedIn(text: string): Pasted[] {
  const trimmed = text.replaceAll(/\r\n?/g, '\n').trim();
  const rows = rowsOf(trimmed, separatorOf(trimmed));
  const heads = rows[0]?.cells.map(columnOf) ?? [];
  const hasHeads = heads.includes('destinationUrl') && !rows[0]!.cells.some(looksLikeUrl);
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const addresses = Math.max(0, Array.from({ length: width }).findIndex((_, at) => rows.some(({ cells }) => looksLikeUrl(cells[at]))));
  const others = USUAL.values();
  const columns = hasHeads
    ? heads
    : Array.from({ length: width }, (_, at): Column | undefined => (at === addresses ? 'destinationUrl' : others.next().value));
  return rows.slice(hasHeads ? 1 : 0).map(({ text: own, cells }) => {
    const cell = (name: Column) => cells[columns.indexOf(name)] || null;
    return {
      text: own,
      link: {
        destinationUrl: withScheme(cell('destinationUrl') ?? ''),
        slug: cell('slug'),
        title: cell('title'),
        tags: (cell('tags') ?? '').split(/[,;]/).map((tag) => tag.trim()).filter((tag) => tag !== ''),
        notes: cell('notes'),
      },
    };
  });
}
