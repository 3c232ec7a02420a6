import type { Outcome } from './client.ts';
import { problemOfResponse, unreachable } from './problem.ts';
import { request } from './rest.ts';

/** Files that the API makes images of. */
export const IMAGES = 'image/png,image/jpeg,image/webp';
/** Bytes that a file may have. */
export const MAX_BYTES = 1 << 20;

/** An image of the account, as far as the application needs it. */
export interface Image {
  id: string;
  url: string;
}

/** Stores an image in the account. */
export async function upload(file: Blob): Promise<Outcome<Image>> {
  try {
    const response = await request('/images', { method: 'POST', headers: { 'content-type': file.type }, body: file });
    return response.ok ? { data: await response.json() } : { problem: await problemOfResponse(response) };
  } catch {
    return { problem: unreachable() };
  }
}
