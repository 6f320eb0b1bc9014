// Cost and capabilities of a skill according to its frontmatter and scripts, for the summary of a run. It is a hint for
// people who look through many skills, not a verdict; that is up to the scanner.

import { posix } from 'node:path';
import { estimateTokens } from '../../base/tokens/index.ts';
import { isMapping, splitWords } from '../../skill/format/index.ts';
import type { LintSummary } from './lint-report.ts';
import type { LintSubject } from './lint-subject.ts';

/** Facts about a skill besides its findings. */
export interface SkillFacts {
  readonly name: string;
  /** Undefined if the frontmatter is unreadable. */
  readonly description: string | undefined;
  /** It may have requests that should find it. */
  readonly hasEvals: boolean;
  /** Token cost of SKILL.md. */
  readonly tokens: number;
  readonly abilities: LintSummary['abilities'];
}

const SCRIPT = /\.(?:sh|bash|zsh|py|[cm]?[jt]s|rb|pl|php|lua|ps1|bat|cmd)$/i;
const NETWORK_TOOL = /^(?:Web|mcp__|Bash\((?:curl|wget|ssh|scp|rsync|git|gh|npm|npx|pip|docker|kubectl)\b)/;
const WRITING_TOOL = /^(?:Write|Edit|MultiEdit|NotebookEdit|Bash$|Bash\(\*?\)|\*$)/;
const NETWORK_CODE =
  /\b(?:urllib|requests\.|httpx|aiohttp|socket\.|fetch\(|axios|XMLHttpRequest|node:https?|curl |wget |ssh |Invoke-WebRequest)/;
const WRITING_CODE =
  /\bopen\([^)\n]{0,200},\s?['"][wax]|\.write_(?:text|bytes)\(|\bwriteFile|\bmkdir|\bshutil\.|\.save\(|\.to_(?:csv|excel|json)\(/;
/** In other languages `>` compares. */
const REDIRECTION = /(?:^|[^<>=-])>{1,2}\s?(?!\/dev\/|&)["$\w./]/m;
const SHELL = /\.(?:sh|bash|zsh)$/i;

/** Maximum number of scripts to read, and their maximum size. */
const MAX_SCRIPTS = 20;
const MAX_BYTES = 128 * 1024;

/** The facts about a skill. */
export function lintFacts(skill: LintSubject): SkillFacts {
  const { frontmatter, text, parts } = skill;
  const { entries } = skill.tree();
  // A skill inside another is linted on its own.
  const inner = entries.flatMap(({ path }) => (path.endsWith('/SKILL.md') ? [path.slice(0, -8)] : []));
  const isInner = (path: string) => inner.some((dir) => path.startsWith(dir));
  const scripts = entries.filter(({ path, kind }) => kind === 'file' && isScript(path) && !isInner(path));
  const code = scripts
    .slice(0, MAX_SCRIPTS)
    .map(({ path }) => ({ path, text: skill.sizeOf(path) > MAX_BYTES ? '' : (skill.textOf(path) ?? '') }));
  const tools = allowedTools(frontmatter['allowed-tools']);
  const hooks = isMapping(frontmatter.hooks) ? Object.keys(frontmatter.hooks) : [];
  return {
    name:
      typeof frontmatter.name === 'string' && frontmatter.name !== ''
        ? frontmatter.name
        : skill.directoryName,
    description: parts.data === undefined ? undefined : asText(frontmatter.description),
    hasEvals: skill.hasEvals(),
    tokens: estimateTokens(text),
    abilities: {
      network:
        tools.some((tool) => NETWORK_TOOL.test(tool)) || code.some((one) => NETWORK_CODE.test(one.text)),
      scripts: scripts.length,
      hooks,
      tools,
      writes: tools.some((tool) => WRITING_TOOL.test(tool)) || code.some(isWriting),
    },
  };
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

function isWriting({ path, text }: { path: string; text: string }): boolean {
  return WRITING_CODE.test(text) || (SHELL.test(path) && REDIRECTION.test(text));
}

function isScript(path: string): boolean {
  return SCRIPT.test(path) && !/\.d\.[cm]?ts$/.test(posix.basename(path));
}

function allowedTools(value: unknown): string[] {
  if (typeof value === 'string') return splitWords(value);
  return Array.isArray(value) ? value.filter((tool) => typeof tool === 'string') : [];
}
