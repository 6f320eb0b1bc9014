// The pictures of the guide. `SKW_PICTURES=1 vitest run packages/skillwright/test/studio` makes them from the sample world.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/base/markdown/read-markdown.ts';
import { openBrowser, openPage } from '../browser/open-browser.ts';
import { samplePages } from './sample-pages.ts';
import { frame } from './sample-views.ts';
import { startPageServer } from './studio-page-server.ts';

const guide = fileURLToPath(new URL('../../../../docs/guide', import.meta.url));
const directory = join(guide, 'pictures');
/** Beside the pictures: the digest of the page that each one shows. */
const record = join(directory, 'pictures.json');

interface Picture {
  readonly path: string;
  readonly height: number;
  /** Element at the top of the picture; without it the page is shown from its start. */
  readonly from?: string;
  readonly colorScheme?: 'dark';
}

const pictures: Readonly<Record<string, Picture>> = {
  'studio-skills.png': { path: '/', height: 980 },
  'studio-skill.png': { path: '/skills/a1b2c3', height: 680, from: '.totals' },
  'studio-search.png': { path: '/search?q=put+spreadsheet+data+into+a+pdf+form', height: 740 },
  'studio-catalog.png': { path: '/catalog', height: 820 },
  'studio-agents.png': { path: '/agents', height: 760 },
  'studio-activity.png': { path: '/activity', height: 560, colorScheme: 'dark' },
};

/** The digest of a page. Names of style sheet and script change with every kit, so they do not count. */
function digestOf({ path }: Picture): string {
  const url = new URL(path, 'http://studio');
  const shown = { ...frame, path: `${url.pathname}${url.search}` };
  const page = samplePages[url.pathname]!(shown, url.searchParams).toString();
  return createHash('sha256')
    .update(page.replaceAll(/pages\.[0-9a-f]{12}\./g, 'pages.'))
    .digest('hex');
}

const digests = Object.fromEntries(
  Object.entries(pictures).map(([name, picture]) => [name, digestOf(picture)]),
);

async function makePictures(): Promise<void> {
  const server = await startPageServer(samplePages);
  const browser = await openBrowser();
  mkdirSync(directory, { recursive: true });
  for (const [name, { path, height, from, colorScheme = 'light' }] of Object.entries(pictures)) {
    const { page } = await openPage(browser, {
      origin: server.origin,
      colorScheme,
      viewport: { width: 1180, height },
    });
    await page.goto(`${server.origin}${path}`);
    await page.locator('[data-live-word]', { hasText: 'Live' }).waitFor();
    if (from !== undefined)
      await page.evaluate(`scrollTo(0, document.querySelector(${JSON.stringify(from)}).offsetTop - 8)`);
    await page.screenshot({ path: join(directory, name) });
    await page.context().close();
  }
  await browser.close();
  await server.close();
  writeFileSync(record, `${JSON.stringify(digests, null, 2)}\n`);
}

if (process.env.SKW_PICTURES !== undefined) test('make the pictures', makePictures);

describe('the pictures of the guide', () => {
  test('are the ones it names, and small', () => {
    const named = readMarkdown(readFileSync(join(guide, 'studio.md'), 'utf8'))
      .links.map(({ target }) => target)
      .filter((target) => target.startsWith('pictures/'));
    const kept = readdirSync(directory).filter((name) => name.endsWith('.png'));
    expect(new Set(named)).toEqual(new Set(Object.keys(pictures).map((name) => `pictures/${name}`)));
    expect(new Set(kept)).toEqual(new Set(Object.keys(pictures)));
    expect(kept.filter((name) => statSync(join(directory, name)).size > 120 * 1024)).toEqual([]);
  });

  test('show the pages as they are; otherwise make them again with SKW_PICTURES=1', () => {
    expect(JSON.parse(readFileSync(record, 'utf8'))).toEqual(digests);
  });
});
