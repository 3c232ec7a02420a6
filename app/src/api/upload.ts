import type { Outcome } from './client.ts';
import { unreachable } from './problem.ts';
import { rest } from './rest.ts';

/** Files that the API makes images of. */
export const IMAGES = 'image/png,image/jpeg,image/webp';
/** Bytes that a file may have. */
export const MAX_BYTES = 1 << 20;

/** Stores an image in the account. */
export async function upload(file: Blob): Promise<Outcome<{ id: string; url: string }>> {
  const { data, problem } = await rest('/images', { method: 'POST', headers: { 'content-type': file.type }, body: file });
  if (problem) return { problem };
  const image = await data.json().catch(() => undefined);
  return image ? { data: image } : { problem: unreachable() };
}
