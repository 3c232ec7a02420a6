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

/** Those whose APIs are asked. */
export const API_SOURCES = ['SHLINK', 'YOURLS'] as const satisfies ImportSource[];
