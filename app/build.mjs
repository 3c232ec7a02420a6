// Bundles src/ into dist/, and stops when it is larger than the budgets below.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';

process.chdir(path.dirname(fileURLToPath(import.meta.url)));

const BUDGET = { firstScripts: 60_000, styles: 12_000, all: 250_000 };
const BASE = '/app/';
/** For launchers that take no SVG; made by icons.mjs. */
const PNG_ICONS = [
  { name: 'icon-192', sizes: '192x192', purpose: 'any' },
  { name: 'icon-512', sizes: '512x512', purpose: 'any' },
  { name: 'icon-maskable', sizes: '512x512', purpose: 'maskable' },
];

// `graphql(…)` of the generated code would look each document up in a table of all; here the document itself, with
// its fragments, takes the place of the call, so that a page carries its own alone.
const generated = await transform(fs.readFileSync('src/api/generated/graphql.ts', 'utf8'), { loader: 'ts', format: 'esm' });
const documents = await import(`data:text/javascript,${encodeURIComponent(generated.code)}`);
const inlined = (source, file) =>
  source.replace(/\bgraphql\(`\s*(\w+) (\w+)[^`]*`\)/g, (_call, kind, name) => {
    if (kind === 'fragment') return "''";
    const document = documents[`${name}Document`];
    if (!document) throw new Error(`${file}: ${name} is not generated; run npm run generate`);
    return JSON.stringify(String(document).replace(/\s+/g, ' ').trim());
  });

// esbuild makes a file of each set of modules that the same pages need, and so would cut what is always there into
// twenty. What is fetched later needs all of that anyway: told so, esbuild keeps it together.
const SHELL = path.resolve('src/shell/app.tsx');
const withShell = (source, file) => `${source}\nimport './${path.relative(path.dirname(file), SHELL)}';\n`;

const sourcesPlugin = {
  name: 'sources',
  setup({ onLoad, onResolve }) {
    const later = new Set();
    onResolve({ filter: /^\./ }, ({ kind, path: name, resolveDir }) => {
      if (kind === 'dynamic-import') later.add(path.resolve(resolveDir, name));
    });
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, ({ path: file }) => {
      const source = inlined(fs.readFileSync(file, 'utf8'), file);
      return { contents: later.has(file) ? withShell(source, file) : source, loader: path.extname(file).slice(1) };
    });
  },
};

const filesOf = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

fs.rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
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
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.svg': 'copy', '.png': 'copy' },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [sourcesPlugin],
});
const outputs = { ...metafile.outputs };
const built = (name, extension) =>
  Object.keys(outputs).find((file) => new RegExp(`/${name}-[A-Z0-9]{8}\\${extension}$`).test(file));
const url = (file) => BASE + path.relative('dist', file);

/** A script and what it imports at once. */
function withImports(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const { path: imported, kind } of outputs[file].imports) if (kind === 'import-statement') withImports(imported, found);
  return found;
}

/** The scripts that a page has beside those of the frame, by the patterns of addresses in shell/app.tsx. */
function scriptsOfPages() {
  const source = fs.readFileSync(SHELL, 'utf8');
  const frame = withImports(built('main', '.js'));
  const found = [];
  for (const [, name, module] of source.matchAll(/const (\w+) = page\(\(\) => import\('\.\.(.+)'\)\)/g)) {
    const pattern = source.match(new RegExp(`\\['(.+)', ${name}\\]`))[1];
    const entry = Object.keys(outputs).find((file) => outputs[file].entryPoint === `src${module}`);
    found.push([pattern, [...withImports(entry)].filter((file) => !frame.has(file)).map(url)]);
  }
  return found;
}

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
  define: { SCRIPTS: JSON.stringify(scriptsOfPages()) },
  metafile: true,
});
Object.assign(outputs, first.metafile.outputs);

const main = built('main', '.js');
const styles = built('main', '.css');
const icon = built('icon', '.svg');
const preloads = [...withImports(main)].filter((file) => file !== main);
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

// The licence texts of everything that ended up in the bundle.
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
fs.writeFileSync('dist/LICENSES.txt', licences.join(`\n${'-'.repeat(72)}\n\n`));

// The sources of dist/, so that a test without Node sees when it is out of date.
const inputs = [
  ...filesOf('src'),
  'build.mjs',
  'codegen.ts',
  'constraints.mjs',
  'package.json',
  'package-lock.json',
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
const pages = Object.keys(outputs).filter((file) => outputs[file].entryPoint?.endsWith('.tsx') && file !== main);
const sizeOf = (files) => files.reduce((sum, file) => sum + size(file), 0);
const loads = pages.map((file) => [file, sizeOf([...new Set([...withImports(main), ...withImports(file)])])]);
loads.sort(([, a], [, b]) => b - a);
const all = sizeOf(filesOf('dist').filter((file) => !/(LICENSES\.txt|SOURCES)$/.test(file)));

for (const [file, bytes] of loads) console.log(String(bytes).padStart(7), 'first load with', path.basename(file));
console.log(String(size(styles)).padStart(7), 'styles');
console.log(String(all).padStart(7), 'all of dist, gzip');
const excess = [
  [loads[0][1], BUDGET.firstScripts, `scripts of ${loads[0][0]}`],
  [size(styles), BUDGET.styles, 'styles'],
  [all, BUDGET.all, 'dist'],
].filter(([bytes, budget]) => bytes > budget);
for (const [bytes, budget, what] of excess) console.error(`${what}: ${bytes} bytes, of ${budget} at most`);
process.exitCode = excess.length > 0 ? 1 : 0;
