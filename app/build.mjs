// Bundles src/ into dist/, and stops when it is larger than the budgets below.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

process.chdir(path.dirname(fileURLToPath(import.meta.url)));

const BUDGET = { firstScripts: 60_000, styles: 12_000, report: 45_000, all: 340_000 };
const BASE = '/app/';
/** Bytes of a script below which it is joined with another. */
const SMALL = 4000;
/** How many others each of what many visits fetch counts for, when scripts are joined. */
const WEIGHTS = {
  'src/links/list.tsx': 100,
  'src/links/detail.tsx': 80,
  'src/overview/overview.tsx': 30,
  'src/links/new.tsx': 30,
  'src/access/login.tsx': 12,
  'src/imports/start.tsx': 30,
  'src/developers/webhooks.tsx': 20,
  'src/settings/settings.tsx': 4,
  'src/rules/page.tsx': 150,
};
/** Modules that a file of all pages of statistics has, and of what is opened there, as most of what they show: none needs a file for what two share. */
const STATISTICS = {
  pages: ['src/overview/overview.tsx', 'src/links/detail.tsx', 'src/analytics/breakdown.tsx', 'src/analytics/dialogs.ts', 'src/analytics/export.ts'],
  modules: ['src/analytics/chart.tsx', 'src/analytics/figures.tsx', 'src/analytics/picker.tsx', 'src/analytics/output.tsx', 'src/analytics/live-dot.tsx', 'src/analytics/opened.ts', 'src/analytics/link-name.tsx', 'src/links/destinations.ts'],
};
/** Words that come with those of another part. */
const AREAS = { notes: 'reportForms', overview: 'analytics', palette: 'keys', reports: 'reportForms', utm: 'links', hosts: 'domains' };
/** For launchers that take no SVG; made by icons.mjs. */
const PNG_ICONS = [
  { name: 'icon-192', sizes: '192x192', purpose: 'any' },
  { name: 'icon-512', sizes: '512x512', purpose: 'any' },
  { name: 'icon-maskable', sizes: '512x512', purpose: 'maskable' },
];

// `graphql(…)` of the generated code would look each document up in a table of all; here the document itself, with
// its fragments, takes the place of the call, so that a page carries its own alone.
// So do the rules of input in the place of their import.
async function generated(name) {
  const { code } = await transform(fs.readFileSync(`src/api/generated/${name}.ts`, 'utf8'), { loader: 'ts', format: 'esm' });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}
const [documents, constraints] = [await generated('graphql'), await generated('constraints')];
const RULES = /import \{ ([^}]+) \} from '[./\w]+\/generated\/constraints\.ts';/;
const TYPENAME = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };
/** A document as the cache of urql wants it: each object says its type. */
const withTypes = (text) =>
  stripIgnoredCharacters(
    print(
      visit(parse(text), {
        SelectionSet: (set, _key, parent) =>
          parent.kind === Kind.OPERATION_DEFINITION ? undefined : { ...set, selections: [...set.selections, TYPENAME] },
      }),
    ),
  );
