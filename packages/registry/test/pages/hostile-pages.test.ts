import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBrowser, openPage, overflowOf } from '../../../skillwright/test/browser/open-browser.ts';
import { noTraces, tracesOn } from '../../../skillwright/test/browser/page-traces.ts';
import { requireProgram } from '../../../skillwright/test/required-program.ts';
import { devicePage } from '../../src/web/account/sign-in-page.ts';
import { tokensPage } from '../../src/web/account/tokens-page.ts';
import { accountsPage } from '../../src/web/admin/accounts-page.ts';
import { auditPage } from '../../src/web/admin/admin-shell.ts';
import { errorPage } from '../../src/web/error-page.ts';
import { ownerPage } from '../../src/web/owner/owner-page.ts';
import { reviewPage } from '../../src/web/review/review-pages.ts';
import { searchPage } from '../../src/web/search-page.ts';
import { skillPage } from '../../src/web/skill/skill-page.ts';
import { hits } from './fixtures.ts';
import { hostile, hostileTabs, markup, turned, word } from './hostile-skill.ts';
import { type Render, startPageServer } from './page-server.ts';

const long = `${word} ${turned} ${markup}`;
const hit = { ...hits[0]!, ...hostile.index, name: hostile.index.name, latest: word };
const megabyte = `# Big\n\n${'A paragraph of ordinary words that goes on for a while.\n\n'.repeat(18_000)}`;
const headings = Array.from({ length: 10_000 }, (_, at) => `## Heading ${at}\n`).join('');

const read = (content: string, outline: number): Render => {
  const sections = Array.from({ length: outline }, (_, at) => ({
    level: 2,
    text: `Heading ${at}`,
    file: 'SKILL.md',
    anchor: `heading-${at}`,
    tokens: 3,
  }));
  const view = {
    ...hostile,
    tab: { kind: 'read', file: 'SKILL.md', text: content, tokens: 1, outline: sections },
  } as const;
  return (frame) => skillPage(view, frame);
};

const sent = { form: 'report', values: { message: [markup] }, errors: { message: long } };

const pages: Readonly<Record<string, Render>> = {
  ...Object.fromEntries(
    Object.entries(hostileTabs).map(([name, tab]): [string, Render] => [
      `/${name}`,
      (frame) => skillPage({ ...hostile, tab }, { ...frame, sent }),
    ]),
  ),
  '/megabyte': read(megabyte, 1),
  '/headings': read(headings, 10_000),
  '/long-file': (frame) =>
    skillPage({ ...hostile, tab: { kind: 'file', path: 'a', size: 1, text: 'x'.repeat(2 ** 20) } }, frame),
  '/search': (frame) =>
    searchPage.draw(
      {
        matches: new Map([
          [hostile.index.name, { verdict: 'danger', sentence: [{ text: markup, isMatch: true }] }],
        ]),
        query: {
          q: markup,
          owner: markup,
          tag: word,
          category: turned,
          sort: 'relevance',
          limit: 20,
          cursor: markup,
        },
        page: { total: 1, isTotalExact: true, skills: [hit], next: markup },
        facets: { owners: [word], tags: [markup], categories: [turned] },
      },
      frame,
    ),
  '/owner': (frame) =>
    ownerPage.draw(
      {
        owner: {
          name: markup,
          title: long,
          url: `javascript:${markup}`,
          created: markup,
          skills: 1,
          members: [{ account: long, roles: ['admin'] }],
        },
        skills: [hit],
        next: markup,
        mayManage: true,
        transfer: { id: markup, owner: markup, from: long, to: long, expires: markup },
        webhooks: [{ id: markup, url: long, created: markup, failures: 1, disabled: long }],
        publishers: [
          {
            id: markup,
            skill: markup,
            issuer: long,
            repository: long,
            workflow: markup,
            environment: long,
            pending: true,
            repositoryOwnerId: null,
            account: 'jun',
            created: '2026-11-01T00:00:00Z',
            used: null,
          },
        ],
      },
      {
        ...frame,
        sent: { form: 'members', values: { account: [markup] }, errors: { account: long } },
        made: { form: 'webhooks', answer: { id: markup, url: long, created: markup, secret: markup } },
      },
    ),
  '/review': (frame) =>
    reviewPage.draw(
      {
        document: hostile.version!.document,
        scan: hostile.version!.scan,
        trust: hostile.version!.trust,
        abilities: undefined,
        before: markup,
        changes: [],
        locked: long,
      },
      frame,
    ),
  '/tokens': (frame) =>
    tokensPage.draw(
      {
        tokens: [
          {
            id: markup,
            name: long,
            prefix: markup,
            scopes: ['read'],
            owner: markup,
            created: markup,
            expires: markup,
            used: markup,
          },
        ],
        scopes: ['read'],
        owners: [markup],
      },
      { ...frame, sent: { form: 'token', values: { name: [long] }, errors: { name: markup } } },
    ),
  '/device': (frame) =>
    devicePage({ code: markup, login: { client: long, scopes: ['read'], requested: new Date(0) } }, frame),
  '/accounts': (frame) =>
    accountsPage.draw(
      {
        invitations: [
          {
            id: markup,
            kind: 'link',
            account: markup,
            roles: [{ owner: markup, roles: ['reader'] }],
            by: long,
            expires: markup,
          },
        ],
        accounts: [
          {
            name: markup,
            displayName: long,
            email: long,
            isAdmin: false,
            isModerator: false,
            suspended: markup,
            created: markup,
            tokens: 1,
          },
        ],
        next: markup,
      },
      { ...frame, made: { form: 'invitation', answer: { link: long } } },
    ),
  '/audit': (frame) =>
    auditPage.draw(
      {
        entries: [
          {
            id: 1,
            time: markup,
            account: long,
            via: markup,
            action: markup,
            owner: markup,
            skill: markup,
            version: markup,
            details: { long },
          },
        ],
        next: markup,
        filter: { actor: markup, action: markup },
      },
      frame,
    ),
  '/error': (frame) =>
    errorPage(
      { status: 404, message: long, details: [long] },
      { ...frame, viewer: undefined, path: `/${markup}` },
    ),
};

