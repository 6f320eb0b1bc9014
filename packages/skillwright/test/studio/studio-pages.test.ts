import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { focused, tabTo } from '../browser/keyboard.ts';
import { openBrowser, openPage, overflowOf } from '../browser/open-browser.ts';
import { noTraces, tracesOn } from '../browser/page-traces.ts';
import { looks, seriousFindings } from '../browser/serious-findings.ts';
import { requireProgram } from '../required-program.ts';
import { hostilePages, turned } from './hostile-pages.ts';
import { otherPages, samplePages } from './sample-pages.ts';
import { type PageServer, startPageServer } from './studio-page-server.ts';

/** Directory for pictures of every page, to look at. */
const shots = process.env.SKW_SCREENSHOTS;
const samples = [...Object.keys(samplePages), '/search?q=put+spreadsheet+data+into+a+pdf+form'];
const others = Object.keys(otherPages);

let server: PageServer;
let started: Promise<Browser> | undefined;

beforeAll(async () => {
  server = await startPageServer({ ...samplePages, ...otherPages, ...hostilePages });
});

beforeEach((context) => requireProgram(context, 'chromium'));

afterAll(async () => {
  await (await started)?.close();
  await server.close();
});

async function open(options: { width?: number } & Parameters<Browser['newContext']>[0] = {}) {
  const { width = 1280, ...rest } = options;
  started ??= openBrowser();
  return openPage(await started, { ...rest, origin: server.origin, viewport: { width, height: 800 } });
}

describe('every page, light and dark, wide and narrow', () => {
  test('with script: no overflow, no serious finding, no request to elsewhere', async () => {
    const { page, misdeeds } = await open();
    const wide: string[] = [];
    const found: string[] = [];
    for (const path of [...samples, ...others]) {
      await page.goto(`${server.origin}${path}`);
      // Empty states have no colours of their own.
      const shown = samples.includes(path) ? looks : [looks[0], looks[2]];
      for (const { colorScheme, width, rules } of shown) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        const at = `${path} ${colorScheme} ${width}`;
        if ((await overflowOf(page)) > 0) wide.push(at);
        found.push(...(await seriousFindings(page, rules)).map((finding) => `${at} ${finding}`));
        if (shots === undefined) continue;
        const name = `studio${path.replaceAll(/\W/g, '_')}-${colorScheme}-${width}.png`;
        await page.screenshot({ path: join(shots, name), fullPage: true });
      }
    }
    await page.context().close();
    expect({ misdeeds, wide, found }).toEqual({ misdeeds: [], wide: [], found: [] });
  });

  test('without script: the same text, and nothing that only a script could do', async () => {
    const { page, misdeeds } = await open({ javaScriptEnabled: false, width: 320 });
    const found: unknown[] = [];
    for (const path of [...samples, ...others]) {
      await page.goto(`${server.origin}${path}`);
      const buttons = await page.locator('[data-copy]:visible, [data-live-pause]:visible').count();
      found.push({
        path,
        overflow: await overflowOf(page),
        buttons,
        headings: await page.locator('h1').count(),
      });
    }
    await page.context().close();
    expect(found).toEqual(
      [...samples, ...others].map((path) => ({ path, overflow: 0, buttons: 0, headings: 1 })),
    );
    expect(misdeeds).toEqual([]);
  });
});

test('the keyboard reaches everything: skip link, filter, skill, outline', async () => {
  const { page, misdeeds } = await open();
  await page.goto(`${server.origin}/`);
  await page.keyboard.press('Tab');
  expect(await focused(page)).toBe('Skip to content');
  expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).toBe('solid');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.keyboard.press('/');
  await page.keyboard.type('pdf');
  await page.locator('#live-status', { hasText: '1 of 6 skills' }).waitFor({ state: 'attached' });
  await tabTo(page, 'pdf-forms');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/skills/a1b2c3');
  await tabTo(page, 'Check boxesnever read80 tokens');
  await page.keyboard.press('Enter');
  await page.waitForURL('**#section-check-boxes');
  expect(await page.locator('h4:target').textContent()).toBe('Check boxesnever read');
  await page.context().close();
  expect(misdeeds).toEqual([]);
});

test('filters and search work without script', async () => {
  const { page, misdeeds } = await open({ javaScriptEnabled: false });
  await page.goto(`${server.origin}/`);
  await page.getByLabel('Scan').selectOption('danger');
  await page.getByRole('button', { name: 'Show' }).click();
  expect(await page.locator('.skill-name a').allTextContents()).toEqual(['shell-helper']);
  expect(await page.locator('[data-events]').isVisible()).toBe(false);
  await page.goto(`${server.origin}/agents`);
  await page.getByRole('searchbox').fill('a pdf form');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=*');
  expect(await page.locator('.rank h2').allTextContents()).toEqual(['pdf-forms', 'invoice-layout']);
  await page.context().close();
  expect(misdeeds).toEqual([]);
});

