// Makes the PNG icons of the manifest from src/icon.svg. See README.md, "Icons".
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
for (const [name, size, svg] of [
  ['icon-192', 192, drawing],
  ['icon-512', 512, drawing],
  ['icon-maskable', 512, full],
]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`);
  await page.screenshot({ path: `src/${name}.png`, omitBackground: true });
  await page.close();
}
await browser.close();
