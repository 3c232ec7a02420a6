// Runs before the page is painted.

// A chosen theme does not flash.
const chosen = localStorage.getItem('linkgraph.theme');
if (chosen) document.documentElement.dataset.theme = chosen;

/** By the patterns of addresses; build.mjs knows them. */
declare const SCRIPTS: [pattern: string, scripts: string[]][];

// The scripts of the page come with those of the frame, which asks for them only when it runs.
const here = SCRIPTS.find(([pattern]) => new RegExp(`^${pattern.replace(/:\w+/, '[^/]+')}/?$`).test(location.pathname));
for (const href of here?.[1] ?? []) {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
