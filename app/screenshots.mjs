// A believable account, and the overview of it. See ./screenshots.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { startService } from './service.mjs';

const BINARY = process.env.LINKGRAPH_BIN;
const IMAGES = path.resolve('../docs/images');
const HOST = 'go.example.com';
const PORT = 18_471;
/** Without a port, as people have it. */
const ORIGIN = `http://${HOST}`;
const SIZE = { width: 1280, height: 800 };
const MAX_BYTES = 150_000;
const PERSON = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada Lovelace' };
const LINKS = {
  'spring-sale': 'https://shop.example.com/collections/spring?utm_source=newsletter&utm_campaign=spring',
  launch: 'https://www.example.com/blog/2026/what-is-new-in-version-4',
  'talk-slides': 'https://speakers.example.org/decks/clicks-without-cookies',
  'rust-jobs': 'https://jobs.example.com/engineering/rust-developer-zurich',
  'episode-42': 'https://podcasts.example.net/episodes/42-the-graph-of-links',
  'first-steps': 'https://docs.example.com/getting-started',
  'webinar-nov': 'https://events.example.com/webinars/november/register',
  'autumn-survey': 'https://forms.example.com/feedback/autumn',
  offers: 'https://www.example.com/pricing',
};
/** Days before today and clicks: each wave has as many on all of its days, so that their number grows. */
const WAVES = [[60, 2400]];
for (let days = 60; days > 0; days -= 1) {
  const more = [0, 9, 2, 0, 14, 1, 5][days % 7];
  if (more > 0) WAVES.push([days, more * days]);
}
const TODAY = 170;
const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
];
const REFERRERS = ['https://news.ycombinator.com/', 'https://www.linkedin.com/', 'https://lobste.rs/', undefined];

/** Asks the service, whose name no DNS knows. */
function call(method, target, { body, token, headers } = {}) {
  return new Promise((resolve, reject) => {
    const sent = { host: HOST, ...headers, ...(token && { authorization: `Bearer ${token}` }) };
    if (body) sent['content-type'] = 'application/json';
    const request = http.request({ host: '127.0.0.1', port: PORT, method, path: target, headers: sent }, async (response) => {
      const chunks = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() });
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

async function json(method, target, options) {
  const { status, text } = await call(method, target, options);
  if (status >= 400) throw new Error(`${method} ${target}: ${status} ${text}`);
  return JSON.parse(text);
}

const start = (data) =>
  startService(BINARY, `127.0.0.1:${PORT}`, {
    LINKGRAPH_DATA_DIR: data,
    LINKGRAPH_BASE_URL: ORIGIN,
    LINKGRAPH_TRUSTED_PROXIES: '127.0.0.1',
  });

const data = fs.mkdtempSync(path.join(os.tmpdir(), 'linkgraph-screenshots-'));
let stop = await start(data);
let browser;
try {
  const { accessToken: token } = await json('POST', '/auth/register', { body: PERSON });
  const ids = [];
  for (const [slug, destinationUrl] of Object.entries(LINKS)) {
    ids.push((await json('POST', '/links', { body: { slug, destinationUrl }, token })).id);
  }
  await stop();

  // The clicks of the weeks before are written into the log as the service does it.
  for (const [seed, [days, clicks]] of WAVES.entries()) {
    const writer = path.join(path.dirname(BINARY), 'examples/write_clicks');
    const words = [path.join(data, 'clicks'), clicks, days, seed].map(String);
    const { status, error } = spawnSync(writer, words, { input: ids.join('\n'), stdio: ['pipe', 'inherit', 'inherit'] });
    if (status !== 0) throw error ?? new Error(`${writer}: ${status}`);
  }
  stop = await start(data);

  const slugs = Object.keys(LINKS);
  for (let at = 0; at < TODAY; at += 1) {
    const slug = slugs[Math.floor(slugs.length * ((at * 0.618) % 1) ** 2)];
    const referer = REFERRERS[at % REFERRERS.length];
    await call('GET', `/${slug}?utm_source=${['newsletter', 'linkedin'][at % 2]}`, {
      headers: {
        'user-agent': AGENTS[at % AGENTS.length],
        'accept-language': ['en-GB', 'de-CH', 'fr'][at % 3],
        'x-forwarded-for': `203.0.113.${at % 140}`,
        ...(referer && { referer }),
      },
    });
  }
  const expected = WAVES.reduce((sum, [, clicks]) => sum + clicks, TODAY);
  const from = new Date(Date.now() - 90 * 86_400_000).toISOString();
  for (let found = 0; found < expected; await wait(200)) {
    found = (await json('GET', `/analytics/summary?from=${from}`, { token })).totals.clicks;
  }

  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--host-resolver-rules=MAP ${HOST}:80 127.0.0.1:${PORT}`],
  });
  fs.mkdirSync(IMAGES, { recursive: true });
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme, locale: 'en-GB', reducedMotion: 'reduce' });
    await page.goto(`${ORIGIN}/app/login`);
    await page.getByLabel('E-mail address').fill(PERSON.email);
    await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Top links' }).waitFor();
    await page.locator('.chart svg').waitFor();
    await page.locator('.live').waitFor();
    const file = path.join(IMAGES, `overview-${colorScheme}.png`);
    const picture = await page.screenshot({ path: file });
    if (picture.length > MAX_BYTES) throw new Error(`${file} has ${picture.length} bytes, of ${MAX_BYTES} at most`);
    console.log(picture.length, file);
  }
} finally {
  await browser?.close();
  await stop();
  fs.rmSync(data, { recursive: true });
}
