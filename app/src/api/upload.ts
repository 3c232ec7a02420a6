import { accessToken, isStale, renew } from '../session/session.ts';
import type { Outcome } from './client.ts';
import { problemOfResponse, unreachable } from './problem.ts';

/** Files that the API makes images of. */
export const IMAGES = 'image/png,image/jpeg,image/webp';
/** Bytes that a file may have. */
export const MAX_BYTES = 1 << 20;

/** Stores an image in the account. */
export async function upload(file: Blob): Promise<Outcome<{ id: string; url: string }>> {
  try {
    if (isStale()) await renew();
    const headers = { authorization: `Bearer ${accessToken()}`, 'content-type': file.type };
    const response = await fetch('/images', { method: 'POST', headers, body: file });
    return response.ok ? { data: await response.json() } : { problem: await problemOfResponse(response) };
  } catch {
    return { problem: unreachable() };
  }
}
