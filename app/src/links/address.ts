import { readableUrl } from '../ui/readable.ts';

/** An address that can be shortened as it is. */
export const isUrl = (text: string): boolean => /^https?:\/\/[^\s/]+\.?[^\s]*$/i.test(text);

/** `example.com/x` as people type it, with the scheme that the service asks for. */
export const withScheme = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
};

/** A URL as it is read: also without its scheme, and without a lone slash at its end. */
export const readable = (url: string): string => readableUrl(url).replace(/^https?:\/\//, '').replace(/\/$/, '');

/** What stands before the path of a short link, with the port that it needs. */
export const placeOf = ({ shortUrl, slug }: { shortUrl: string; slug: string }): string => readable(shortUrl.slice(0, -slug.length));
