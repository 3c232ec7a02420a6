// Fails when a class is styled in two sheets of src/. Within one of its own classes, a sheet may say how others look: shared ones, and those
// of a folder whose parts it shows.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(path.dirname(fileURLToPath(import.meta.url)));

const SHARED = ['styles', 'ui', 'shell'];

const files = fs.readdirSync('src', { recursive: true });
const folderOf = (file) => file.split(path.sep)[0];
const read = (file) => fs.readFileSync(path.join('src', file), 'utf8');

/** The folders that each folder imports from. */
const imported = new Map();
for (const file of files.filter((each) => each.endsWith('.tsx'))) {
  const found = [...read(file).matchAll(/ from '\.\.\/(\w+)\//g)].map(([, folder]) => folder);
  imported.set(folderOf(file), [...(imported.get(folderOf(file)) ?? []), ...found]);
}

/** The first class of each element that a selector names; the others are variants of that one. What it excludes does not count. */
const classesOf = (selector) => [
  ...new Set(
    selector
      .replace(/:not\([^)]*\)|\[[^\]]*\]/g, '')
      .split(/[\s>+~,()]+/)
      .flatMap((element) => element.match(/\.([\w-]+)/)?.[1] ?? []),
  ),
];

/** By commas that stand in no parentheses. */
const selectorsOf = (list) => list.split(/,(?![^(]*\))/).map((selector) => selector.trim());

const rules = [];
for (const sheet of files.filter((each) => each.endsWith('.css'))) {
  const text = read(sheet).replace(/\/\*[^]*?\*\//g, '');
  for (const [, list] of text.matchAll(/([^{};]+)\{/g)) {
    if (list.trim().startsWith('@')) continue;
    for (const selector of selectorsOf(list)) rules.push({ sheet, selector, classes: classesOf(selector) });
  }
}

/** The sheets that style a class for itself; where none does, those that name it. */
const homes = new Map();
for (const isAlone of [true, false]) {
  const found = new Map();
  for (const { sheet, classes } of rules.filter((rule) => (rule.classes.length === 1) === isAlone)) {
    for (const name of classes.filter((each) => !homes.has(each))) found.set(name, (found.get(name) ?? new Set()).add(sheet));
  }
  for (const [name, sheets] of found) homes.set(name, sheets);
}

const problems = [...homes].filter(([, sheets]) => sheets.size > 1).map(([name, sheets]) => `.${name} is styled in ${[...sheets].join(' and ')}`);
for (const { sheet, selector, classes } of rules) {
  const foreign = classes.filter((name) => !homes.get(name).has(sheet));
  if (classes.length > 0 && foreign.length === classes.length) problems.push(`${sheet}: ${selector} has no class of this sheet`);
  const lent = [...SHARED, ...(imported.get(folderOf(sheet)) ?? [])];
  for (const name of foreign) {
    const [home] = homes.get(name);
    if (!lent.includes(folderOf(home))) problems.push(`${sheet}: ${selector} styles a class of ${home}`);
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
