// Validates the manifest of one skill.

import { basename, join } from 'node:path';
import { toolVersion } from '../../base/version.ts';
import { checkHooks } from './check-hooks.ts';
import { checkQuiz } from './check-quiz.ts';
import { checkTriggers } from './check-triggers.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import { type Frontmatter, readFrontmatter } from './frontmatter.ts';
import { findRegistryField, REGISTRY_FIELDS, RegistryLayer } from './layers.ts';
import { lineOfKey } from './line-of-key.ts';
import { readManifest } from './manifest.ts';
import { PROFILES, type ProfileName } from './profile-table.ts';
import { checkManifest } from './profiles.ts';
import { readSkillText } from './read-skill-text.ts';
import { unreachedVersion } from './version.ts';

/** One fault of a manifest. */
interface ValidationIssue {
  severity: 'error' | 'warning';
  /** Null when the frontmatter itself is at fault. */
  field: string | null;
  message: string;
  help: string | null;
  line: number | null;
}

/** The result, with the normalised manifest when it is valid. */
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
    const issue = ownIssue({
      severity: 'error',
      message: content.problem,
      help: 'save the file as UTF-8 text',
    });
    return { valid: false, profile, path, manifest: null, issues: [issue] };
  }
  const frontmatter = readFrontmatter(content.text);
  const { data } = frontmatter;
  const issues = frontmatter.problems.map(({ kind, message, line }) =>
    ownIssue({ severity: kind === 'repaired' ? PROFILES[profile].deviation : 'error', message, line }),
  );
  if (data === undefined) return { valid: false, profile, path, manifest: null, issues };
  const found = [...checkManifest(data, { profile, directoryName: basename(dir) }), ...checkBlocks(data)];
  const { manifest, issues: lost } = readManifest(data);
  // A field that cannot be read must never vanish from the manifest silently.
  const unsaid = lost.filter(({ field }) => !found.some((issue) => issue.field === field));
  issues.push(...unreached(data, frontmatter));
  issues.push(...[...found, ...unsaid].map((issue) => toValidationIssue(issue, frontmatter)));
  const valid = !issues.some(({ severity }) => severity === 'error');
  const printed = profile === 'registry' ? withRegistryFields(manifest, data) : { ...manifest };
  return { valid, profile, path, manifest: valid ? printed : null, issues };
}

/** The manifest as a registry reads it: its fields are at the top, whether they were there or in `metadata`. The top wins. */
function withRegistryFields(
  manifest: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const layer: Record<string, unknown> = { ...RegistryLayer.safeParse(data).data };
  const written = REGISTRY_FIELDS.filter((field) => findRegistryField(data, field) !== undefined);
  const fields = Object.fromEntries(written.map((field) => [field, layer[field]]));
  const { metadata } = manifest;
  if (!isMapping(metadata)) return { ...manifest, ...fields };
  const merged = Object.entries(metadata).map(([field, value]) => {
    const found = REGISTRY_FIELDS.includes(field) ? fields[field] : value;
    return [field, Array.isArray(found) ? found.join(', ') : found];
  });
  return { ...manifest, metadata: Object.fromEntries(merged), ...fields };
}

/** A skill for a newer skc cannot be validated by this one. */
function unreached(data: Readonly<Record<string, unknown>>, frontmatter: Frontmatter): ValidationIssue[] {
  const needed = unreachedVersion(data);
  if (needed === undefined) return [];
  const field = 'min-skillli-version';
  const message = `it needs skc ${needed} or newer; this is ${toolVersion}`;
  const path = field in data ? [field] : ['metadata', field];
  const line = lineOfKey(frontmatter, path) ?? null;
  return [{ severity: 'error', field, message, help: 'install a newer skc', line }];
}

/** Fields with a schema of their own. */
function checkBlocks(data: Readonly<Record<string, unknown>>): FormatIssue[] {
  return [
    ...(Object.hasOwn(data, 'quiz') ? checkQuiz(data.quiz) : []),
    ...(Object.hasOwn(data, 'hooks') ? checkHooks(data.hooks) : []),
    ...(Object.hasOwn(data, 'triggers') ? checkTriggers(data.triggers) : []),
  ];
}

function toValidationIssue(issue: FormatIssue, frontmatter: Frontmatter): ValidationIssue {
  const { severity, field, message, help } = issue;
  return { severity, field, message, help: help ?? null, line: lineOfKey(frontmatter, issue.path) ?? null };
}

function ownIssue(issue: {
  severity: 'error' | 'warning';
  message: string;
  help?: string;
  line?: number;
}): ValidationIssue {
  return {
    severity: issue.severity,
    field: null,
    message: issue.message,
    help: issue.help ?? null,
    line: issue.line ?? null,
  };
}
