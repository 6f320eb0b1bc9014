// Finds orphans: files that neither SKILL.md nor any file it leads to mentions.

import { posix } from 'node:path';
import { isEvalFile } from '../../base/files/index.ts';
import { SKILL_FILE } from '../../skill/skill/index.ts';
import { createMentionReader } from './file-mentions.ts';
import { createFileNames } from './file-names.ts';
import type { LintSkill } from './lint-skill.ts';
import { skillLinks } from './skill-links.ts';

/** Orphans of a skill. */
export interface Orphans {
  /** Every file that must be mentioned, in order. */
  readonly judged: readonly string[];
  readonly orphans: ReadonlySet<string>;
}

const CODE = /\.(?:py|[cm]?[jt]sx?|sh|bash|zsh|rb|pl|lua|ps1|php|r|go|rs)$/i;
/** Text that may name other files. Large data and binaries are not worth reading. */
const READABLE =
  /(?:\.(?:md|markdown|mdx|txt|rst|json|jsonc|ya?ml|toml|html?|css|xml|xsd|svg|tex|j2|ejs|ipynb)|(?:^|\/)[^./]+)$/i;

/** A file names other files within this many characters. */
const MAX_READ = 1024 * 1024;

/** Files for people and lawyers, with any extension: `README.zh.md`, `LICENSE-MIT`. */
const FOR_PEOPLE =
  /^(?:licen[cs]e|copying|notice|third[-_]party[-_]notices|changelog|contributing|code[-_]of[-_]conduct|readme)(?:[._-].*)?$/i;
/** Files that tools look for by name. */
const FOR_TOOLS: ReadonlySet<string> = new Set(
  (
    '__init__.py py.typed conftest.py pyproject.toml setup.py setup.cfg uv.lock poetry.lock package.json ' +
    'package-lock.json yarn.lock pnpm-lock.yaml bun.lock tsconfig.json jsconfig.json deno.json makefile dockerfile ' +
    'go.mod go.sum cargo.toml cargo.lock gemfile gemfile.lock'
  ).split(' '),
);
const REQUIREMENTS = /^requirements[\w.-]*\.txt$/i;
const TEST =
  /^eval\/|(?:^|\/)(?:tests?|__tests__|__pycache__)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)\.\w+$/i;
/** Files that hosts and registries read by convention. */
const FOR_HOSTS = /^(?:agents\/openai\.ya?ml|(?:_meta|metadata|skill)\.(?:json|ya?ml))$/i;

/** Finds the orphans among the files of a skill; `ignored` tells which files need no mention. */
export function findOrphans(skill: LintSkill, ignored: (path: string) => boolean): Orphans {
  const judged: string[] = [];
  const queue = [SKILL_FILE];
  for (const { path, kind } of skill.tree) {
    if (kind !== 'file' || path === SKILL_FILE) continue;
    const name = posix.basename(path);
    if (isForTools(name) || FOR_HOSTS.test(path)) queue.push(path);
    else if (!isExempt(path, name) && !ignored(path)) judged.push(path);
  }
  const orphans = new Set(judged);
  if (judged.length === 0) return { judged, orphans };

  const names = createFileNames(judged);
  const mentions = createMentionReader(names);
  const refer = (paths: Iterable<string>): void => {
    for (const path of paths) if (orphans.delete(path)) queue.push(path);
  };
  for (const { place } of skillLinks(skill)) if (place.kind === 'inside') refer(names.below(place.path));
  // The queue grows while the loop runs.
  for (const path of queue) {
    if (orphans.size === 0) break;
    const isCode = CODE.test(path);
    if (!isCode && !READABLE.test(path)) continue;
    const text = path === SKILL_FILE ? skill.text : skill.textOf(path);
    if (text !== undefined) refer(mentions.read(text.slice(0, MAX_READ), isCode ? 'code' : 'prose'));
  }
  return { judged, orphans };
}

function isForTools(name: string): boolean {
  return FOR_TOOLS.has(name.toLowerCase()) || REQUIREMENTS.test(name);
}

function isExempt(path: string, name: string): boolean {
  return (FOR_PEOPLE.test(name) && !CODE.test(name)) || TEST.test(path) || isEvalFile(path);
}
