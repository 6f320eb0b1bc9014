import { expect, test } from 'vitest';
import {
  ago,
  assets,
  barChart,
  diffView,
  formatCount,
  formatShare,
  heatOf,
  numberedLines,
  outlineTree,
  shareBar,
  showControls,
  stackedChart,
  table,
} from './index.ts';

test.each([
  ['2026-11-18T11:59:30Z', 'just now'],
  ['2026-11-18T11:58:00Z', '2 minutes ago'],
  ['2026-11-18T10:59:00Z', '1 hour ago'],
  ['2026-11-17T11:00:00Z', 'yesterday'],
  ['2026-11-08T11:00:00Z', 'last week'],
  ['2026-08-01T11:00:00Z', '3 months ago'],
  ['2024-11-01T11:00:00Z', '2 years ago'],
  ['2026-11-20T12:00:00Z', 'in 2 days'],
])('%s is %s, with the exact time as its title', (time, text) => {
  const exact = new Date(time).toISOString();
  expect(ago(time, new Date('2026-11-18T12:00:00Z')).toString()).toBe(
    `<time datetime="${exact}" title="${exact}">${text}</time>`,
  );
  expect(ago('<b>').toString()).toBe('&lt;b&gt;');
});

test('a chart says in words what it shows, and has its numbers in a table', () => {
  const points = [
    { label: '2026-11-01', value: 3 },
    { label: '2026-11-02', value: 1200 },
  ];
  const chart = barChart(points, { id: 'd', title: 'Downloads per day', unit: 'downloads' }).toString();
  expect(chart).toContain('<title id="d-title">Downloads per day</title>');
  expect(chart).toContain(
    '<desc id="d-desc">1,203 downloads from 2026-11-01 to 2026-11-02, most on 2026-11-02: 1,200.</desc>',
  );
  expect(chart).toContain('<td role="cell" class="number" data-label="downloads">1,200</td>');
  expect(barChart([], { id: 's', title: 'Reads', unit: 'reads' }).toString()).toContain(
    '<desc id="s-desc">No reads.</desc>',
  );
});

test('a chart of two series has both in its words, its legend and its table', () => {
  const days = ['2026-11-01', '2026-11-02'];
  const series = (name: string, values: readonly number[]) => ({
    name,
    points: values.map((value, at) => ({ label: days[at]!, value })),
  });
  const chart = stackedChart([series('Served', [10, 0]), series('Saved', [30, 60])], {
    id: 't',
    title: 'Tokens a day',
    unit: 'tokens',
  }).toString();
  expect(chart).toContain(
    '<desc id="t-desc">10 tokens served from 2026-11-01 to 2026-11-02, most on 2026-11-01: 10. 90 tokens saved from 2026-11-01 to 2026-11-02, most on 2026-11-02: 60.</desc>',
  );
  expect(
    [
      ...chart.matchAll(
        /<rect class="bar (bar-\d)" x="[^"]*" y="([^"]*)"[^>]*height="([^"]*)"><title>([^<]*)/g,
      ),
    ].map(([, ...part]) => part),
  ).toEqual([
    ['bar-1', '50', '10', '2026-11-01: 10 tokens served'],
    ['bar-2', '20', '30', '2026-11-01: 30 tokens saved'],
    ['bar-2', '0', '60', '2026-11-02: 60 tokens saved'],
  ]);
  expect(chart).toContain('Served <strong>10</strong>');
  expect(chart).toContain(
    '<td role="cell" class="number" data-label="Served">0</td><td role="cell" class="number" data-label="Saved">60</td>',
  );
});

test('a share is a bar from nothing to all, and a number that never rounds to nothing', () => {
  expect([0, 0.004, 0.257, 1].map(formatShare)).toEqual(['0%', '<1%', '26%', '100%']);
  expect(
    [0.5, 7, -1, Number.NaN].map((share) => /width="([^"]*)"/.exec(shareBar(share).toString())?.[1]),
  ).toEqual(['50', '100', '0', '0']);
});

