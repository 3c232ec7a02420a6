// Files as text, of which one part at a time is in memory.
import type { Problem } from '../api/problem.ts';
import { tag, t } from '../i18n/index.ts';
import type { Encoding } from './encoding.ts';

/** Largest file that the service accepts, in bytes. */
export const MAX_BYTES = 48 * 1024 * 1024;
/** Quotes and ends of lines have two bytes each in JSON, and a request may have 256 KiB. */
const PART_BYTES = 120_000;
/** Letters of other encodings may have thrice as many bytes in UTF-8. */
const OTHER_PART_BYTES = 60_000;

/** “48 MB”, of 1,048,576 bytes each. */
export const formatBytes = (bytes: number): string =>
  new Intl.NumberFormat(tag(), { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / 1_048_576);

export interface Part {
  text: string;
  /** Where the next one begins. */
  end: number;
}

const partBytes = (encoding: Encoding): number => (encoding === 'utf-8' ? PART_BYTES : OTHER_PART_BYTES);

/** Whether a file is sent at once. */
export const isShort = (file: Blob, encoding: Encoding): boolean => file.size <= partBytes(encoding);

/** The parts of a file, none of which ends within a character. A `TypeError`: it is not in this encoding. */
export async function* partsOf(file: Blob, encoding: Encoding): AsyncGenerator<Part> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  for (let start = 0; start < file.size; ) {
    const end = Math.min(start + partBytes(encoding), file.size);
    const bytes = await file.slice(start, end).arrayBuffer();
    yield { text: decoder.decode(bytes, { stream: end < file.size }), end };
    start = end;
  }
}

/** The error of a part of a file that could not be read. */
export const unreadable = (error: unknown): string =>
  error instanceof TypeError ? t.imports.fileErrors.encoding : t.imports.fileErrors.gone;

/** As if the service had found it at that field, or at none. */
export const fileProblem = (message: string, path?: string): Problem => ({
  code: 'VALIDATION_ERROR',
  message,
  violations: path ? [{ path, message }] : [],
  details: {},
});
