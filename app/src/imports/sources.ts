import type { ImportSource } from '../api/generated/graphql.ts';

/** Services whose links are read, as they call themselves. */
export const SOURCES: Record<Exclude<ImportSource, 'TABLE'>, string> = {
  BITLY: 'Bitly',
  DUB: 'Dub',
  KUTT: 'Kutt',
  LINKGRAPH: 'linkgraph',
  REBRANDLY: 'Rebrandly',
  SHLINK: 'Shlink',
  SHORT_IO: 'Short.io',
  YOURLS: 'YOURLS',
};

/** All sources: services by their names, and tables that people make. */
export const ALL_SOURCES = [...(Object.keys(SOURCES) as (keyof typeof SOURCES)[]), 'TABLE'] as const;

/** The sources that are read by their APIs. */
export const API_SOURCES = ['SHLINK', 'YOURLS'] as const satisfies ImportSource[];
