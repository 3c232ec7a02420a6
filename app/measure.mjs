// Measures the pages with a million clicks and a million links behind them. See README.md, "Measure".
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { startService } from './service.mjs';

const CLICKS = 1_000_000;
const DAYS = 30;
const CLICKED_LINKS = 1000;
const OTHER_LINKS = 1_000_000 - CLICKED_LINKS;
const GOAL = { score: 95, shownMs: 300, taskMs: 50 };
/** Queries of a page. */
const REQUESTS = { overview: 2, links: 1, link: 3 };
const LOADS = 20;
const PAGES = 20;
const KEY_MS = 80;
const LIGHTHOUSE = 'lighthouse@12.8.2';
const PERSON = { email: 'ada@example.com', password: 'correct horse battery staple', name: 'Ada Lovelace' };
const WIDE = { width: 1280, height: 800 };

const BINARY = path.resolve(process.env.LINKGRAPH_BIN ?? '../target/release/linkgraph');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'linkgraph-measure-'));
const data = path.resolve(process.env.MEASURE_DATA ?? path.join(scratch, 'data'));

// The service and what it has to show

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function start() {
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const settings = { LINKGRAPH_DATA_DIR: data, LINKGRAPH_BASE_URL: url, LINKGRAPH_DEFAULT_PLAN: 'unlimited' };
  return { url, stop: await startService(BINARY, address, settings) };
}

async function call(url, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok || answer.errors) throw new Error(`${url}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Links as the API made them, by a statement: it takes 100 a call, and this is about reading. */
const MORE_LINKS = `
  WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${OTHER_LINKS}),
    made AS (SELECT * FROM links LIMIT 1)
  INSERT INTO links (id, account_id, host, slug, destination_url, is_active, click_count, created_at, updated_at)
  SELECT CAST(printf('%016d', n) AS BLOB), account_id, host, printf('campaign-%d', n),
    printf('https://shop.example.com/collections/spring/%d?utm_source=newsletter', n), n % 10 > 0, 0,
    created_at - n * 1000, created_at - n * 1000
  FROM made, numbers;
  UPDATE accounts SET link_count = link_count + ${OTHER_LINKS};`;

async function prepare() {
  fs.mkdirSync(data, { recursive: true });
  let service = await start();
  const { accessToken } = await call(`${service.url}/auth/register`, PERSON);
  const ids = [];
  while (ids.length < CLICKED_LINKS) {
    const links = Array.from({ length: 100 }, (_, at) => ({ destinationUrl: `https://www.example.com/${ids.length + at}` }));
    const { results } = await call(`${service.url}/links/bulk`, { links }, accessToken);
    ids.push(...results.map(({ link }) => link.id));
  }
  await service.stop();

  const writer = path.join(path.dirname(BINARY), 'examples/write_clicks');
  execFileSync(writer, [path.join(data, 'clicks'), CLICKS, DAYS, 1].map(String), { input: ids.join('\n') });
  const run = 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])';
  execFileSync('python3', ['-c', run, path.join(data, 'linkgraph.db'), MORE_LINKS]);

  service = await start();
  for (let counted = 0; counted < CLICKS; await wait(500)) {
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    counted = Number(/^linkgraph_clicks_ingested_total(?:{.*})? (\S+)/m.exec(metrics)?.[1] ?? 0);
  }
  await service.stop();
  fs.writeFileSync(path.join(data, 'most-clicked'), ids[0]);
}

// What was found

const sorted = (values) => values.toSorted((a, b) => a - b);
const median = (values) => sorted(values)[Math.floor(values.length / 2)];
const ms = (value) => `${Math.round(value)} ms`;
const spread = (values) => `p50 ${ms(median(values))}, ${ms(Math.min(...values))} to ${ms(Math.max(...values))}`;

function report(what, found, isGood = true) {
  console.log(`${isGood ? '   ' : 'NO '} ${what.padEnd(44)} ${found}`);
  if (!isGood) process.exitCode = 1;
}

// The pages

async function signIn(page, url) {
  await page.goto(`${url}/app/login`);
  await page.getByLabel('E-mail address').fill(PERSON.email);
  await page.getByLabel('Password', { exact: true }).fill(PERSON.password);
  await page.getByRole('checkbox').check();
  await page.keyboard.press('Enter');
  await page.locator('.chart svg').waitFor();
}

const isQuery = (it) => it.url().endsWith('/graphql') && it.method() === 'POST';

