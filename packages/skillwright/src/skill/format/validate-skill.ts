// Validates the manifest of one skill.

import { basename } from 'node:path';
import type { SkillwrightError } from '../../base/diagnostics/index.ts';
import { toolVersion } from '../../base/version.ts';
import { type FormatIssue, isMapping } from './format-issue.ts';
import type { Frontmatter } from './frontmatter.ts';
import { checkHooks } from './hooks.ts';
import { REGISTRY_FIELDS, RegistryLayer } from './layers.ts';
import { lineOfKey } from './line-of-key.ts';
import { readManifest } from './manifest.ts';
import { PROFILES, type ProfileName } from './profile-table.ts';
import { checkManifest } from './profiles.ts';
import { checkQuiz } from './quiz.ts';
import { explainNoText } from './read-skill-text.ts';
import { findRegistryField } from './registry-field.ts';
import { checkTriggers } from './triggers.ts';
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

/** Facts about the skill to validate. */
interface Validated {
  readonly dir: string;
  /** Absolute path of its SKILL.md. */
  readonly path: string;
  readonly text: string;
  readonly parts: Frontmatter;
  /** E015 when SKILL.md is not text. */
  readonly problem: SkillwrightError | undefined;
}

/** Checks the SKILL.md of a skill. */
export function validateSkill(
  { dir, path, text, parts, problem }: Validated,
  profile: ProfileName,
): Validation {
  if (problem?.code === 'E015') {
    const message = explainNoText(text);
    const issue = ownIssue({ severity: 'error', message, help: 'save the file as UTF-8 text' });
    return { valid: false, profile, path, manifest: null, issues: [issue] };
  }
  const { data } = parts;
  const issues = parts.problems.map(({ kind, message, line }) =>
    ownIssue({ severity: kind === 'repaired' ? PROFILES[profile].deviation : 'error', message, line }),
  );
  if (data === undefined) return { valid: false, profile, path, manifest: null, issues };
  const found = [...checkManifest(data, { profile, directoryName: basename(dir) }), ...checkBlocks(data)];
  const { manifest, issues: lost } = readManifest(data);
  // A field that cannot be read must never vanish from the manifest silently.
  const unsaid = lost.filter(({ field }) => !found.some((issue) => issue.field === field));
  for (const issue of [...unreached(data), ...found, ...unsaid])
    issues.push(ownIssue({ ...issue, line: lineOfKey(parts, issue.path) }));
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
function unreached(data: Readonly<Record<string, unknown>>): FormatIssue[] {
  const needed = unreachedVersion(data);
  if (needed === undefined) return [];
  const field = 'min-skillli-version';
  const message = `it needs skc ${needed} or newer; this is ${toolVersion}`;
  const path = field in data ? [field] : ['metadata', field];
  return [{ kind: 'value', severity: 'error', field, path, message, help: 'install a newer skc' }];
}

/** Fields with a schema of their own. */
function checkBlocks(data: Readonly<Record<string, unknown>>): FormatIssue[] {
  return [
    ...(Object.hasOwn(data, 'quiz') ? checkQuiz(data.quiz) : []),
    ...(Object.hasOwn(data, 'hooks') ? checkHooks(data.hooks) : []),
    ...(Object.hasOwn(data, 'triggers') ? checkTriggers(data.triggers) : []),
  ];
}

type Found = Pick<ValidationIssue, 'severity' | 'message'> & Partial<Pick<FormatIssue, 'field' | 'help'>>;

const ownIssue = ({ severity, field, message, help, line }: Found & { line?: number | undefined }) => ({
  severity,
  field: field ?? null,
  message,
  help: help ?? null,
  line: line ?? null,
});