const files = {
  'picture.svg':
    '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hacked=true"><script>window.hacked=true</script></svg>',
  'page.html': '<!doctype html><script>window.hacked=true;alert(1)</script>',
  'code.js': 'window.hacked=true',
};

let server: Awaited<ReturnType<typeof startPageServer>>;
let started: Promise<Browser> | undefined;

beforeAll(async () => {
  server = await startPageServer(pages, files);
});
beforeEach((context) => requireProgram(context, 'chromium'));
afterAll(async () => {
  await (await started)?.close();
  await server.close();
});

async function open(width: number) {
  started ??= openBrowser();
  return openPage(await started, { origin: server.origin, viewport: { width, height: 800 } });
}

describe('a hostile skill is harmless, and the layout holds at 320 px', () => {
  test.each(Object.keys(pages))('%s', async (path) => {
    const { page, misdeeds } = await open(320);
    await page.goto(`${server.origin}${path}`);
    const found = {
      overflow: await overflowOf(page),
      traces: await tracesOn(page),
      misdeeds,
      title: (await page.title()) !== '',
    };
    await page.context().close();
    expect(found).toEqual({
      overflow: 0,
      traces: noTraces,
      misdeeds: [],
      title: true,
    });
  });
});

test('the text keeps its own direction, and the page around it its own', async () => {
  const { page } = await open(1280);
  await page.goto(`${server.origin}/read`);
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.site-header')).direction`)).toBe(
    'ltr',
  );
  const heading = `[...document.querySelectorAll('.prose h3')].find(({ textContent }) => textContent === 'שלום עולם')`;
  expect(await page.evaluate(`getComputedStyle(${heading}).direction`)).toBe('rtl');
  expect(await page.evaluate(`getComputedStyle(document.querySelector('.prose')).unicodeBidi`)).toBe(
    'isolate',
  );
  await page.goto(`${server.origin}/file`);
  expect(await page.locator('.hidden-character', { hasText: 'U+202E' }).count()).toBeGreaterThan(0);
  await page.context().close();
});

test('huge texts are cut, and say so', async () => {
  const { page } = await open(1280);
  await page.goto(`${server.origin}/megabyte`);
  expect(await page.getByText(/^The first 262,\d+ of 1,\d+,\d+ characters are shown\./).count()).toBe(1);
  await page.goto(`${server.origin}/headings`);
  expect(await page.getByText('9,800 more sections not listed').count()).toBe(1);
  expect(await page.locator('.outline-entry').count()).toBe(200);
  await page.context().close();
});

test.each(Object.keys(files))('%s is served as plain text that cannot run', async (name) => {
  const { page, misdeeds } = await open(1280);
  const response = await page.goto(`${server.origin}/@o/n/1.0.0/raw/${name}`);
  expect(response?.headers()).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  });
  expect(await page.evaluate('window.hacked === true')).toBe(false);
  await page.context().close();
  expect(misdeeds).toEqual([]);
});