async function settled(page) {
  await page.locator('main h1').first().waitFor({ state: 'attached' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
}

function measureScores(url, profile, pages) {
  const run = (address, flags) => {
    const file = path.join(scratch, 'lighthouse.json');
    const chrome = `--chrome-flags=--headless=new --no-sandbox --disable-gpu --lang=en-GB --user-data-dir=${profile}`;
    const words = [address, ...flags, chrome, '--only-categories=performance,accessibility,best-practices'];
    const output = ['--quiet', '--output=json', `--output-path=${file}`];
    const env = { ...process.env, CHROME_PATH: CHROMIUM, npm_config_loglevel: 'error' };
    execFileSync('npx', ['--yes', LIGHTHOUSE, ...words, ...output], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  };
  for (const [preset, flags] of Object.entries({ desktop: ['--preset=desktop'], mobile: [] })) {
    for (const [name, address] of Object.entries(pages)) {
      const { categories, audits, finalDisplayedUrl } = run(url + address, flags);
      if (new URL(finalDisplayedUrl).pathname !== address) throw new Error(`${address} led to ${finalDisplayedUrl}`);
      const scores = Object.values(categories).map(({ score }) => Math.round(score * 100));
      const shown = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'];
      const figures = shown.map((id) => audits[id].displayValue.replace('\u00a0', ' ')).join(', ');
      const isGood = scores.every((score) => score >= GOAL.score);
      report(`Lighthouse, ${preset}, ${name}`, `${scores.join(' ')} (${figures})`, isGood);
      const counted = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
      for (const { id } of counted) {
        const { score, title, details } = audits[id];
        if (score === null || score >= 0.9) continue;
        console.log(`      ${title}`);
        for (const { node } of details?.items ?? []) if (node) console.log(`        ${node.selector}`);
      }
    }
  }
}

/** Marks the frame after the one in which figures and chart are there. */
function markShown() {
  const isShown = () => document.querySelector('.figures') && document.querySelector('.chart svg');
  const seen = new MutationObserver(() => {
    if (!isShown()) return;
    seen.disconnect();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => performance.mark('shown');
    requestAnimationFrame(() => port2.postMessage(null));
  });
  seen.observe(document, { childList: true, subtree: true });
}

async function measureOverview(context, url) {
  for (const isWarm of [true, false]) {
    const [all, answers] = [[], []];
    for (let load = 0; load < LOADS; load += 1) {
      const page = await context.newPage();
      await page.addInitScript(markShown);
      if (!isWarm) await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
      await page.goto(`${url}/app`);
      await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0, undefined, { polling: 100 });
      const { shown, answered } = await page.evaluate(() => {
        const [navigation] = performance.getEntriesByType('navigation');
        const asked = performance.getEntriesByType('resource').filter(({ name }) => /graphql$|refresh$/.test(name));
        return {
          shown: performance.getEntriesByName('shown')[0].startTime - navigation.responseEnd,
          answered: asked.reduce((sum, { duration }) => sum + duration, 0),
        };
      });
      all.push(shown);
      answers.push(answered);
      await page.close();
    }
    const found = `${spread(all)}; of it, waiting for answers p50 ${ms(median(answers))}`;
    report(`overview, ${isWarm ? 'warm' : 'empty'} cache`, found, median(all) <= GOAL.shownMs);
  }
}

/** The longest task of the page's main thread, in all and of processor time. */
function longestTask(trace, url) {
  const { traceEvents: events } = JSON.parse(trace);
  const begun = events.find(({ name }) => name === 'TracingStartedInBrowser');
  const { processId: pid } = begun.args.data.frames.find((frame) => frame.url.startsWith(url));
  const main = events.find((it) => it.pid === pid && it.name === 'thread_name' && it.args.name === 'CrRendererMain');
  const tasks = events.filter((it) => it.pid === pid && it.tid === main.tid && it.name === 'RunTask');
  const [wall, processor] = ['dur', 'tdur'].map((key) => Math.max(...tasks.map((it) => it[key] ?? 0)) / 1000);
  return { wall, processor };
}

async function measureList(browser, context, url) {
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.frames50 = [];
    const take = (list) => globalThis.frames50.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(take).observe({ type: 'long-animation-frame' });
  });
  await page.goto(`${url}/app/links`);
  await settled(page);
  await page.evaluate(() => globalThis.frames50.splice(0));

  const answer = () => page.waitForResponse((response) => isQuery(response.request()), { timeout: 120_000 });
  const field = page.getByRole('searchbox');
  async function type(text) {
    await field.focus();
    await page.keyboard.press('Control+A');
    await Promise.all([answer(), page.keyboard.type(text, { delay: KEY_MS })]);
    await settled(page);
  }
  const press = async (act) => {
    await Promise.all([answer(), act()]);
    await settled(page);
  };
  const sort = page.locator('search select').last();
  const parts = {
    'typing a search': async () => {
      await type('collections/spring');
      await type('campaign-4242');
      await press(() => field.fill(''));
    },
    [`${PAGES} pages`]: async () => {
      for (let at = 0; at < PAGES; at += 1) await press(() => page.getByRole('link', { name: 'Next' }).click());
    },
    'four orders': async () => {
      for (const order of ['OLDEST', 'MOST_CLICKED', 'LAST_CLICKED', 'NEWEST']) await press(() => sort.selectOption(order));
    },
  };
  for (const [name, act] of Object.entries(parts)) {
    await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
    await act();
    const { wall, processor } = longestTask(await browser.stopTracing(), url);
    const frames = await page.evaluate(() => globalThis.frames50.splice(0));
    const slow = frames.length > 0 ? `${frames.length} frames over 50 ms, at most ${ms(Math.max(...frames))}` : 'no frame over 50 ms';
    report(`links, ${name}`, `longest task ${ms(wall)}, ${ms(processor)} of processor; ${slow}`, wall <= GOAL.taskMs);
  }
  await page.close();
}

