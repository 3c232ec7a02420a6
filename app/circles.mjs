// Fails when files of src/ import each other in a circle, types included. What is fetched later may lead back.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(path.dirname(fileURLToPath(import.meta.url)));

const files = fs
  .readdirSync('src', { recursive: true })
  .map((file) => path.join('src', file))
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('generated'));

const importsOf = (file) =>
  [...fs.readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^;]*?from '(\.[^']+)';$/gm)]
    .map(([, name]) => path.join(path.dirname(file), name))
    .filter((name) => files.includes(name));

/** The files from which all circles have been told. */
const done = new Set();
function walk(file, way) {
  if (way.includes(file)) {
    console.error(`a circle of imports: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`);
    process.exitCode = 1;
  } else if (!done.has(file)) {
    for (const imported of importsOf(file)) walk(imported, [...way, file]);
    done.add(file);
  }
}
for (const file of files) walk(file, []);
