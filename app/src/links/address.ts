/** An address that can be shortened as it is. */
export const isUrl = (text: string): boolean => /^https?:\/\/[^\s/]+\.?[^\s]*$/i.test(text);

/** `example.com/x` as people type it, with the scheme that the service asks for. */
export const withScheme = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === '' || /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
};

/** A URL as it is read: without its scheme, and without a lone slash at its end. */
export const readable = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');