/** The rules of an input that a source names; all, where it names the input alone. */
function rulesIn(source, input) {
  const uses = [...source.replace(RULES, '').matchAll(new RegExp(`\\b${input}\\b(?:\\.(\\w+))?`, 'g'))].map(([, name]) => name);
  return uses.includes(undefined) ? constraints[input] : Object.fromEntries(uses.map((name) => [name, constraints[input][name]]));
}
const inlined = (source, file) =>
  source
    .replace(RULES, (_import, names) => names.split(', ').map((name) => `const ${name} = ${JSON.stringify(rulesIn(source, name))};`).join(' '))
    .replace(/\bgraphql\(`\s*(\w+) (\w+)[^`]*`\)/g, (_call, kind, name) => {
    if (kind === 'fragment') return "''";
    const document = documents[`${name}Document`];
    if (!document) throw new Error(`${file}: ${name} is not generated; run npm run generate`);
    return JSON.stringify(withTypes(String(document)));
  });

const MAIN = path.resolve('src/main.tsx');
/** The public page of a report stores nothing, and has its words in its script: these take the place of what the application has. */
const OF_REPORTS = { 'i18n/index.ts': 'src/reports/page/language.ts', 'ui/stored.ts': 'src/reports/page/stored.ts' };
const reportsPlugin = {
  name: 'reports',
  setup({ onResolve }) {
    onResolve({ filter: /\/(index|stored)\.ts$/ }, ({ path: imported, resolveDir }) => {
      const own = OF_REPORTS[path.relative('src', path.resolve(resolveDir, imported))];
      return own && { path: path.resolve(own) };
    });
  },
};
const isScript = (file) => file.endsWith('.js');

/** `joined` are modules that an entry imports beside its own, by the entry. */
const sourcesPlugin = (joined) => ({
  name: 'sources',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path: file }) => {
      const source = inlined(fs.readFileSync(file, 'utf8'), file);
      const imports = (joined.get(file) ?? []).map((module) => `\nimport './${path.relative(path.dirname(file), module)}';`);
      return { contents: source + imports.join(''), loader: path.extname(file).slice(1) };
    });
  },
});

const filesOf = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

const bundle = (joined, write) =>
  build({
    entryPoints: ['src/main.tsx', 'src/icon.svg', ...PNG_ICONS.map(({ name }) => `src/${name}.png`)],
    outdir: 'dist/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    // Names of files are hashes of paths, too: the packages may be elsewhere.
    preserveSymlinks: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // urql would bring a parser for the documents, which were checked when they were generated.
    alias: { '@0no-co/graphql.web': './src/api/document.ts' },
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.svg': 'copy', '.png': 'copy' },
    legalComments: 'none',
    metafile: true,
    write,
    logLevel: 'warning',
    plugins: [sourcesPlugin(joined)],
  });

/** A script and what it imports at once. */
function withImports(outputs, file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const { path: imported, kind } of outputs[file].imports) if (kind === 'import-statement') withImports(outputs, imported, found);
  return found;
}

const frameOf = (outputs) => Object.keys(outputs).find((file) => isScript(file) && outputs[file].inputs['src/main.tsx']);

const weight = ({ entryPoint }) => WEIGHTS[entryPoint] ?? 1;
const isLater = ({ entryPoint }) => entryPoint !== undefined && entryPoint !== 'src/main.tsx';

/**
 * esbuild makes a file of each set of modules that the same pages need. The smallest one that is too small is joined: with another,
 * or with the frame, where pages fetch the least that they do not need. Two are one set once the pages of both import both.
 * Answers whether there was one.
 */
function join({ outputs }, joined) {
  const frame = frameOf(outputs);
  const scripts = Object.keys(outputs).filter((file) => isScript(file) && file !== frame);
  const entries = scripts.filter((file) => isLater(outputs[file]));
  const shared = scripts
    .filter((file) => !outputs[file].entryPoint)
    .map((file) => ({
      modules: Object.keys(outputs[file].inputs).filter((module) => module.startsWith('src/')),
      users: entries.filter((entry) => withImports(outputs, entry).has(file)),
      bytes: outputs[file].bytes,
    }))
    .filter(({ modules }) => modules.length > 0 && !modules.some((module) => fs.readFileSync(module, 'utf8').includes('onDemand(')))
    .sort((a, b) => a.bytes - b.bytes);
  const add = (entry, modules) => joined.set(entry, [...new Set([...(joined.get(entry) ?? []), ...modules])]);
  const small = shared.find(({ bytes }) => bytes < SMALL);
  if (!small) return false;
  const lacking = (users, of) => of.filter((user) => !users.includes(user)).reduce((sum, user) => sum + weight(outputs[user]), 0);
  const waste = (other) => small.bytes * lacking(small.users, other.users) + other.bytes * lacking(other.users, small.users);
  const [best] = shared.filter((other) => other !== small).sort((a, b) => waste(a) - waste(b));
  if (!best || small.bytes * lacking(small.users, entries) <= waste(best)) add(MAIN, small.modules.map((each) => path.resolve(each)));
  else {
    for (const user of new Set([...small.users, ...best.users])) {
      add(path.resolve(outputs[user].entryPoint), [...small.modules, ...best.modules].map((each) => path.resolve(each)));
    }
  }
  return true;
}

fs.rmSync('dist', { recursive: true, force: true });
const { metafile: apart } = await bundle(new Map(), false);
// What is fetched later needs all of the frame anyway: told so, esbuild keeps it together in one file.
const entriesLater = Object.values(apart.outputs).filter(isLater).map(({ entryPoint }) => path.resolve(entryPoint));
const joined = new Map(entriesLater.map((entry) => [entry, [MAIN]]));
for (const entry of STATISTICS.pages) joined.get(path.resolve(entry)).push(...STATISTICS.modules.map((each) => path.resolve(each)));
for (;;) {
  const { metafile: last } = await bundle(joined, false);
  if (!join(last, joined)) break;
}
const { metafile } = await bundle(joined, true);
const outputs = { ...metafile.outputs };
const main = frameOf(outputs);
// What is left of the entry only imports the frame, where all of it is.
for (const file of Object.keys(outputs).filter((each) => outputs[each].entryPoint === 'src/main.tsx' && each !== main && isScript(each))) {
  fs.rmSync(file);
  delete outputs[file];
}
const sheets = await build({ entryPoints: { main: 'src/styles/index.css' }, outdir: 'dist/assets', entryNames: '[name]-[hash]', bundle: true, minify: true, charset: 'utf8', target: 'es2022', metafile: true });
Object.assign(outputs, sheets.metafile.outputs);
const built = (name, extension) =>
  Object.keys(outputs).find((file) => new RegExp(`/${name}-[A-Z0-9]{8}\\${extension}$`).test(file));
const url = (file) => BASE + path.relative('dist', file);

const ofModule = (module) => Object.keys(outputs).find((file) => outputs[file].entryPoint === path.normalize(`src/${module}`));

/** The parts of words that come with what a file opens, by the module that it opens. */
const onDemandIn = (file) =>
  Object.fromEntries(
    [...fs.readFileSync(file, 'utf8').matchAll(/onDemand\(\(\) => import\('(.+?)'\), [^\n]*?\.\w+((?:, '\w+')*)\)/g)].map(([, module, parts]) => [
      path.join(path.dirname(file), module),
      [...parts.matchAll(/'(\w+)'/g)].map(([, part]) => part),
    ]),
  );

/** What a module reaches by imports, those that are made later included, and the parts of words that each has from where it is opened. */
function reached(module, parts = [], found = new Map()) {
  const before = found.get(module);
  if (module === 'src/main.tsx' || before?.every((part) => parts.includes(part))) return found;
  found.set(module, before ? before.filter((part) => parts.includes(part)) : parts);
  const opened = onDemandIn(module);
  for (const { path: imported } of apart.inputs[module].imports) {
    if (imported.startsWith('src/')) reached(imported, [...found.get(module), ...(opened[imported] ?? [])], found);
  }
  return found;
}

/** The files of the words, by language and part, as i18n/parts.ts has them. */
const PARTS = [...fs.readFileSync('src/i18n/parts.ts', 'utf8').matchAll(/^  (\w+): \{ en: \(\) => import\('(.+)\/en\.ts'\)/gm)];
const wordsIn = (language) =>
  Object.fromEntries(PARTS.map(([, part, folder]) => [part, url(ofModule(`i18n/${folder}/${language}.ts`))]));

/** The pages by the patterns of their addresses in shell/app.tsx: the parts of words that they name, and their scripts. */
function pages() {
  const source = fs.readFileSync('src/shell/app.tsx', 'utf8');
  const frame = withImports(outputs, main);
  const found = [];
  for (const [, pattern, module, named] of source.matchAll(/\['(.+)', page\(\(\) => import\('\.\.(.+?)'\)(.*)\)\],/g)) {
    const parts = [...named.matchAll(/'(\w+)'/g)].map(([, part]) => part);
    for (const [file, own] of reached(`src${module}`)) {
      if (/\/(en|de)\.ts$/.test(file) || file.startsWith('src/i18n/')) continue;
      for (const [, area] of fs.readFileSync(file, 'utf8').matchAll(/\bt\.(\w+)/g)) {
        const part = AREAS[area] ?? area;
        if (PARTS.some(([, each]) => each === part) && ![...parts, ...own].includes(part)) throw new Error(`shell/app.tsx: ${pattern} lacks the words '${part}' of ${file}`);
      }
    }
    const scripts = [...withImports(outputs, ofModule(module))].filter((file) => !frame.has(file));
    found.push([pattern, parts, scripts.map(url)]);
  }
  return found;
}

const found = pages();

// A classic script of its own: it runs before the first paint.
const first = await build({
  entryPoints: { first: 'src/first.ts' },
  outdir: 'dist/assets',
  entryNames: '[name]-[hash]',
  bundle: true,
  preserveSymlinks: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  define: { PAGES: JSON.stringify(found), WORDS: JSON.stringify({ en: wordsIn('en'), de: wordsIn('de') }) },
  metafile: true,
});
Object.assign(outputs, first.metafile.outputs);

// One script, without session, client and router.
const report = await build({
  entryPoints: { report: 'src/reports/page/main.tsx' },
  outdir: 'dist/assets',
  entryNames: '[name]-[hash]',
  bundle: true,
  preserveSymlinks: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  metafile: true,
  plugins: [reportsPlugin, sourcesPlugin(new Map())],
});
Object.assign(outputs, report.metafile.outputs);
for (const file of Object.keys(report.metafile.inputs)) {
  if (/^src\/(session|shell|api)\/(?!generated)|urql|preact-iso/.test(file)) throw new Error(`the page of a report has ${file}`);
}

const styles = built('main', '.css');
const icon = built('icon', '.svg');
const preloads = [...withImports(outputs, main)].filter((file) => file !== main);
fs.writeFileSync(
  'dist/index.html',
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>linkgraph</title>
<link rel="icon" href="${url(icon)}" type="image/svg+xml">
<link rel="manifest" href="${BASE}manifest.webmanifest">
<script src="${url(built('first', '.js'))}"></script>
<link rel="stylesheet" href="${url(styles)}">
${preloads.map((file) => `<link rel="modulepreload" href="${url(file)}">\n`).join('')}<script type="module" src="${url(main)}"></script>
</head>
<body>
<div id="app"></div>
<noscript>This application needs JavaScript. The API does not: see /schema.graphql and /openapi.json.</noscript>
</body>
</html>
`,
);
// Its address lets whoever has it see the report: no other site, and no list of pages, gets it from here.
fs.writeFileSync(
  'dist/report.html',
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>linkgraph</title>
<link rel="icon" href="${url(icon)}" type="image/svg+xml">
<link rel="stylesheet" href="${url(styles)}">
<script type="module" src="${url(built('report', '.js'))}"></script>
</head>
<body>
<div id="app"></div>
<noscript>This report needs JavaScript. Its numbers are at the same address for whoever accepts application/json.</noscript>
</body>
</html>
`,
);
const manifest = {
  name: 'linkgraph',
  short_name: 'linkgraph',
  id: '/app',
  start_url: '/app',
  scope: '/app',
  display: 'standalone',
  background_color: '#f6f7f6',
  theme_color: '#0a6e5c',
  icons: [
    { src: url(icon), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ...PNG_ICONS.map(({ name, sizes, purpose }) => ({ src: url(built(name, '.png')), sizes, type: 'image/png', purpose })),
  ],
  share_target: { action: '/app/links/new', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
};
fs.writeFileSync('dist/manifest.webmanifest', `${JSON.stringify(manifest, null, 2)}\n`);

// The licence texts of everything that ended up in the bundle, and where its data are from.
const packages = new Map();
for (const output of Object.values(outputs)) {
  for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
    const dir = bytesInOutput > 0 && file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
    if (!dir) continue;
    const { name, version, license } = JSON.parse(fs.readFileSync(`${dir}/package.json`, 'utf8'));
    packages.set(`${name} ${version}`, { dir, license });
  }
}
const byText = new Map();
for (const [name, { dir, license }] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const file = fs.readdirSync(dir).sort().find((each) => /^(licen[sc]e|copying)(\.|$)/i.test(each));
  const text = file ? fs.readFileSync(`${dir}/${file}`, 'utf8').replace(/\r/g, '').trim() : `Licence: ${license}`;
  byText.set(text, [...(byText.get(text) ?? []), `${name} (${license})`]);
}
const licences = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
licences.push('Countries of the map\n\nMade from Natural Earth (https://www.naturalearthdata.com), which is in the public domain.\n');
fs.writeFileSync('dist/LICENSES.txt', licences.join(`\n${'-'.repeat(72)}\n\n`));

// The sources of dist/, so that a test without Node sees when it is out of date.
const inputs = [
  ...filesOf('src'),
  'build.mjs',
  'circles.mjs',
  'codegen.ts',
  'constraints.mjs',
  'package.json',
  'package-lock.json',
  'payload.mjs',
  'sheets.mjs',
  'tsconfig.json',
  '../schema.graphql',
];
const sources = inputs.map((file) => {
  const hash = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  return [path.posix.join('app', file), hash];
});
sources.sort(([a], [b]) => (a < b ? -1 : 1));
fs.writeFileSync('dist/SOURCES', sources.map(([file, hash]) => `${hash}  ${file}\n`).join(''));

const size = (file) => gzipSync(fs.readFileSync(file), { level: 9 }).length;
const sizeOf = (files) => files.reduce((sum, file) => sum + size(file), 0);
const fileOf = (address) => `dist/${address.slice(BASE.length)}`;
/** What the first load of a page fetches, in the longer language; tests/budget.spec.ts counts in a browser. */
const loads = found.map(([pattern, parts, scripts]) => {
  const inLanguage = (language) => sizeOf(['frame', ...parts].map((part) => fileOf(wordsIn(language)[part])));
  const bytes = sizeOf([built('first', '.js'), ...withImports(outputs, main), ...scripts.map(fileOf)]);
  return [pattern, bytes + Math.max(inLanguage('en'), inLanguage('de'))];
});
loads.sort(([, a], [, b]) => b - a);
const ofReport = sizeOf(['dist/report.html', styles, built('report', '.js')]);
const all = sizeOf(filesOf('dist').filter((file) => !/(LICENSES\.txt|SOURCES)$/.test(file)));

for (const [pattern, bytes] of loads) console.log(String(bytes).padStart(7), 'first load of', pattern);
console.log(String(ofReport).padStart(7), 'all of the page of a report');
console.log(String(size(styles)).padStart(7), 'styles');
console.log(String(all).padStart(7), 'all of dist, gzip');
const excess = [
  [loads[0][1], BUDGET.firstScripts, `scripts of ${loads[0][0]}`],
  [size(styles), BUDGET.styles, 'styles'],
  [ofReport, BUDGET.report, 'the page of a report'],
  [all, BUDGET.all, 'dist'],
].filter(([bytes, budget]) => bytes > budget);
for (const [bytes, budget, what] of excess) console.error(`${what}: ${bytes} bytes, of ${budget} at most`);
process.exitCode = excess.length > 0 ? 1 : 0;