test('an outline is a nested list with tokens and reads, and says how many sections it leaves out', () => {
  const sections = [
    { level: 1, text: 'A <b>', href: '#a', tokens: 1200, reads: 9 },
    { level: 3, text: 'B', href: '#b', tokens: 5, reads: 0 },
    { level: 2, text: 'C', href: '#c', tokens: 7, reads: 1 },
  ];
  const entry = (
    text: string,
    { href, heat, reads, tokens }: { href: string; heat: number; reads: string; tokens: string },
  ) =>
    `<a class="outline-entry heat-${heat}" href="${href}"><bdi dir="auto" class="outline-text">${text}</bdi><span class="outline-reads">${reads}</span><span class="tokens">${tokens}<span class="unseen"> tokens</span></span></a>`;
  expect(outlineTree(sections, { label: 'Outline', limit: 2 }).toString()).toBe(
    `<nav class="outline" aria-label="Outline"><ol><li>${entry('A &lt;b&gt;', { href: '#a', heat: 5, reads: '9 reads', tokens: '1,200' })}<ol><li>${entry('B', { href: '#b', heat: 0, reads: 'never read', tokens: '5' })}</li></ol></li></ol><p class="muted small">1 more section not listed.</p></nav>`,
  );
  expect([0, 1, 10, 100, 1000].map((reads) => heatOf(reads, 1000))).toEqual([0, 1, 2, 4, 5]);
});

test('characters that hide or turn text are shown by their code points', () => {
  expect(showControls('a\u202eb\u200bc\td').toString()).toBe(
    'a<span class="hidden-character">U+202E</span>b<span class="hidden-character">U+200B</span>c\td',
  );
});

test('a file shows its first lines with anchors and notes, and how many it leaves out', () => {
  const { html, hidden } = numberedLines('x\n'.repeat(5002), {
    label: 'f',
    marked: new Map([[2, 'SCN1: <bad>']]),
  });
  expect(hidden).toBe(2);
  expect(html.toString()).toContain('<span class="line marked" id="L2">');
  expect(html.toString()).toContain('<span class="line-note">SCN1: &lt;bad&gt;</span>');
});

test('a difference counts lines and names files that are not text', () => {
  const view = diffView([
    { path: 'a.md', status: 'changed', diff: '--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,2 @@\n-<old>\n+new\n+er\n' },
    { path: 'b.png', status: 'added', diff: null },
  ]).toString();
  expect(view).toContain(
    '<ins>+2<span class="unseen"> lines added</span></ins> <del>−1<span class="unseen"> lines removed</span></del>',
  );
  expect(view).toContain('<del>-&lt;old&gt;\n</del>');
  expect(view).toContain('Not a text file.');
});

test('a table without rows shows its empty state', () => {
  expect(table({ caption: 'None', columns: [{ title: 'A' }], rows: [], empty: 'nothing' }).toString()).toBe(
    'nothing',
  );
});

test('files of all pages are named by their content', () => {
  expect(Object.values(assets).map(({ name }) => name)).toEqual([
    expect.stringMatching(/^pages\.[0-9a-f]{12}\.css$/),
    expect.stringMatching(/^pages\.[0-9a-f]{12}\.svg$/),
    expect.stringMatching(/^pages\.[0-9a-f]{12}\.js$/),
    expect.stringMatching(/^pages\.[0-9a-f]{12}\.js$/),
  ]);
  expect(formatCount(1234567)).toBe('1,234,567');
});

test('an outline shows characters that hide or turn text', () => {
  const section = { level: 1, text: 'safe\u202e\u001b[2J', href: '#a', tokens: 1 };
  const shown = outlineTree([section], { label: 'Sections' }).toString();
  expect([/U\+202E/.test(shown), /U\+001B/.test(shown), /[\u202e\u001b]/.test(shown)]).toEqual([
    true,
    true,
    false,
  ]);
});
