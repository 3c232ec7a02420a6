import type { ImportSource } from '../api/generated/graphql.ts';

/** Services whose links are read, as they call themselves. */
export const SOURCES: Record<ImportSource, string> = {
  BITLY: 'Bitly',
  DUB: 'Dub',
  KUTT: 'Kutt',
  LINKGRAPH: 'linkgraph',
  REBRANDLY: 'Rebrandly',
  SHLINK: 'Shlink',
  SHORT_IO: 'Short.io',
  YOURLS: 'YOURLS',
};

/** The sources that are read by their APIs. */
export const API_SOURCES = ['SHLINK', 'YOURLS'] as const satisfies ImportSource[];
