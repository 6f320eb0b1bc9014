// The verdict on one skill's manifest.

import { basename, join } from 'node:path';
import { lineOfKey, readFrontmatter } from './frontmatter.ts';
import { readManifest } from './manifest.ts';
import { checkManifest, type ProfileName } from './profiles.ts';
import { readSkillText } from './read-skill-text.ts';

/** One thing to say about a manifest. */
export interface ValidationIssue {
  severity: 'error' | 'warning';
  field: string | null;
  message: string;
  help: string | null;
  line: number | null;
}

/** The verdict, with the normalised manifest when it is valid. */
export interface Validation {
  valid: boolean;
  profile: ProfileName;
  /** Absolute path of the SKILL.md. */
  path: string;
  manifest: Record<string, unknown> | null;
  issues: ValidationIssue[];
}

/** Checks the SKILL.md in `dir`. Throws E010, E012 or E015 when it cannot be read at all. */
export function validateSkill(dir: string, profile: ProfileName): Validation {
  const path = join(dir, 'SKILL.md');
  const content = readSkillText(dir);
  if (content.problem !== undefined) {
    const issue = {
      severity: 'error' as const,
      field: null,
      message: content.problem,
      help: 'save the file as UTF-8 text',
      line: null,
    };
    return { valid: false, profile, path, manifest: null, issues: [issue] };
  }
  const frontmatter = readFrontmatter(content.text);
  const { data } = frontmatter;
  const issues: ValidationIssue[] = frontmatter.problems.map(({ kind, message, line }) => ({
    severity: kind === 'repaired' ? 'warning' : 'error',
    field: null,
    message,
    help: null,
    line,
  }));
  for (const issue of data === undefined
    ? []
    : checkManifest(data, { profile, directoryName: basename(dir) })) {
    issues.push({
      severity: issue.severity,
      field: issue.field,
      message: issue.message,
      help: issue.help ?? null,
      line: lineOfKey(frontmatter, issue.path) ?? null,
    });
  }
  const valid = data !== undefined && !issues.some(({ severity }) => severity === 'error');
  return { valid, profile, path, manifest: valid ? { ...readManifest(data).manifest } : null, issues };
}
