// Checks the fields of a skill against a profile.

import type * as z from 'zod';
import { suggest } from '../../base/diagnostics/index.ts';
import { checkLicence } from './check-licence.ts';
import {
  checkAllowedTools,
  checkDescription,
  checkMetadata,
  checkName,
  checkNote,
} from './check-standard-fields.ts';
import { schemaIssues } from './field-shapes.ts';
import type { FormatIssue } from './format-issue.ts';
import { CLAUDE_FIELDS, claudeFields, findRegistryField, REGISTRY_FIELDS, registryFields } from './layers.ts';
import { KNOWN_FIELDS } from './manifest.ts';
import { OWN_FIELDS, PROFILES, type Profile, type ProfileName } from './profile-table.ts';
import { shorten } from './shorten.ts';
import { Toolsets } from './toolsets.ts';

/** Fields beyond the standard that a profile checks when it knows them. Quiz, hooks and triggers have separate checks. */
const EXTRA_FIELDS = new Map<string, z.ZodType>([...Object.entries(claudeFields), ['toolsets', Toolsets]]);

/** Faults of a skill's fields under a profile, in field order. Never throws. */
export function checkManifest(
  data: Record<string, unknown>,
  options: { profile: ProfileName; directoryName?: string | undefined },
): FormatIssue[] {
  const profile = PROFILES[options.profile];
  const issues: FormatIssue[] = [];
  const report = (issue: Omit<FormatIssue, 'field'>) => {
    issues.push({ ...issue, field: String(issue.path[0]) });
  };
  checkName(data, { profile, directoryName: options.directoryName, report });
  checkDescription(data, { profile, report });
  for (const field of Object.keys(data)) {
    switch (field) {
      case 'name':
      case 'description':
        break;
      case 'license':
      case 'compatibility':
        checkNote(data, { field, profile, report });
        if (field === 'license') for (const issue of checkLicence(data.license)) report(issue);
        break;
      case 'metadata':
        checkMetadata(data, { profile, report });
        break;
      case 'allowed-tools':
        checkAllowedTools(data, { profile, report });
        break;
      default:
        checkOtherField(data, { field, profile, report });
    }
  }
  if (profile.forPublishing) issues.push(...checkPublishing(data));
  return issues;
}

function checkOtherField(
  data: Record<string, unknown>,
  {
    field,
    profile,
    report,
  }: { field: string; profile: Profile; report: (issue: Omit<FormatIssue, 'field'>) => void },
): void {
  if (!profile.fields.has(field)) {
    report({ kind: 'unknown', path: [field], ...explainUnknown(field, profile), severity: profile.unknown });
    return;
  }
  const schema = EXTRA_FIELDS.get(field);
  if (schema === undefined) return;
  if (data[field] === null) {
    const help = 'fill it in or remove it';
    report({ kind: 'empty', path: [field], message: `${field} is empty`, help, severity: profile.deviation });
    return;
  }
  for (const issue of schemaIssues(schema, { value: data[field], path: [field] })) report(issue);
}

function explainUnknown(field: string, profile: Profile): { message: string; help: string } {
  const unknown = `unknown field '${shorten(field, 60)}'`;
  if (CLAUDE_FIELDS.includes(field)) {
    const help = acceptedBy(profile, "the profile 'claude-code' accepts it");
    return { message: `${unknown}: Claude Code reads it, but it is not part of the standard`, help };
  }
  if (REGISTRY_FIELDS.includes(field)) {
    return { message: `${unknown}: only registries use this field`, help: `move it into metadata` };
  }
  if ((OWN_FIELDS as readonly string[]).includes(field)) {
    const help = acceptedBy(profile, "the profile 'registry' accepts it");
    return { message: `${unknown}: Skillwright reads it, but it is not part of the standard`, help };
  }
  const [closest] = suggest(field, KNOWN_FIELDS, 1);
  const help = closest === undefined ? 'move it into metadata or remove it' : `did you mean '${closest}'?`;
  return { message: unknown, help };
}

function acceptedBy(profile: Profile, where: string): string {
  return profile.unknown === 'error' ? `remove it; ${where}` : `other agents ignore it; ${where}`;
}

// Checks the fields a registry requires.

const REQUIRED: Readonly<Record<string, string>> = {
  version: 'give a semantic version, such as version: "1.0.0"',
  author: 'give your name on the registry, such as author: my-team',
  tags: 'give 1 to 20 tags, such as tags: [testing, ci]',
};

/** Faults of the registry fields, at the top level or in metadata, and of the fields publishing needs. */
function checkPublishing(data: Record<string, unknown>): FormatIssue[] {
  const issues: FormatIssue[] = [];
  if (data.license === undefined) {
    issues.push(missing('license', 'name the licence, such as license: MIT'));
  }
  for (const [field, schema] of Object.entries(registryFields)) {
    const found = findRegistryField(data, field);
    const help = REQUIRED[field];
    if (found === undefined) {
      if (help !== undefined) issues.push(missing(field, help));
      continue;
    }
    const [at] = found.path;
    issues.push(...schemaIssues(schema, found));
    if (field === 'tags' && registryFields.tags.safeParse(found.value).data?.length === 0) {
      const message = 'tags is empty';
      issues.push({ kind: 'empty', field: at, path: found.path, message, help: help!, severity: 'error' });
    }
    if (field === 'trust-level' && (found.value === 'verified' || found.value === 'official')) {
      const message = `trust-level '${found.value}' has no effect here: a registry grants it`;
      issues.push({
        kind: 'value',
        field: at,
        path: found.path,
        message,
        help: 'remove it',
        severity: 'warning',
      });
    }
  }
  return issues;
}

function missing(field: string, help: string): FormatIssue {
  return { kind: 'missing', field, path: [field], message: `missing '${field}'`, help, severity: 'error' };
}
