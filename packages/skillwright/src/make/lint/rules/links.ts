// The rules about links: their files and anchors exist, and they stay inside the skill.

import { posix } from 'node:path';
import { suggest } from '../../../base/diagnostics/index.ts';
import { foldText, slugify } from '../../../base/markdown/index.ts';
import type { LintDocument, LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule } from '../rule.ts';
import { isMarkdownPath, type LinkPlace } from '../skill-links.ts';

/** SKL301: relative links and images whose file or directory does not exist. */
export const linkFileExists = defineRule({
  id: 'SKL301',
  name: 'link-file-exists',
  severity: 'error',
  summary: 'Every relative link leads to a file or directory of the skill.',
  *check(skill) {
    let namesakes: ReadonlyMap<string, string> | undefined;
    for (const { file, line, target, place } of skill.links()) {
      if (place.kind !== 'missing') continue;
      namesakes ??= findNamesakes(skill);
      const namesake = namesakes.get(posix.basename(place.path.replaceAll('\\', '/')).toLowerCase());
      yield {
        message: `the link ${quoteText(target)} leads to nothing`,
        file,
        line,
        help:
          namesake === undefined
            ? 'correct the path, add the file, or remove the link'
            : `did you mean ${quoteText(posix.relative(posix.dirname(file), namesake))}?`,
        ...(place.certainty === 'doubtful' ? { severity: 'warning' } : {}),
      };
    }
  },
});

/** One file per file name in lower case: wrong paths are mostly wrong in the directory or in case. */
function findNamesakes(skill: LintSubject): ReadonlyMap<string, string> {
  return new Map(skill.tree().entries.map(({ path }) => [posix.basename(path).toLowerCase(), path]));
}

/** SKL302: `#anchor` and `file.md#anchor` if the document has no such heading. */
export const linkAnchorExists = defineRule({
  id: 'SKL302',
  name: 'link-anchor-exists',
  severity: 'warning',
  summary: 'The `#anchor` of a link to a Markdown file is the GitHub anchor of one of its headings.',
  *check(skill) {
    const known = new Map<string, Anchors | undefined>();
    for (const { file, line, target, place, fragment } of skill.links()) {
      if (fragment === undefined || place.kind !== 'inside' || !isMarkdownPath(place.path)) continue;
      if (namesNoHeading(fragment)) continue;
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
function namesNoHeading(fragment: string): boolean {
  return /^(?:top)?$|^L\d+|^:~:|[<>{}[\]$*]|\.{3}|…/i.test(fragment);
}

interface Anchors {
  has(fragment: string): boolean;
  similarTo(fragment: string): string[];
}

/** Comparing an anchor with those of a document is cheap; measuring its similarity to thousands of them is not. */
const MAX_COMPARED = 200;

function readAnchors(skill: LintSubject, path: string): Anchors | undefined {
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

type Way = Extract<LinkPlace, { kind: 'outside' }>['by'];

const messages: Readonly<Record<Way, (target: string) => string>> = {
  parent: (target) => `the link ${target} leaves the skill directory`,
  symlink: (target) => `the link ${target} leaves the skill directory through a symbolic link`,
  machine: (target) => `the link ${target} is a path on this machine, not in the skill`,
  site: (target) => `the link ${target} starts at the root of a web site, not in the skill`,
};

/** SKL303: links to files that are not part of the skill. */
export const linkNoEscape = defineRule({
  id: 'SKL303',
  name: 'link-no-escape',
  severity: 'error',
  summary: 'No link leads out of the skill directory.',
  *check(skill) {
    for (const { file, line, target, place } of skill.links()) {
      if (place.kind !== 'outside') continue;
      yield {
        message: messages[place.by](quoteText(target)),
        file,
        line,
        help:
          place.by === 'site'
            ? 'write the whole address, https:// included'
            : 'copy the file into the skill, or mention it without a link',
        ...(place.by === 'site' ? { severity: 'warning' } : {}),
      };
    }
  },
});
