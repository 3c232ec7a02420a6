// What keeps a file from being imported, found out before it is sent.
import type { Problem } from '../api/problem.ts';
import { t } from '../i18n/index.ts';
import { type Encoding, encodingOf } from './encoding.ts';
import { fileProblem, formatBytes, MAX_BYTES, partsOf, unreadable } from './file.ts';

async function whyNot(file: File, chosen?: Encoding): Promise<string | undefined> {
  const { none, empty, large, encoding } = t.imports.fileErrors;
  if (file.size === 0) return file.name === '' ? none : empty;
  if (file.size > MAX_BYTES) return large(formatBytes(file.size), formatBytes(MAX_BYTES));
  try {
    const found = chosen ?? (await encodingOf(file));
    if (!found) return encoding;
    // Files of other programs have it.
    for await (const { text } of partsOf(file, found)) if (text.includes('\0')) return encoding;
    return undefined;
  } catch (error) {
    return unreadable(error);
  }
}

/** Reads all of a file, and answers why it can't be imported, at the field that it was chosen in. */
export async function check(file: File, path: string, chosen?: Encoding): Promise<Problem | undefined> {
  const message = await whyNot(file, chosen);
  return message === undefined ? undefined : fileProblem(message, path);
}
