// What a file is taken for before it is sent, and what its columns were taken for the last time.
import { mutate } from '../api/client.ts';
import { graphql } from '../api/generated/gql.ts';
import type { DateFormat, ImportField, ImportSource, PreviewImportMutation } from '../api/generated/graphql.ts';
import { type Encoding, encodingOf, headOf } from './encoding.ts';
import { MAX_BYTES } from './file.ts';

/** As the input of the API calls it, which tells what is wrong with it. */
export const COLUMNS = 'columns';

const PREVIEW = graphql(`
  mutation PreviewImport($input: PreviewImportInput!) {
    previewImport(input: $input) {
      source
      hasHeader
      columns {
        name
        field
        values
      }
      dateFormat
      hasUnsureDates
    }
  }
`);

type Preview = PreviewImportMutation['previewImport'];
type Fields = readonly (ImportField | null)[];

/** What is known of a file before it is sent. */
export interface Look {
  encoding: Encoding;
  /** The columns are shown, as those of no known service. */
  isTable: boolean;
  preview: Preview;
  /** What each column is about. */
  fields: Fields;
  /** What was chosen; null: it is found out. */
  dateFormat: DateFormat | null;
}

/** Where choices are kept in this browser: of each header, its fields and the order of its dates. */
const KEY = 'linkgraph.import-columns';
/** Headers that are remembered. */
const REMEMBERED = 20;
/** Names up to here are whole in a preview. */
const WHOLE_NAME = 100;

type Remembered = [header: string, fields: Fields, dateFormat: DateFormat | null][];

function remembered(): Remembered {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Remembered) : [];
  } catch {
    return [];
  }
}

/** Files of the same header have the same columns; without one, nothing tells which file it is. */
const headerOf = ({ hasHeader, columns }: Preview): string | undefined =>
  hasHeader === false ? undefined : JSON.stringify(columns.map(({ name }) => name));

export function remember({ isTable, preview, fields, dateFormat }: Look): void {
  const header = headerOf(preview);
  if (!isTable || header === undefined) return;
  const others = remembered().filter(([known]) => known !== header);
  localStorage.setItem(KEY, JSON.stringify([[header, fields, dateFormat], ...others].slice(0, REMEMBERED)));
}

/** The columns as the API wants them named: by their names, unless several have the same. */
export const columnsOf = ({ isTable, preview: { columns }, fields }: Look) =>
  isTable
    ? columns.map(({ name }, at) => {
        const isClear = name.length > 0 && name.length < WHOLE_NAME && columns.filter((other) => other.name === name).length === 1;
        return { column: isClear ? name : String(at + 1), field: fields[at] ?? null };
      })
    : null;

async function ask(file: Blob, encoding: Encoding, input: { source: ImportSource | null; columns: ReturnType<typeof columnsOf>; dateFormat: DateFormat | null }) {
  const head = await headOf(file, encoding);
  if (head === undefined) return undefined;
  const { data } = await mutate(PREVIEW, { input: { ...input, data: head } });
  return data?.previewImport;
}

/** Looks at a file that was chosen. Undefined: nothing can be told of it, which the check before it is sent explains. */
export async function lookAt(file: Blob, source: ImportSource | null, chosen?: Encoding): Promise<Look | undefined> {
  if (file.size > MAX_BYTES) return undefined;
  const encoding = chosen ?? (await encodingOf(file));
  if (!encoding) return undefined;
  const preview = await ask(file, encoding, { source, columns: null, dateFormat: null });
  if (!preview) return undefined;
  const isTable = preview.source === 'TABLE';
  const guessed: Look = { encoding, isTable, preview, fields: preview.columns.map(({ field }) => field), dateFormat: null };
  const [, fields, dateFormat] = (isTable && remembered().find(([header]) => header === headerOf(preview))) || [];
  return fields?.length === preview.columns.length ? await lookAgain(file, { ...guessed, fields, dateFormat: dateFormat ?? null }) : guessed;
}

/** Looks again at a file after a choice, which tells whether its dates are clear. */
export async function lookAgain(file: Blob, look: Look): Promise<Look> {
  const { encoding, preview, dateFormat } = look;
  const again = await ask(file, encoding, { source: preview.source, columns: columnsOf(look), dateFormat });
  return again ? { ...look, preview: again } : look;
}
