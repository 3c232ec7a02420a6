import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  // Each has a service and a browser of its own.
  workers: 2,
  forbidOnly: true,
  // Where a change is judged (.ci/run), a journey that passes the second time is named as flaky.
  retries: process.env.LINKGRAPH_TEST_AGAIN ? 1 : 0,
  // A machine of CI may be several times slower than a desk: what has to be quick says so itself.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
    // A trace of each test takes a sixth of the time: --trace on records them.
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
