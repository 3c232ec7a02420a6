// The upload of an image that is chosen in a field.
import { useState } from 'preact/hooks';
import { type Image, MAX_BYTES, upload } from '../api/upload.ts';
import { complain } from './toast.tsx';

interface Words {
  tooLarge: string;
  noImage: string;
}

/** Stores the image in a file that is chosen, and passes it on; `error` is what is wrong with the file. */
export function useUpload(words: Words, done: (image: Image) => void) {
  const [isUploading, setUploading] = useState(false);
  const [error, setError] = useState<string>();
  async function choose(file?: File) {
    const isTooLarge = file !== undefined && file.size > MAX_BYTES;
    setError(isTooLarge ? words.tooLarge : undefined);
    if (!file || isTooLarge) return;
    setUploading(true);
    const { data, problem } = await upload(file);
    setUploading(false);
    if (!problem) done(data);
    else if (problem.code === 'VALIDATION_ERROR' || problem.code === 'UNSUPPORTED_MEDIA_TYPE') setError(words.noImage);
    else complain(problem);
  }
  return { isUploading, error, choose };
}
