// A whole scan: the words of a user become skills, the skills become one report.

import { basename, resolve } from 'node:path';
import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { displayPath } from '../../base/files/index.ts';
import {
  findSkills,
  hasSkillFile,
  isDirectory,
  type ResolveContext,
  resolveSkill,
} from '../../skill/places/index.ts';
import { ScanSeverity } from './finding.ts';
import type { ScannedSkill, ScanReport } from './scan-report.ts';
import { scanSkill } from './scan-skill.ts';

/** What to scan. */
export interface ScanRequest {
  /** Skills by path or name, or directories that hold many. */
  readonly paths: readonly string[];
  /** Findings below this are left out; the verdict is the same. */
  readonly minSeverity: ScanSeverity;
}

/** Where a scan takes place, and who hears how far it is. */
export interface ScanContext extends ResolveContext {
  readonly signal?: AbortSignal | undefined;
  progress?(text: string): void;
}

/** Scans every skill the request names. E001 or E010 when a word names none; one bad skill never hides another. */
export function scanPaths(request: ScanRequest, context: ScanContext): ScanReport {
  const skills: ScannedSkill[] = [];
  const problems: ScanReport['problems'] = [];
  const seen = new Set<string>();
  const lowest = ScanSeverity.options.indexOf(request.minSeverity);

  const scanOne = (dir: string): void => {
    if (seen.has(dir)) return;
    seen.add(dir);
    context.signal?.throwIfAborted();
    if (seen.size % 50 === 0) context.progress?.(`scanned ${seen.size} skills`);
    const result = scanSkill(dir);
    const findings = result.findings.filter(
      ({ severity }) => ScanSeverity.options.indexOf(severity) >= lowest,
    );
    skills.push({ name: basename(dir), path: displayPath(context.cwd, dir), ...result, findings });
  };

  for (const word of request.paths) {
    const directory = resolve(context.cwd, word);
    if (word.includes('\0') || !isDirectory(directory) || hasSkillFile(directory)) {
      // A compiled stub stands for its source elsewhere; a path means what lies there.
      scanOne(isDirectory(directory) ? directory : resolveSkill(word, context).dir);
      continue;
    }
    let any = false;
    for (const found of findSkills(directory)) {
      any = true;
      if (found.kind === 'skill') scanOne(found.dir);
      else problems.push(problemOf(found, displayPath(context.cwd, found.path)));
    }
    if (!any) throw SkillwrightError.of('E010', { path: directory });
  }
  const count = (verdict: string) => skills.filter((skill) => skill.verdict === verdict).length;
  return { clean: count('clean'), caution: count('caution'), danger: count('danger'), skills, problems };
}

function problemOf(
  found: { kind: 'unreadable'; why: string } | { kind: 'not-a-file' },
  path: string,
): ScanReport['problems'][number] {
  const error =
    found.kind === 'unreadable'
      ? SkillwrightError.of('E015', { path, why: found.why })
      : SkillwrightError.of('E010', { path });
  return { path, code: error.code, message: error.message };
}
