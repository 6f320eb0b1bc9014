// Pages of the studio as text: commands people paste, exports, and what strangers may know.

import { expect, test } from 'vitest';
import { assets } from '../../src/front/pages/index.ts';
import { commandFor } from '../../src/front/studio/pages/skill-pieces.ts';
import { studioErrorPage } from '../../src/front/studio/pages/studio-error-page.ts';
import type { StudioFrame } from '../../src/front/studio/pages/studio-shell.ts';
import { faultsIn } from '../pasted-commands.ts';
import { otherPages, type Render, samplePages } from './sample-pages.ts';
import { frame } from './sample-views.ts';

const drawn = (pages: Readonly<Record<string, Render>>, shown: StudioFrame) =>
  Object.entries(pages).map(([path, render]) => ({
    path,
    text: render(shown, new URLSearchParams('q=pdf')).toString(),
  }));

const plain = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

test('every command on a page is ready to paste', async () => {
  const commands = drawn({ ...samplePages, ...otherPages }, frame).flatMap(({ text }) =>
    [...text.matchAll(/(?:class="code command".*?<code>|<code>)(skc [^<]*)<\/code>/g)].map(([, line]) =>
      plain(line!),
    ),
  );
  expect(new Set(commands)).toEqual(
    new Set([
      'skc build --all --target gemini',
      'skc build pdf-forms',
      'skc doctor',
      'skc explain E020',
      'skc explain E021',
      'skc init my-skill',
      'skc mcp --print-config claude',
      'skc outline pdf-forms',
      'skc agents',
      'skc lint pdf-forms',
      'skc list --paths',
      'skc sources pdf-forms',
      'skc scan shell-helper',
      'skc stats',
      'skc stats pdf-forms --group-by search',
      'skc find --remote pdf',
      'skc update',
    ]),
  );
  expect(await faultsIn(commands.map((line) => `help: \`${line}\``).join('\n'))).toEqual([]);
});

test('a command with a hostile name is one word for a shell', () => {
  expect(["a'; rm -rf ~", '$(id)', '-f'].map((name) => commandFor('build', { name }))).toEqual([
    "skc build 'a'\\''; rm -rf ~'",
    "skc build '$(id)'",
    "skc build -- '-f'",
  ]);
});

test('an export has no forms, nothing live, and no link that leads nowhere', () => {
  const known = new Set(['/', '/catalog', '/agents', '/activity', '/evals', '/skills/a1b2c3']);
  const exported: StudioFrame = {
    ...frame,
    csrf: null,
    href: (path) =>
      path.startsWith('/assets/') || known.has(path.split('#')[0]!) || path.startsWith('/catalog?')
        ? `.${path}.html`
        : '#',
  };
  const { '/search': _, ...pages } = samplePages;
  const found = drawn({ ...pages, ...otherPages }, exported).map(({ path, text }) => ({
    path,
    forms: /<form|<input|<select/.test(text),
    live: text.includes('data-events') || text.includes(assets.live.name) || text.includes('<template'),
    nowhere: [...text.matchAll(/<a [^>]*href="#"[^>]*>/g)].map(([link]) => link),
  }));
  expect(found.filter(({ forms, live, nowhere }) => forms || live || nowhere.length > 0)).toEqual([]);
  expect(samplePages['/search']!(exported, new URLSearchParams('q=pdf')).toString()).toContain(
    'Search needs the running studio',
  );
});

test('a page for strangers names no place and asks for nothing', () => {
  const text = studioErrorPage(
    { title: 'Refused', text: 'Open the address that skc prints.' },
    { ...frame, csrf: null, place: '' },
  ).toString();
  expect(text.match(/<h1>.*<\/p>/)?.[0]).toBe(
    '<h1><bdi dir="auto">Refused</bdi></h1><p><bdi dir="auto">Open the address that skc prints.</bdi></p>',
  );
  expect(text.match(/href|src=|as-of|<nav/g)).toBeNull();
});
