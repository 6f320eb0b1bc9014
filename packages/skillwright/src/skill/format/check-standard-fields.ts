// Checks the six standard fields by hand: this runs for every skill of a large collection, where a schema library
// would take longer than reading the file. Limits and patterns are those of the schemas.

import { describeValue, type FormatIssue, isMapping } from './format-issue.ts';
import type { Profile } from './profile-table.ts';
import { shorten } from './shorten.ts';
import { isSkillName, SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from './skill-name.ts';
import { COMPATIBILITY_LIMIT, countCodePoints, DESCRIPTION_LIMIT, fitsWithin } from './text-length.ts';
import { writtenText } from './written-text.ts';

type Report = (issue: Omit<FormatIssue, 'field'>) => void;

/** Words the upload interfaces reserve. */
const RESERVED_WORDS = ['anthropic', 'claude'] as const;

/** Faults of `name`. */
export function checkName(
  data: Record<string, unknown>,
  { profile, directoryName, report }: { profile: Profile; directoryName: string | undefined; report: Report },
): void {
  const name = requiredText(data, { field: 'name', report });
  if (name === undefined) return;
  const path = ['name'];
  if (!fitsWithin(name, SKILL_NAME_LIMIT)) {
    const message = `name may have at most ${SKILL_NAME_LIMIT} characters, not ${countCodePoints(name)}`;
    report({ kind: 'length', path, message, severity: 'error' });
  }
  if (!SKILL_NAME_PATTERN.test(name)) {
    report({
      kind: 'format',
      path,
      message: `name must be lower-case letters and digits joined by single hyphens, not ${describeValue(name)}`,
      help: suggestName(name, directoryName),
      severity: 'error',
    });
  }
  if (directoryName !== undefined && name !== directoryName) {
    report({
      kind: 'mismatch',
      path,
      message: `name '${shorten(name, 80)}' must match the directory name, '${shorten(directoryName, 80)}'`,
      help: 'rename one of the two',
      severity: profile.deviation,
    });
  }
  if (!profile.forUpload) return;
  for (const word of RESERVED_WORDS) {
    if (!name.toLowerCase().includes(word)) continue;
    report({
      kind: 'value',
      path,
      message: `name must not contain the reserved word '${word}'`,
      severity: 'error',
    });
  }
}

/** Faults of `description`. Surrounding white space does not count. */
export function checkDescription(
  data: Record<string, unknown>,
  { profile, report }: { profile: Profile; report: Report },
): void {
  const description = requiredText(data, { field: 'description', report })?.trim();
  if (description === undefined) return;
  const path = ['description'];
  if (!fitsWithin(description, DESCRIPTION_LIMIT)) {
    report({
      kind: 'length',
      path,
      message: `description may have at most ${DESCRIPTION_LIMIT} characters, not ${countCodePoints(description)}`,
      help: 'move details into the body',
      severity: profile.deviation,
    });
  }
  if (profile.forUpload && /[<>]/.test(description)) {
    const message = "description must not contain '<' or '>'";
    report({ kind: 'value', path, message, severity: 'error' });
  }
}

/** Faults of `license` and `compatibility`. */
export function checkNote(
  data: Record<string, unknown>,
  { field, profile, report }: { field: 'license' | 'compatibility'; profile: Profile; report: Report },
): void {
  const value = data[field];
  const path = [field];
  if (isBlank(value)) {
    const severity = profile.forPublishing && field === 'license' ? 'error' : profile.deviation;
    report({ kind: 'empty', path, message: `${field} is empty`, help: 'fill it in or remove it', severity });
  } else if (field === 'compatibility' && Array.isArray(value)) {
    const message = 'compatibility must be one text, not a list';
    const help = 'join the entries with commas';
    report({ kind: 'type', path, message, help, severity: profile.deviation });
  } else if (typeof value !== 'string') {
    report(notText(field, value));
  } else if (field === 'compatibility' && !fitsWithin(value.trim(), COMPATIBILITY_LIMIT)) {
    const count = countCodePoints(value.trim());
    const message = `compatibility may have at most ${COMPATIBILITY_LIMIT} characters, not ${count}`;
    report({ kind: 'length', path, message, severity: profile.deviation });
  }
}

/** Faults of `metadata`: the standard requires text values. */
export function checkMetadata(
  data: Record<string, unknown>,
  { profile, report }: { profile: Profile; report: Report },
): void {
  const { metadata } = data;
  if (metadata === null) {
    const message = 'metadata is empty';
    report({ kind: 'empty', path: ['metadata'], message, help: 'remove it', severity: profile.deviation });
    return;
  }
  if (!isMapping(metadata)) {
    const message = `metadata must be a mapping, not ${describeValue(metadata)}`;
    report({ kind: 'type', path: ['metadata'], message, severity: 'error' });
    return;
  }
  if (profile.freeMetadata) return;
  const nested: string[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    if (typeof value === 'string') continue;
    const text = writtenText(metadata, key);
    if (text === undefined) {
      nested.push(key);
      continue;
    }
    report({
      kind: 'type',
      path: ['metadata', key],
      message: `metadata.${shorten(key, 60)} must be text, not ${describeValue(value)}`,
      help: `put quotes around it: "${shorten(text, 60)}"`,
      severity: profile.deviation,
    });
  }
  const [first] = nested;
  if (first === undefined) return;
  report({
    kind: 'type',
    path: ['metadata', first],
    message: `${namesOf(nested)} must be text, not ${nested.length === 1 ? describeValue(metadata[first]) : 'lists or mappings'}`,
    help: nested.length === 1 ? 'write it as one text' : 'write each as one text',
    severity: profile.deviation,
  });
}

/** `metadata.a`, `metadata.a and metadata.b`, `metadata.a, metadata.b and 3 more`. */
function namesOf(keys: readonly string[]): string {
  const names = keys.slice(0, 2).map((key) => `metadata.${shorten(key, 60)}`);
  return keys.length > 2 ? `${names.join(', ')} and ${keys.length - 2} more` : names.join(' and ');
}

/** Faults of `allowed-tools`: one text in the standard, a list for some agents. */
export function checkAllowedTools(
  data: Record<string, unknown>,
  { profile, report }: { profile: Profile; report: Report },
): void {
  const value = data['allowed-tools'];
  const path = ['allowed-tools'];
  if (isBlank(value)) {
    const message = 'allowed-tools is empty';
    report({ kind: 'empty', path, message, help: 'fill it in or remove it', severity: profile.deviation });
  } else if (Array.isArray(value)) {
    value.forEach((tool, index) => {
      if (typeof tool === 'string') return;
      const message = `allowed-tools[${index}] must be text, not ${describeValue(tool)}`;
      report({ kind: 'type', path: [...path, index], message, severity: 'error' });
    });
    if (profile.toolLists) return;
    const message = 'allowed-tools must be one text with spaces between the tools, not a list';
    const help = value.every((tool) => typeof tool === 'string')
      ? `write "${shorten(value.join(' '), 200)}"`
      : undefined;
    report({ kind: 'type', path, message, help, severity: profile.deviation });
  } else if (typeof value !== 'string') {
    report(notText('allowed-tools', value));
  }
}

function notText(field: string, value: unknown): Omit<FormatIssue, 'field'> {
  const message = `${field} must be text, not ${describeValue(value)}`;
  return { kind: 'type', path: [field], message, severity: 'error' };
}

function requiredText(
  data: Record<string, unknown>,
  { field, report }: { field: 'name' | 'description'; report: Report },
): string | undefined {
  const value = data[field];
  if (typeof value === 'string' && value.trim() !== '') return value;
  const path = [field];
  if (value === undefined) {
    report({ kind: 'missing', path, message: `missing '${field}'`, severity: 'error' });
  } else if (isBlank(value)) {
    report({ kind: 'empty', path, message: `${field} is empty`, severity: 'error' });
  } else {
    report(notText(field, value));
  }
  return undefined;
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function suggestName(name: string, directoryName: string | undefined): string | undefined {
  if (directoryName !== undefined && isSkillName(directoryName)) return `did you mean '${directoryName}'?`;
  const candidate = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, SKILL_NAME_LIMIT)
    .replace(/-$/, '');
  return candidate !== '' && /^[\p{ASCII}\p{M}\p{Script=Latin}]*$/u.test(name)
    ? `did you mean '${candidate}'?`
    : undefined;
}
