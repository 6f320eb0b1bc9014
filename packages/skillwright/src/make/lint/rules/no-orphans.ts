// SKL401: every file of the skill can be found from SKILL.md.

import { posix } from 'node:path';
import { isEvalFile } from '../../../base/files/index.ts';
import { createFileNames, createMentionReader } from '../../../base/markdown/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, type RuleFinding, type RuleOptions } from '../rule.ts';

const MAX_FINDINGS = 10;

/** Reports files that neither SKILL.md nor a file it refers to mentions. */
export const noOrphans = defineRule({
  id: 'SKL401',
  name: 'no-orphans',
  severity: 'warning',
  summary: 'Every file of the skill is referred to by SKILL.md or by a file it refers to.',
  *check(skill, options) {
    if (skill.tree().entries.length === 1) return;
    const places = gather(findOrphans(skill, readIgnored(options)));
    for (const place of places.slice(0, MAX_FINDINGS)) yield describePlace(place);
    const left = places.length - MAX_FINDINGS;
    if (left > 0) yield { message: `${left} more files or directories are not mentioned either` };
  },
});

/** An orphan, or a directory of orphans only. */
interface Place {
  readonly path: string;
  readonly files: number;
}

function describePlace({ path, files }: Place): RuleFinding {
  if (files === 0) {
    return {
      message: `neither SKILL.md nor a file it refers to mentions ${quoteText(path)}`,
      file: path,
      help: 'say in SKILL.md when to use it, or remove it',
    };
  }
  return {
    message: `neither SKILL.md nor a file it refers to mentions any of the ${files} files in ${quoteText(`${path}/`)}`,
    file: path,
    help: 'say in SKILL.md when to use them, or remove them',
  };
}

/** Orphans in order; the highest directory with two or more orphans and nothing else stands for its files. */
function gather({ judged, orphans }: Orphans): Place[] {
  if (orphans.size === 0) return [];
  const counts = new Map<string, { files: number; orphans: number }>();
  for (const path of judged) {
    for (const directory of directoriesOf(path)) {
      const count = counts.get(directory) ?? { files: 0, orphans: 0 };
      count.files += 1;
      if (orphans.has(path)) count.orphans += 1;
      counts.set(directory, count);
    }
  }
  const places = new Map<string, Place>();
  for (const path of orphans) {
    const whole = directoriesOf(path).find((directory) => {
      const { files, orphans: lost } = counts.get(directory)!;
      return files > 1 && files === lost;
    });
    if (whole === undefined) places.set(path, { path, files: 0 });
    else places.set(whole, { path: whole, files: counts.get(whole)!.files });
  }
  return [...places.values()];
}

/** The directories above a path, from the top. */
function directoriesOf(path: string): string[] {
  const directories: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    directories.push(path.slice(0, at));
  return directories;
}

/** The option `ignore`: paths of files, and of directories with everything in them. */
function readIgnored({ ignore }: RuleOptions): (path: string) => boolean {
  const paths = Array.isArray(ignore) ? ignore.filter((entry) => typeof entry === 'string') : [];
  const cleaned = paths.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''));
  return (path) => cleaned.some((entry) => path === entry || path.startsWith(`${entry}/`));
}

/** Orphans of a skill. */
interface Orphans {
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
function findOrphans(skill: LintSubject, ignored: (path: string) => boolean): Orphans {
  const judged: string[] = [];
  const queue = [SKILL_FILE];
  for (const { path, kind } of skill.tree().entries) {
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
  for (const { place } of skill.links()) if (place.kind === 'inside') refer(names.below(place.path));
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
