// Makes the PNG icons of the manifest, and favicon.ico of the service, from src/icon.svg. See README.md, "Icons".
import fs from 'node:fs';
import { chromium } from '@playwright/test';

const drawing = fs.readFileSync('src/icon.svg', 'utf8');
// Icons that a launcher cuts to its own shape have no corners of their own.
const full = drawing.replace(' rx="5"', '');
if (full === drawing) throw new Error('src/icon.svg has other corners');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});
/** A picture of this many pixels as an icon file: one directory entry, and the PNG (Windows since Vista reads it, and so do browsers). */
function icon(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // An icon,
  head.writeUInt16LE(1, 4); // one picture,
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10); // one plane,
  head.writeUInt16LE(32, 12); // bits for each pixel,
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

for (const [file, size, svg] of [
  ['src/icon-192.png', 192, drawing],
  ['src/icon-512.png', 512, drawing],
  ['src/icon-maskable.png', 512, full],
  ['../src/platform/http/pages/favicon.ico', 32, drawing],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`);
  const png = await page.screenshot({ omitBackground: true });
  fs.writeFileSync(file, file.endsWith('.ico') ? icon(png, size) : png);
  await page.close();
}
await browser.close();
