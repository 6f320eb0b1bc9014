// Parses a rule's page: prose for people, examples for tests.

import { readMarkdown } from '../../../base/markdown/index.ts';

/** One example of a page. */
export interface RuleExample {
  readonly title: string;
  /** Path and text of each file. */
  readonly files: ReadonlyMap<string, string>;
  /** The `setup` block: TOML with `directory`, `profile` and `options`. */
  readonly setup: string;
  /** `severity path:line: message` lines; empty for an example that passes. */
  readonly expected: readonly string[];
  /** SKILL.md after `--fix`; undefined if the example does not test it. */
  readonly fixed: string | undefined;
}

/** A parsed page. */
interface RulePage {
  /** The first line, without `# `. */
  readonly title: string;
  /** The headings of level 2. */
  readonly parts: readonly string[];
  readonly examples: readonly RuleExample[];
}

const FENCE = /^(`{3,})(file|expect|setup|fixed)(?: (\S.*))?\n([\s\S]*?)^\1$/gm;

/** Parses a page: every level 3 heading starts an example, and its fenced blocks are the contents. */
export function readRulePage(text: string): RulePage {
  const { headings } = readMarkdown(text);
  const lines = text.split('\n');
  return {
    title: headings.find(({ level }) => level === 1)?.text ?? '',
    parts: headings.filter(({ level }) => level === 2).map((heading) => heading.text),
    examples: headings
      .filter(({ level }) => level === 3)
      .map(({ text: title, line, endLine }) => readExample(title, lines.slice(line, endLine).join('\n'))),
  };
}

function readExample(title: string, part: string): RuleExample {
  const files = new Map<string, string>();
  let setup = '';
  let expected: string[] = [];
  let fixed: string | undefined;
  for (const [, , kind, path, content] of part.matchAll(FENCE)) {
    if (kind === 'file') files.set(path ?? 'SKILL.md', content!);
    else if (kind === 'setup') setup = content!;
    else if (kind === 'fixed') fixed = content!;
    else expected = content!.split('\n').filter(Boolean);
  }
  return { title, files, setup, expected, fixed };
}
