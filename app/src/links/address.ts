import { signal } from '@preact/signals';

/** An address that can be shortened as it is. */
export const isUrl = (text: string): boolean => /^https?:\/\/[^\s/]+\.?[^\s]*$/i.test(text);

/** Digits after a colon are a port, as in `localhost:8080/x`. */
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i;

/** `example.com/x` as people type it, with the scheme that the service asks for. */
export const withScheme = (text: string): string => {
  const trimmed = text.trim();
  return trimmed === '' || HAS_SCHEME.test(trimmed) ? trimmed : `https://${trimmed}`;
};

/** What may be meant by a text that names no host of the web, such as `acme` or `localhost:8080/x`: that has to be asked. */
export function meantBy(text: string): string | undefined {
  const trimmed = text.trim();
  const [host = ''] = /^[^/?#:]*/.exec(trimmed) ?? [];
  const url = withScheme(trimmed);
  return host === '' || host.includes('.') || url === trimmed || !URL.canParse(url) ? undefined : url;
}

/** What makes URLs readable is fetched with the first one that needs it; until then they are shown as they are. */
const reader = signal<{ readableUrl(url: string): string }>();
let isAsked = false;

function read(url: string): string {
  if (!/%|xn--/.test(url)) return url;
  if (!isAsked) {
    isAsked = true;
    import('../ui/readable.ts').then(
      (module) => {
        reader.value = module;
      },
      () => {
        isAsked = false;
      },
    );
  }
  return reader.value?.readableUrl(url) ?? url;
}

/** A URL as it is read: also without its scheme, and without a lone slash at its end. */
export const readable = (url: string): string => read(url).replace(/^https?:\/\//, '').replace(/\/$/, '');

/** A short link as it is read, all of it: its path has neither signs nor what is not seen. What is copied is the short link itself. */
export const readableShort = (shortUrl: string): string => readable(decodeURI(shortUrl));

/** What a QR code of a short link leads to: that of a pattern has no rest. */
export const scanned = (shortUrl: string): string => `${shortUrl.replace(/\/\*$/, '')}?qr`;

/** What stands before the path of a short link, with the port that it needs. */
export const placeOf = ({ shortUrl, slug }: { shortUrl: string; slug: string }): string => readable(decodeURI(shortUrl).slice(0, -slug.length));
