// Files as text, of which one part at a time is in memory.
import type { Problem } from '../api/problem.ts';
import { tag, t } from '../i18n/index.ts';

/** Largest file that the service accepts, in bytes. */
export const MAX_BYTES = 48 * 1024 * 1024;
/** Quotes and ends of lines have two bytes each in JSON, and a request may have 256 KiB. */
export const PART_BYTES = 120_000;
/** Bytes of a character after its first. */
const MAX_REST = 3;

/** “48 MB”, of 1,048,576 bytes each. */
export const formatBytes = (bytes: number): string =>
  new Intl.NumberFormat(tag(), { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / 1_048_576);

export interface Part {
  text: string;
  /** Where the next one begins. */
  end: number;
}

const isRest = (byte: number | undefined): boolean => byte !== undefined && byte >> 6 === 0b10;

/** The parts of a file, none of which ends within a character. A `TypeError`: it is not UTF-8. */
export async function* partsOf(file: Blob): AsyncGenerator<Part> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let start = 0; start < file.size; ) {
    const bytes = new Uint8Array(await file.slice(start, start + PART_BYTES + 1).arrayBuffer());
    let length = Math.min(bytes.length, PART_BYTES);
    for (let back = 0; back < MAX_REST && isRest(bytes[length]); back += 1) length -= 1;
    start += length;
    yield { text: decoder.decode(bytes.subarray(0, length)), end: start };
  }
}

/** The error of a part of a file that could not be read. */
export const unreadable = (error: unknown): string =>
  error instanceof TypeError ? t.imports.fileErrors.encoding : t.imports.fileErrors.gone;

async function whyNot(file: File): Promise<string | undefined> {
  const { none, empty, large, encoding } = t.imports.fileErrors;
  if (file.size === 0) return file.name === '' ? none : empty;
  if (file.size > MAX_BYTES) return large(formatBytes(file.size), formatBytes(MAX_BYTES));
  try {
    // Text in UTF-16 may look like UTF-8 with NUL between its letters.
    for await (const { text } of partsOf(file)) if (text.includes('\0')) return encoding;
    return undefined;
  } catch (error) {
    return unreadable(error);
  }
}

/** As if the service had found it at that field, or at none. */
export const fileProblem = (message: string, path?: string): Problem => ({
  code: 'VALIDATION_ERROR',
  message,
  violations: path ? [{ path, message }] : [],
  details: {},
});

/** Reads all of a file, and answers why it can't be imported, at the field that it was chosen in. */
export async function check(file: File, path: string): Promise<Problem | undefined> {
  const message = await whyNot(file);
  return message === undefined ? undefined : fileProblem(message, path);
}