test('search answers as you type', async () => {
  const { page, misdeeds } = await open();
  await page.goto(`${server.origin}/search`);
  await page.getByRole('searchbox').fill('fill a pdf');
  await page.locator('#live-status', { hasText: '2 skills found among 6' }).waitFor({ state: 'attached' });
  expect(page.url()).toBe(`${server.origin}/search?q=fill+a+pdf`);
  expect(await page.getByRole('button', { name: 'Copy Answer' }).isVisible()).toBe(true);
  await page.context().close();
  expect(misdeeds).toEqual([]);
});

test('Ctrl-K goes to a page, a skill or a section, with the keyboard alone', async () => {
  const { page, misdeeds } = await open();
  await page.goto(`${server.origin}/agents`);
  await page.keyboard.press('Control+k');
  const palette = page.locator('dialog.palette[open]');
  await palette.waitFor();
  await page.keyboard.type('check');
  await palette.locator('a', { hasText: 'Activity' }).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  expect(await focused(page)).toContain('pdf-forms');
  await page.keyboard.press('Escape');
  await palette.waitFor({ state: 'hidden' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('activity');
  await palette.locator('a', { hasText: 'pdf-forms' }).first().waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.waitForURL('**/activity');
  await page.context().close();
  expect(misdeeds).toEqual([]);
});

test('changes are asked for first, and each form says what it changes', async () => {
  server.sent.length = 0;
  const { page, misdeeds } = await open({ javaScriptEnabled: false });
  await page.goto(`${server.origin}/skills/a1b2c3`);
  await page.getByRole('button', { name: 'Allow changes' }).click();
  expect(page.url()).toBe(`${server.origin}/skills/a1b2c3`);
  await page.goto(`${server.origin}/empty/skill`);
  for (const name of ['Turn off', 'Build', 'Scan', 'Stop changes', 'Dark'])
    await page.getByRole('button', { name }).click();
  await page.context().close();
  const csrf = 'csrf=form-token';
  const back = 'back=%2Fempty%2Fskill';
  expect(server.sent).toEqual([
    `/changes ${csrf}&back=%2Fskills%2Fa1b2c3&allow=true`,
    `/skills/a1b2c3/enabled ${csrf}&${back}&enabled=false`,
    `/skills/a1b2c3/build ${csrf}&${back}`,
    `/skills/a1b2c3/scan ${csrf}&${back}`,
    `/changes ${csrf}&${back}&allow=false`,
    `/theme ${csrf}&${back}&theme=dark`,
  ]);
  expect(misdeeds).toEqual([]);
});

describe('live', () => {
  test('accesses appear as they happen, once each, and as harmless as all others', async () => {
    const { page, misdeeds } = await open();
    await page.goto(`${server.origin}/happening`);
    const word = page.locator('[data-live-word]');
    await word.filter({ hasText: 'Live' }).waitFor();
    const rows = page.locator('#activity > table tbody tr');
    expect(await rows.count()).toBe(7);
    server.emit({ skills: ['a1b2c3'], count: 1 });
    await rows.nth(7).waitFor();
    expect(await rows.nth(0).locator('td').nth(2).textContent()).toBe('Names');
    server.emit({ skills: [], count: 1 });
    await rows.nth(8).waitFor();
    expect(await rows.count()).toBe(9);
    expect(await page.locator('#activity tr.fresh').count()).toBe(1);
    expect((await rows.nth(0).locator('th, td').allTextContents()).map((text) => text.trim())).toEqual([
      '16 Nov, 14:03:03',
      'show',
      `<img src=x onerror="window.hacked=true">${turned.replace('\u202e', 'U+202E').replace('\u2066', 'U+2066').replace('\u2067', 'U+2067')}`,
      '',
      '212',
      '4',
      'E001',
      '~/work/shop',
    ]);
    expect(await rows.nth(0).locator('a').getAttribute('href')).toBe(
      '/skills/%22%3E%3Cscript%3Ewindow.hacked%3Dtrue%3C%2Fscript%3E',
    );
    expect(await page.locator('.table-count').textContent()).toBe(
      'Newest first. 9 of 368; skc stats adds all of them up.',
    );
    await page.locator('[data-live-news]', { hasText: 'new accesses' }).waitFor({ state: 'attached' });
    expect(await tracesOn(page)).toEqual(noTraces);

    await page.getByRole('button', { name: 'Pause' }).click();
    expect(await word.textContent()).toBe('Paused');
    await expect.poll(() => server.listeners()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await word.filter({ hasText: 'Live' }).waitFor();
    // It reads the page anew, because it may have missed something.
    await page.locator('.table-count', { hasText: '369' }).waitFor();
    const hide = (isHidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await hide(true);
    expect(await word.textContent()).toBe('Paused');
    await expect.poll(() => server.listeners()).toBe(0);
    await hide(false);
    await word.filter({ hasText: 'Live' }).waitFor();
    server.cut(true);
    await word.filter({ hasText: 'Reconnecting' }).waitFor();
    server.cut(false);
    await word.filter({ hasText: 'Live' }).waitFor();
    await page.context().close();
    expect(misdeeds.filter((text) => !text.includes('404'))).toEqual([]);
  });

  test('a page that was not whole fills itself, and keeps what a change said', async () => {
    const { page } = await open();
    await page.goto(`${server.origin}/settling`);
    await page.locator('[data-live-word]', { hasText: 'Live' }).waitFor();
    const before = await page.locator('.notes').allTextContents();
    server.emit({}, 'settled');
    await page.locator('#skills a', { hasText: 'pdf-forms' }).first().waitFor();
    expect([before, await page.locator('.notes').allTextContents()]).toEqual([
      ['It is on.', 'Still counting.'],
      ['It is on.'],
    ]);
    await page.context().close();
  });

  test('the heat of a skill follows its own accesses, and opened parts stay open', async () => {
    const { page } = await open();
    await page.goto(`${server.origin}/growing`);
    await page.locator('[data-live-word]', { hasText: 'Live' }).waitFor();
    const summary = page.locator('.chart-table summary');
    await summary.click();
    await page.locator('h1').click();
    const before = await page.locator('.outline-entry', { hasText: 'Fill' }).textContent();
    server.emit({ skills: ['another'], count: 1 });
    server.emit({ skills: ['another', 'a1b2c3'], count: 2 });
    const after = page.locator('.outline-entry', { hasText: '62 reads' });
    await after.waitFor();
    expect([before, await after.textContent()]).toEqual(['Fill61 reads96 tokens', 'Fill62 reads96 tokens']);
    expect(await page.locator('.chart-table').getAttribute('open')).toBe('');
    await page.context().close();
  });
});

describe('a hostile skill is harmless, and the layout holds at 320 px', () => {
  test('every page', async () => {
    const { page, misdeeds } = await open({ width: 320 });
    const found: unknown[] = [];
    for (const path of Object.keys(hostilePages)) {
      await page.goto(`${server.origin}${path}`);
      const state = { path, overflow: await overflowOf(page), traces: await tracesOn(page) };
      found.push(state);
    }
    await page.context().close();
    expect(found).toEqual(Object.keys(hostilePages).map((path) => ({ path, overflow: 0, traces: noTraces })));
    expect(misdeeds).toEqual([]);
  });

  test('marks that turn or hide text are shown, and the page keeps its direction', async () => {
    const { page } = await open();
    await page.goto(`${server.origin}/hostile/skills`);
    expect(await page.locator('.skill-name .hidden-character', { hasText: 'U+202E' }).count()).toBe(1);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('.site-header')).direction`)).toBe(
      'ltr',
    );
    await page.context().close();
  });

  test('long lists show their first rows, and say how to get the rest', async () => {
    const { page } = await open();
    await page.goto(`${server.origin}/hostile/many`);
    expect(await page.locator('#files tbody tr').count()).toBe(200);
    expect(await page.locator('#files .rest').textContent()).toContain('4,800 more rows not shown');
    expect(await page.locator('.outline-entry').count()).toBe(400);
    expect(await page.locator('.outline-scroll .rest').textContent()).toContain(
      '600 more sections not listed',
    );
    await page.goto(`${server.origin}/hostile/activity`);
    expect(await page.locator('#activity > table tbody tr').count()).toBe(200);
    expect(await page.locator('.table-count').textContent()).toContain('200 of 5,000');
    await page.goto(`${server.origin}/hostile/skills`);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('.pager a')].map((link) => link.getAttribute('href'))`,
      ),
    ).toEqual([
      expect.stringMatching(/^\/\?q=%22%3E%3Cscript.*&order=reads&page=2$/),
      expect.stringMatching(/^\/\?q=%22%3E%3Cscript.*&order=reads&page=4$/),
    ]);
    await page.context().close();
  });
});