async function measureAnswers(url) {
  const { email, password } = PERSON;
  const { accessToken } = await call(`${url}/auth/login`, { email, password });
  const query = `query ($page: Int!, $search: String, $sort: LinkSort!) {
    links(page: $page, pageSize: 25, search: $search, sort: $sort) { total data { id clickCount clickSeries(days: 14) { clicks } } }
  }`;
  for (const [name, asked] of Object.entries({
    'the first page': {},
    'page 1000': { page: 1000 },
    'the most clicked': { sort: 'MOST_CLICKED' },
    'a search that finds nearly all': { search: 'collections' },
    'a search that finds few': { search: 'campaign-42424' },
    'a search that finds none': { search: 'nowhere' },
  })) {
    const times = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const began = performance.now();
      await call(`${url}/graphql`, { query, variables: { page: 1, sort: 'NEWEST', ...asked } }, accessToken);
      times.push(performance.now() - began);
    }
    report(`answer, ${name}`, spread(times));
  }
}

async function measureRequests(context, url, pages) {
  for (const [name, address] of Object.entries(pages)) {
    const page = await context.newPage();
    const sent = [];
    page.on('request', (request) => isQuery(request) && sent.push(/\w+ (\w+)/.exec(request.postDataJSON().query)[1]));
    await page.goto(url + address);
    await settled(page);
    report(`requests of ${name}`, `${sent.length}: ${sent.join(', ')}`, sent.length <= REQUESTS[name]);
    await page.close();
  }
}

const wanted = process.argv.slice(2);
const isWanted = (part) => wanted.length === 0 || wanted.includes(part);
let service, browser;
try {
  if (!fs.existsSync(path.join(data, 'most-clicked'))) await prepare();
  service = await start();
  const { url } = service;
  const link = `/app/links/${fs.readFileSync(path.join(data, 'most-clicked'), 'utf8')}`;
  const pages = { overview: '/app', links: '/app/links', link };
  const options = { executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] };
  const look = { locale: 'en-GB', viewport: WIDE };

  if (isWanted('scores')) {
    measureScores(url, path.join(scratch, 'nobody'), { login: '/app/login' });
    const profile = path.join(scratch, 'ada');
    const signedIn = await chromium.launchPersistentContext(profile, { ...options, ...look });
    await signIn(signedIn.pages()[0], url);
    await signedIn.close();
    measureScores(url, profile, pages);
  }
  browser = await chromium.launch(options);
  const context = await browser.newContext(look);
  const first = await context.newPage();
  await signIn(first, url);
  await first.close();
  if (isWanted('overview')) await measureOverview(context, url);
  if (isWanted('list')) await measureList(browser, context, url);
  if (isWanted('answers')) await measureAnswers(url);
  if (isWanted('requests')) await measureRequests(context, url, pages);
} finally {
  await browser?.close();
  await service?.stop();
  fs.rmSync(scratch, { recursive: true });
}
