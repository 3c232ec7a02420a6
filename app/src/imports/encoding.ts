// The encodings of files, by the rules and names of the Encoding Standard, as `link_files/src/encoding.rs` has them for the command line.

/** Encodings that can be chosen where the one that was found is wrong. */
export const ENCODINGS = ['utf-8', 'windows-1252', 'windows-1250', 'iso-8859-2', 'macintosh', 'utf-16le', 'utf-16be'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes that tell what a file is. */
const HEAD_BYTES = 65_536;
/** Bytes from which the first rows are shown: a byte may have six in JSON, and a request may have 256 KiB. */
const SHOWN_BYTES = 40_000;
/** Bytes of a file that are looked at together. */
const CHUNK_BYTES = 1_048_576;
/** Of the bytes at even or odd places, the share that is zero in UTF-16 without a byte order mark. */
const UTF_16_ZEROS = 3;

function wide(head: Uint8Array): Encoding | undefined {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = [0, 1].map((start) => head.filter((byte, at) => byte === 0 && at % 2 === start).length) as [number, number];
  const [even, odd] = zeros;
  const half = Math.floor(head.length / 2);
  if (odd * UTF_16_ZEROS > half && even * 2 < odd) return 'utf-16le';
  if (even * UTF_16_ZEROS > half && odd * 2 < even) return 'utf-16be';
  return undefined;
}

/** The encoding that a file is in, as far as can be told. Undefined: it is UTF-8 but for some bytes that are damaged. */
export async function encodingOf(file: Blob): Promise<Encoding | undefined> {
  const found = wide(new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer()));
  if (found) return found;
  const [strict, lenient] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('utf-8')];
  let [isUtf8, letters, damaged] = [true, 0, 0];
  for (let start = 0; start < file.size; start += CHUNK_BYTES) {
    const bytes = new Uint8Array(await file.slice(start, start + CHUNK_BYTES).arrayBuffer());
    const stream = start + CHUNK_BYTES < file.size;
    try {
      if (isUtf8) strict.decode(bytes, { stream });
    } catch {
      isUtf8 = false;
    }
    for (const letter of lenient.decode(bytes, { stream })) {
      if (letter === '\uFFFD') damaged += 1;
      else if (letter > '\u007F') letters += 1;
    }
  }
  if (isUtf8) return 'utf-8';
  // Two bytes of Windows-1252 are seldom one letter of UTF-8 by chance.
  return letters > damaged ? undefined : 'windows-1252';
}

/** The text of a file's beginning, of whole lines. Undefined: it is none. */
export async function headOf(file: Blob, encoding: Encoding): Promise<string | undefined> {
  const head = await file.slice(0, SHOWN_BYTES).arrayBuffer();
  const text = new TextDecoder(encoding).decode(head, { stream: true });
  if (text === '' || text.includes('\0')) return undefined;
  return file.size > SHOWN_BYTES ? text.slice(0, text.lastIndexOf('\n') + 1 || undefined) : text;
}
