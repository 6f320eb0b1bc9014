import { html } from 'skillwright/pages';
import { expect, test } from 'vitest';
import { highlightLines } from './highlight.ts';

const shown = (path: string, text: string) =>
  highlightLines(path, text)?.map((line) => html`${line}`.toString());

test('every line of source code is coloured, and escaped', () => {
  expect(shown('scripts/run.py', 'import os\nprint("<b>", 1)  # no\n')).toEqual([
    '<span class="tok-keyword">import</span> <span class="tok-variableName">os</span>',
    '<span class="tok-variableName">print</span><span class="tok-punctuation">(</span><span class="tok-string">&quot;&lt;b&gt;&quot;</span><span class="tok-punctuation">,</span> <span class="tok-number">1</span><span class="tok-punctuation">)</span>  <span class="tok-comment"># no</span>',
    '',
  ]);
  expect(shown('a.ts', 'const x: number = 1;')![0]).toContain('<span class="tok-keyword">const</span>');
  expect(shown('a.json', '{"a": true}')![0]).toContain('<span class="tok-bool">true</span>');
});

test('a string over several lines keeps its colour, and hidden characters show', () => {
  expect(shown('a.py', 'x = """a\n\u202eb"""')).toEqual([
    expect.stringMatching(/<span class="tok-string">&quot;&quot;&quot;a<\/span>$/),
    '<span class="tok-string"><span class="hidden-character">U+202E</span>b&quot;&quot;&quot;</span>',
  ]);
});

test.each([
  ['notes.txt', 'plain'],
  ['large.py', 'x = 1\n'.repeat(20_000)],
])('%s stays as it is', (path, text) => {
  expect(highlightLines(path, text)).toBe(undefined);
});
