// The rules about links: their files and anchors exist, and they stay inside the skill.

import { posix } from 'node:path';
import { suggest } from '../../../base/diagnostics/index.ts';
import { foldText, slugify } from '../../../base/markdown/index.ts';
import type { LintDocument } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import type { Rule } from '../rule.ts';
import { isMarkdownPath, type LinkPlace } from '../skill-links.ts';

/** The rules about links. */
export const linkRules: readonly Rule[] = [
  {
    id: 'SKL301',
    name: 'link-file-exists',
    severity: 'error',
    summary: 'Every relative link leads to a file or directory of the skill.',
    *check(skill) {
      const nameOf = (path: string) => posix.basename(path.replaceAll('\\', '/')).toLowerCase();
      let namesakes: ReadonlyMap<string, string> | undefined;
      for (const { file, line, target, place } of skill.links()) {
        if (place.kind !== 'missing') continue;
        // Wrong paths are mostly wrong in the directory or in case.
        namesakes ??= new Map(skill.tree().entries.map(({ path }) => [nameOf(path), path]));
        const namesake = namesakes.get(nameOf(place.path));
        yield {
          message: `the link ${quoteText(target)} leads to nothing`,
          file,
          line,
          help:
            namesake === undefined
              ? 'correct the path, add the file, or remove the link'
              : `did you mean ${quoteText(posix.relative(posix.dirname(file), namesake))}?`,
          severity: place.certainty === 'doubtful' ? 'warning' : undefined,
        };
      }
    },
  },
  {
    id: 'SKL302',
    name: 'link-anchor-exists',
    severity: 'warning',
    summary: 'The `#anchor` of a link to a Markdown file is the GitHub anchor of one of its headings.',
    *check(skill) {
      const known = new Map<string, Anchors | undefined>();
      for (const { file, line, target, place, fragment } of skill.links()) {
        if (fragment === undefined || place.kind !== 'inside' || !isMarkdownPath(place.path)) continue;
        if (namesNoHeading(fragment)) continue;
        if (!known.has(place.path)) known.set(place.path, readAnchors(skill.document(place.path)));
        const anchors = known.get(place.path);
        if (anchors === undefined || anchors.has(fragment)) continue;
        const where = place.path === file ? 'in this file' : `in ${quoteText(place.path)}`;
        const [similar] = suggest(fragment, anchors.first, 1);
        const help = similar && `did you mean ${quoteText(`#${similar}`)}?`;
        const message = `the link ${quoteText(target)} matches no heading ${where}`;
        yield { message, file, line, help: help ?? 'use the anchor of a heading' };
      }
    },
  },
  {
    id: 'SKL303',
    name: 'link-no-escape',
    severity: 'error',
    summary: 'No link leads out of the skill directory.',
    check: (skill) =>
      skill.links().flatMap(({ file, line, target, place }) => {
        if (place.kind !== 'outside') return [];
        const { says, help = 'copy the file into the skill, or mention it without a link' } = ways[place.by];
        const severity = place.by === 'site' ? 'warning' : undefined;
        return [{ message: `the link ${quoteText(target)} ${says}`, file, line, help, severity } as const];
      }),
  },
];

/** The top of the page, line numbers, text fragments and placeholders are not headings. */
function namesNoHeading(fragment: string): boolean {
  return /^(?:top)?$|^L\d+|^:~:|[<>{}[\]$*]|\.{3}|…/i.test(fragment);
}

interface Anchors {
  has(fragment: string): boolean;
  /** Comparing an anchor with those of a document is cheap; measuring its similarity to thousands of them is not. */
  readonly first: readonly string[];
}

const MAX_COMPARED = 200;

function readAnchors(document: LintDocument | undefined): Anchors | undefined {
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
    first: anchors.slice(0, MAX_COMPARED),
  };
}

const HTML_ANCHOR = /\b(?:id|name)\s?=\s?(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"'<>]{1,200}))/gi;
const ATTRIBUTE_ANCHOR = /\{\s?#([^\s{}]{1,200})/g;
const NESTED_HEADING = /^[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])[ \t>]*#{1,6}[ \t]+(\S.{0,299})$/gm;

/** Anchors besides headings: `id` and `name` in HTML, `{#id}`, and headings inside quotes and lists. */
function findOtherAnchors({ text }: LintDocument): ReadonlySet<string> {
  const written = [HTML_ANCHOR, ATTRIBUTE_ANCHOR].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? ''),
  );
  const nested = [...text.matchAll(NESTED_HEADING)].map((match) => slugify(match[1]!.trimEnd()));
  return new Set([...written, ...nested].map(foldText));
}

/** Ways out of a skill. */
const ways: Readonly<
  Record<Extract<LinkPlace, { kind: 'outside' }>['by'], { readonly says: string; readonly help?: string }>
> = {
  parent: { says: 'leaves the skill directory' },
  symlink: { says: 'leaves the skill directory through a symbolic link' },
  machine: { says: 'is a path on this machine, not in the skill' },
  site: {
    says: 'starts at the root of a web site, not in the skill',
    help: 'write the whole address, https:// included',
  },
};
