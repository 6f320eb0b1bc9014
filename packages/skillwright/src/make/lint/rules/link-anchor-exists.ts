// SKL302: anchors in links exist.

import { suggest } from '../../../base/diagnostics/index.ts';
import { foldText, slugify } from '../../../base/markdown/index.ts';
import type { LintDocument, LintSkill } from '../lint-skill.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';
import { isMarkdownPath, skillLinks } from '../skill-links.ts';

/** Reports `#anchor` and `file.md#anchor` if the document has no such heading. */
export const linkAnchorExists = defineRule({
  id: 'SKL302',
  name: 'link-anchor-exists',
  severity: 'warning',
  summary: 'The `#anchor` of a link to a Markdown file is the GitHub anchor of one of its headings.',
  *check(skill) {
    const known = new Map<string, Anchors | undefined>();
    for (const { file, line, target, place, fragment } of skillLinks(skill)) {
      if (fragment === undefined || place.kind !== 'inside' || !isMarkdownPath(place.path)) continue;
      if (isForeign(fragment)) continue;
      if (!known.has(place.path)) known.set(place.path, readAnchors(skill, place.path));
      const anchors = known.get(place.path);
      if (anchors === undefined || anchors.has(fragment)) continue;
      const where = place.path === file ? 'in this file' : `in ${quoteText(place.path)}`;
      const [similar] = anchors.similarTo(fragment);
      yield {
        message: `the link ${quoteText(target)} names no heading ${where}`,
        file,
        line,
        help:
          similar === undefined ? 'use the anchor of a heading' : `did you mean ${quoteText(`#${similar}`)}?`,
      };
    }
  },
});

/** The top of the page, line numbers, text fragments and placeholders are not headings. */
function isForeign(fragment: string): boolean {
  return /^(?:top)?$|^L\d+|^:~:|[<>{}[\]$*]|\.{3}|…/i.test(fragment);
}

interface Anchors {
  has(fragment: string): boolean;
  similarTo(fragment: string): string[];
}

/** Comparing an anchor with those of a document is cheap; measuring its similarity to thousands of them is not. */
const MAX_COMPARED = 200;

function readAnchors(skill: LintSkill, path: string): Anchors | undefined {
  const document = skill.document(path);
  if (document === undefined) return undefined;
  const anchors = document.markdown.headings.map(({ anchor }) => anchor);
  const headings = new Set(anchors.map(foldText));
  let others: ReadonlySet<string> | undefined;
  return {
    has(fragment) {
      const wanted = foldText(fragment.replace(/^user-content-/, ''));
      if (headings.has(wanted)) return true;
      others ??= findOtherAnchors(document);
      return others.has(wanted);
    },
    similarTo(fragment) {
      return suggest(fragment, anchors.slice(0, MAX_COMPARED), 1);
    },
  };
}

const HTML_ANCHOR = /\b(?:id|name)\s?=\s?(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"'<>]{1,200}))/gi;
const ATTRIBUTE_ANCHOR = /\{\s?#([^\s{}]{1,200})/g;
const NESTED_HEADING = /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t>]*#{1,6}[ \t]+(\S.{0,299})$/gm;

/** Anchors besides headings: `id` and `name` in HTML, `{#id}`, and headings inside quotes and lists. */
function findOtherAnchors({ text }: LintDocument): ReadonlySet<string> {
  const found = new Set<string>();
  for (const match of text.matchAll(HTML_ANCHOR)) found.add(foldText(match[1] ?? match[2] ?? match[3] ?? ''));
  for (const match of text.matchAll(ATTRIBUTE_ANCHOR)) found.add(foldText(match[1]!));
  for (const match of text.matchAll(NESTED_HEADING)) found.add(foldText(slugify(match[1]!.trimEnd())));
  return found;
}
