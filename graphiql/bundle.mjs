// Bundles src/ into dist/. Everything that changes a dependency's file is here
// and fails loudly when the file is no longer what it was.
import { build } from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(fileURLToPath(import.meta.url));
process.chdir(root);

const REPLACED = {
  '@graphiql/react/dist/ui/tabs.js': 'src/tabs.jsx',
  '@graphiql/react/dist/editor/components/image-preview.js': 'src/image-preview.js',
};
const PATCHED = {
  // The tabs are a list of buttons, so the session is no tab panel.
  'graphiql/dist/GraphiQL.js': [['role: "tabpanel"', 'role: "group"']],
  // Pop-ups go into the main landmark.
  '@graphiql/react/dist/ui/tooltip.js': [
    ['T.Portal, { children', 'T.Portal, { container: document.querySelector("main"), children'],
  ],
  'codemirror-graphql/esm/utils/info-addon.js': [
    ['document.body.append(', 'document.querySelector("main").append('],
  ],
  'codemirror/addon/lint/lint.js': [
    ['document.body.appendChild(', 'document.querySelector("main").appendChild('],
  ],
  // Searching the documentation does not make the rest of the page inert.
  '@graphiql/plugin-doc-explorer/dist/components/search.js': [
    ['ComboboxOptions, { "data-cy"', 'ComboboxOptions, { modal: false, "data-cy"'],
  ],
  'codemirror/addon/hint/show-hint.js': [
    ['hints.setAttribute("role", "listbox")', 'hints.setAttribute("role", "listbox"), hints.setAttribute("aria-label", "Completions")'],
  ],
  // The history would keep the headers, and so the token, in localStorage whatever
  // the settings say. Without them, showing an item leaves the headers as they are.
  '@graphiql/plugin-history/dist/context.js': [['headers: activeTab.headers ?? void 0', 'headers: void 0']],
  '@graphiql/plugin-history/dist/components.js': [
    ['headerEditor.setValue(headers ?? "")', 'void 0'],
    // A history item is named by the operation it shows.
    ['onClick: handleHistoryItemClick, "aria-label": "Set active",', 'onClick: handleHistoryItemClick,'],
  ],
};
const NO_FONTS = 'graphiql/dist/style.css';

const done = new Set();
const inModules = (file) => file.split(`${path.sep}node_modules${path.sep}`).pop().split(path.sep).join('/');
const patches = {
  name: 'patches',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules.*\.(js|css)$/ }, ({ path: file }) => {
      const name = inModules(file);
      if (REPLACED[name]) {
        done.add(name);
        return {
          contents: fs.readFileSync(REPLACED[name], 'utf8'),
          loader: 'jsx',
          resolveDir: path.dirname(file),
        };
      }
      if (PATCHED[name]) {
        done.add(name);
        let contents = fs.readFileSync(file, 'utf8');
        for (const [from, to] of PATCHED[name]) {
          if (contents.split(from).length !== 2) throw new Error(`${name}: expected once: ${from}`);
          contents = contents.replace(from, to);
        }
        return { contents, loader: 'js' };
      }
      if (name === NO_FONTS) {
        done.add(name);
        const contents = fs.readFileSync(file, 'utf8').replace(/@font-face\s*\{[^}]*\}\s*/g, '');
        return { contents, loader: 'css' };
      }
    });
  },
};

fs.rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { graphiql: 'src/main.jsx' },
  outdir: 'dist',
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  charset: 'utf8',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  plugins: [patches],
});
for (const name of [...Object.keys(REPLACED), ...Object.keys(PATCHED), NO_FONTS]) {
  if (!done.has(name)) throw new Error(`not met in the bundle: ${name}`);
}
fs.copyFileSync('src/index.html', 'dist/index.html');

// The licence texts of everything that ended up in the bundle.
const packages = new Map();
for (const output of Object.values(metafile.outputs)) {
  for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
    const dir = bytesInOutput > 0 && file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
    if (!dir) continue;
    const { name, version, license } = JSON.parse(fs.readFileSync(`${dir}/package.json`, 'utf8'));
    packages.set(`${name} ${version}`, { dir, license });
  }
}
const byText = new Map();
for (const [name, { dir, license }] of [...packages].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const file = fs.readdirSync(dir).sort().find((f) => /^(licen[sc]e|copying)(\.|$)/i.test(f));
  const text = file ? fs.readFileSync(`${dir}/${file}`, 'utf8').replace(/\r/g, '').trim() : `Licence: ${license}`;
  byText.set(text, [...(byText.get(text) ?? []), `${name} (${license})`]);
}
const licences = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`);
fs.writeFileSync('dist/LICENSES.txt', licences.join(`\n${'-'.repeat(72)}\n\n`));

for (const file of fs.readdirSync('dist').sort()) console.log(fs.statSync(`dist/${file}`).size, `dist/${file}`);
