// SKL401: every file of the skill can be found from SKILL.md.

import { posix } from 'node:path';
import { isEvalFile } from '../../../base/files/index.ts';
import { createFileNames, createMentionReader } from '../../../base/markdown/index.ts';
import { SKILL_FILE } from '../../../skill/skill/index.ts';
import type { LintSubject } from '../lint-subject.ts';
import { quoteText } from '../quote-text.ts';
import { defineRule, firstFindings, type RuleFinding, type RuleOptions } from '../rule.ts';

/** Reports files that neither SKILL.md nor a file it refers to mentions. */
export const noOrphans = defineRule({
  id: 'SKL401',
  name: 'no-orphans',
  severity: 'warning',
  summary: 'Every file of the skill is referred to by SKILL.md or by a file it refers to.',
  check(skill, options) {
    if (skill.tree().entries.length === 1) return [];
    const findings = gather(findOrphans(skill, readIgnored(options)));
    return firstFindings(findings, (left) => `${left} more files or directories are not mentioned either`);
  },
});

/** Orphans in order; the highest directory with two or more orphans and nothing else stands for its files. */
function gather({ judged, orphans }: Orphans): RuleFinding[] {
  if (orphans.size === 0) return [];
  const filesIn = Map.groupBy(
    judged.flatMap((path) => directoriesOf(path).map((directory) => ({ directory, path }))),
    ({ directory }) => directory,
  );
  const whole = new Set(
    [...filesIn]
      .filter(([, files]) => files.length > 1 && files.every(({ path }) => orphans.has(path)))
      .map(([directory]) => directory),
  );
  const standsFor = (path: string) => directoriesOf(path).find((directory) => whole.has(directory)) ?? path;
  const places = new Set([...orphans].map(standsFor));
  return [...places].map((file) => {
    const count = filesIn.get(file)?.length;
    const [what, them] =
      count === undefined
        ? [quoteText(file), 'it']
        : [`any of the ${count} files in ${quoteText(`${file}/`)}`, 'them'];
    return {
      message: `neither SKILL.md nor a file it refers to mentions ${what}`,
      file,
      help: `say in SKILL.md when to use ${them}, or remove ${them}`,
    };
  });
}

/** The directories above a path, from the top. */
function directoriesOf(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, depth) => names.slice(0, depth + 1).join('/'));
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
  for (const path of skill.files()) {
    if (path === SKILL_FILE) continue;
    const name = posix.basename(path);
    const isForTools = FOR_TOOLS.has(name.toLowerCase()) || REQUIREMENTS.test(name);
    const isForPeople = FOR_PEOPLE.test(name) && !CODE.test(name);
    if (isForTools || FOR_HOSTS.test(path)) queue.push(path);
    else if (!isForPeople && !TEST.test(path) && !isEvalFile(path) && !ignored(path)) judged.push(path);
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
