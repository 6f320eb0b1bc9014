// SKL401: every file of the skill can be found from SKILL.md.

import { findOrphans, type Orphans } from '../find-orphans.ts';
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
    if (skill.tree.length === 1) return;
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
