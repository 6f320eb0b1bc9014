import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../base/markdown/index.ts';
import { html } from './html.ts';
import { MAX_MARKDOWN, type MarkdownLinks, renderMarkdown } from './render-markdown.ts';

const links: MarkdownLinks = {
  link: (target) => (target.startsWith('docs/') ? `/files/${target}` : undefined),
  image: (target) => (target.endsWith('.png') ? `/raw/${target}` : undefined),
};
const render = (text: string) =>
  renderMarkdown(text, links)
    .html.toString()
    .replace(/^<div class="prose" dir="auto">|<\/div>$/g, '')
    .trim();
const dead = (text: string) => `<span class="dead-link" title="This link leads nowhere">${text}</span>`;
const p = (text: string) => `<p dir="auto">${text}</p>`;

describe('third-party text cannot run, load or imitate anything', () => {
  test.each([
    ['<script>alert(1)</script>', p('&lt;script&gt;alert(1)&lt;/script&gt;')],
    ['<img src=x onerror=alert(1)>', p('&lt;img src=x onerror=alert(1)&gt;')],
    ['[a](javascript:alert%281%29)', p(dead('a'))],
    ['[a](JAVA&#x0A;SCRIPT:alert)', p(dead('a'))],
    ['[a](data:text/html,x)', p(dead('a'))],
    ['[a](//evil.example/x)', p(dead('a'))],
    ['[a](\\\\evil.example)', p(dead('a'))],
    ['[a](missing.md)', p(dead('a'))],
    ['<javascript:alert(1)>', p(dead('javascript:alert(1)'))],
    ['![a](https://evil.example/pixel.png)', p('<span class="no-image">a</span>')],
    ['![a](data:image/png;base64,AAAA)', p('<span class="no-image">a</span>')],
    ['![a](picture.svg)', p('<span class="no-image">a</span>')],
    [
      '![a" onload="x](b.png)',
      p('<img src="/raw/b.png" alt="a&quot; onload=&quot;x" loading="lazy" decoding="async">'),
    ],
    ['[a](docs/x.md "say \\"hi\\"")', p('<a href="/files/docs/x.md" title="say &quot;hi&quot;">a</a>')],
    [
      '[a](https://example.com)',
      p('<a href="https://example.com" rel="nofollow ugc noopener noreferrer">a</a>'),
    ],
    ['[a](#part)', p('<a href="#section-part">a</a>')],
  ])('%j', (text, expected) => expect(render(text)).toBe(expected));
});

test('headings have the anchors of the outline, with our prefix, below the heading of the page', () => {
  const text = '# Main\n\nTitle `x` *y*\n---\n\n## Main\n\n> # Quoted\n';
  const ids = [...render(text).matchAll(/<(h\d) dir="auto" id="([^"]+)"/g)].map(
    ([, tag, id]) => `${tag} ${id}`,
  );
  const anchors = readMarkdown(text).headings.map(({ level, anchor }) => `h${level + 1} section-${anchor}`);
  expect(ids).toEqual(anchors);
  expect(ids).toContain('h3 section-main-1');
});

test('cells are aligned by classes, for style attributes are forbidden', () => {
  expect(render('|a|b|\n|-|-:|\n|1|2|')).not.toContain('style');
  expect(render('|a|b|\n|-|-:|\n|1|2|')).toContain('<td dir="auto" class="align-right">2</td>');
});

describe('the page and the caller are told what is left out', () => {
  test.each([
    [
      'a long text',
      `${'word '.repeat(20)}\n\n`.repeat(11_000),
      'The first 262,139 of 1,122,000 characters are shown. Open the file for the rest.',
    ],
    [
      'many lines',
      '# a\n'.repeat(10_001),
      'The first 39,999 of 40,004 characters are shown. Open the file for the rest.',
    ],
    [
      'deep nesting',
      `${'> '.repeat(60)}deep`,
      'Lines nested more than 20 levels deep are shown as written: 1.',
    ],
    [
      'one huge paragraph',
      '[a](b '.repeat(20_000),
      'Paragraphs longer than 65,536 characters are shown as written: 1.',
    ],
  ])('%s', (_, text, note) => {
    const rendered = renderMarkdown(text);
    expect(rendered.notes).toEqual([note]);
    expect(rendered.html.toString()).toContain(note);
  });

  test('an ordinary text has no notes', () =>
    expect(renderMarkdown('x'.repeat(MAX_MARKDOWN / 8)).notes).toEqual([]));
});

test.each([
  ['brackets', '['],
  ['images', '![a]('],
  ['stars', '**a '],
  ['quotes', '>'],
  ['backticks', '`a``'],
  ['autolinks', '<a:'],
  ['tables', '|a|\n|-|\n'],
  ['lists', '- a\n '],
  ['entities', '&#x'],
])('a megabyte of %s ends', (_, piece) => {
  const { html } = renderMarkdown(piece.repeat(2 ** 20 / piece.length));
  expect(html.toString().length).toBeLessThan(20 * MAX_MARKDOWN);
});

test('our own words stand behind a heading, once each', () => {
  const { html: text } = renderMarkdown('# A *b*\n\n## A b\n\n## No\n', {
    mark: (anchor) => (anchor === 'no' ? undefined : html`<span class="read-mark">${anchor}</span>`),
  });
  expect(text.toString()).toContain(
    '<h2 dir="auto" id="section-a-b">A <em>b</em><span class="read-mark">a-b</span></h2>',
  );
  expect(text.toString()).toContain(
    '<h3 dir="auto" id="section-a-b-1">A b<span class="read-mark">a-b-1</span></h3>',
  );
  expect(text.toString()).toContain('<h3 dir="auto" id="section-no">No</h3>');
});
