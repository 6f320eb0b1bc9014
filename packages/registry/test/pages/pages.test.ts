import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { focused, tabTo } from '../../../skillwright/test/browser/keyboard.ts';
import { openBrowser, openPage, overflowOf } from '../../../skillwright/test/browser/open-browser.ts';
import { looks, seriousFindings } from '../../../skillwright/test/browser/serious-findings.ts';
import { requireProgram } from '../../../skillwright/test/required-program.ts';
import { startPageServer } from './page-server.ts';
import { pageTable } from './page-table.ts';

/** Directory for pictures of every page, to look at. */
const shots = process.env.SKW_SCREENSHOTS;
const paths = Object.keys(pageTable);

let server: Awaited<ReturnType<typeof startPageServer>>;
let started: Promise<Browser> | undefined;

beforeAll(async () => {
  server = await startPageServer(pageTable);
});

beforeEach((context) => requireProgram(context, 'chromium'));

afterAll(async () => {
  await (await started)?.close();
  await server.close();
});

describe('every page, light and dark, wide and narrow', () => {
  test.each([
    { script: 'on', javaScriptEnabled: true },
    { script: 'off', javaScriptEnabled: false },
  ])('script $script', async ({ script, javaScriptEnabled }) => {
    const { page, misdeeds } = await open({ javaScriptEnabled });
    const wide: string[] = [];
    const found: string[] = [];
    for (const path of paths) {
      await page.goto(`${server.origin}${path}`);
      for (const { colorScheme, width, rules } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const at = `${path} ${colorScheme} ${width}`;
        if ((await overflowOf(page)) > 0) wide.push(at);
        // axe needs scripts; the markup is the same without.
        if (javaScriptEnabled)
          found.push(...(await seriousFindings(page, rules)).map((finding) => `${at} ${finding}`));
        if (shots === undefined) continue;
        const name = `${path.replaceAll('/', '_')}-${colorScheme}-${width}-${script}.jpg`;
        await page.screenshot({ path: join(shots, name), fullPage: true, type: 'jpeg', quality: 80 });
      }
    }
    await page.context().close();
    expect({ misdeeds, wide, found }).toEqual({ misdeeds: [], wide: [], found: [] });
  });
});

test('the main journey works with the keyboard alone', async () => {
  const { page, misdeeds } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
  await page.goto(`${server.origin}/`);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');

  await page.keyboard.press('/');
  await page.keyboard.type('forms');
  await page.locator('#live-status', { hasText: '1 skill' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=forms');
  await tabTo(page, '@acme/pdf-forms');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/@acme/pdf-forms');

  await tabTo(page, 'Copy install command');
  await page.keyboard.press('Enter');
  await page.locator(':focus', { hasText: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('skc install @acme/pdf-forms');

  await tabTo(page, 'Ask');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/ask');
  await tabTo(page, 'field: q', 2);
  await page.keyboard.type('How do I sign?');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/ask?q=*');
  expect(await page.getByRole('region', { name: 'Best answer' }).isVisible()).toBe(true);
  await page.context().close();
  expect(misdeeds).toEqual([]);
});

test('search works as you type, and without script by sending the form', async () => {
  const live = await open({});
  await live.page.goto(`${server.origin}/search`);
  await live.page.getByRole('searchbox').fill('release');
  await live.page.locator('[data-result-count]', { hasText: '1 skill' }).waitFor();
  expect(live.page.url()).toBe(`${server.origin}/search?q=release&sort=relevance`);
  await live.page.context().close();

  const plain = await open({ javaScriptEnabled: false });
  await plain.page.goto(`${server.origin}/`);
  await plain.page.getByRole('searchbox').fill('release');
  await plain.page.getByRole('button', { name: 'Search' }).click();
  expect(await plain.page.locator('.result h2').allTextContents()).toEqual([
    expect.stringContaining('@acme/release-notes'),
  ]);
  expect(await plain.page.locator('[data-copy]:visible').count()).toBe(0);
  await plain.page.context().close();
  expect([...live.misdeeds, ...plain.misdeeds]).toEqual([]);
});

test('the colours can be chosen without script, and the choice stays', async () => {
  const { page, misdeeds } = await open({ javaScriptEnabled: false, colorScheme: 'light' });
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.goto(`${server.origin}/log`);
  const light = await background();
  await page.getByRole('button', { name: 'Dark' }).click();
  expect(page.url()).toBe(`${server.origin}/log`);
  const dark = await background();
  await page.goto(`${server.origin}/search`);
  expect({ differs: light !== dark, stays: (await background()) === dark }).toEqual({
    differs: true,
    stays: true,
  });
  await page.context().close();
  expect(misdeeds).toEqual([]);
});

test('a narrow page shows all of a code block, and paper only text', async () => {
  const { page, misdeeds } = await open({ width: 320 });
  await page.goto(`${server.origin}/@acme/pdf-forms`);
  const code = (await page.locator('.prose .code pre').boundingBox())!;
  const copy = (await page.locator('.prose .code .copy').boundingBox())!;
  expect(copy.y).toBeGreaterThanOrEqual(code.y + code.height);

  await page.emulateMedia({ media: 'print' });
  const shown = async (selector: string) => page.locator(`${selector}:visible`).count();
  expect([await shown('.prose h2'), await shown('.outline-entry'), await shown('.chart-table')]).toEqual([
    1, 8, 0,
  ]);
  await page.goto(`${server.origin}/@acme/pdf-forms/safety`);
  expect([await shown('.evidence li'), await shown('form'), await shown('summary')]).toEqual([2, 0, 0]);
  await page.context().close();
  expect(misdeeds).toEqual([]);
});

test('responses carry the policy, and names of style sheet and script change with their content', async () => {
  const response = await fetch(`${server.origin}/`);
  expect(response.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const [address] = /\/assets\/pages\.[0-9a-f]{12}\.css/.exec(await response.text())!;
  const stylesheet = await fetch(`${server.origin}${address}`);
  expect(stylesheet.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

async function open(options: { width?: number } & Parameters<Browser['newContext']>[0]) {
  const { width = 1280, ...rest } = options;
  started ??= openBrowser();
  const browser = await started;
  return openPage(browser, { ...rest, origin: server.origin, viewport: { width, height: 800 } });
}
