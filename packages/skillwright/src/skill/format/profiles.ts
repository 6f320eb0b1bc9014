// Checks the fields of a skill against a profile. The six standard fields are checked by hand: this runs for every skill of a
// large collection, where a schema library would take longer than reading the file.

import type * as z from 'zod';
import { suggest } from '../../base/diagnostics/index.ts';
import { checkLicence } from './check-licence.ts';
import { schemaIssues } from './field-shapes.ts';
import { describeValue, type FormatIssue, isMapping } from './format-issue.ts';
import { CLAUDE_FIELDS, claudeFields, REGISTRY_FIELDS, registryFields } from './layers.ts';
import { KNOWN_FIELDS } from './manifest.ts';
import { OWN_FIELDS, PROFILES, type Profile, type ProfileName } from './profile-table.ts';
import { findRegistryField } from './registry-field.ts';
import { isSkillName, SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from './skill-name.ts';
import {
  COMPATIBILITY_LIMIT,
  countCodePoints,
  DESCRIPTION_LIMIT,
  fitsWithin,
  shorten,
} from './text-length.ts';
import { Toolsets } from './toolsets.ts';
import { writtenText } from './written-text.ts';

/** A fault of one field; without a path, it is about the whole value. */
type Fault = Omit<FormatIssue, 'field' | 'path'> & Partial<Pick<FormatIssue, 'path'>>;

/** Facts for the check of one field. */
interface FieldContext {
  readonly field: string;
  readonly profile: Profile;
  readonly directoryName: string | undefined;
}

type Check = (value: unknown, context: FieldContext) => Iterable<Fault>;

const standardChecks: ReadonlyMap<string, Check> = new Map([
  ['name', checkName],
  ['description', checkDescription],
  ['license', checkNote],
  ['compatibility', checkNote],
  ['metadata', checkMetadata],
  ['allowed-tools', checkAllowedTools],
]);

/** Faults of a skill's fields under a profile: of the name, the description, then the others in order. Never throws. */
export function checkManifest(
  data: Record<string, unknown>,
  options: { profile: ProfileName; directoryName?: string | undefined },
): FormatIssue[] {
  const profile = PROFILES[options.profile];
  const issues: FormatIssue[] = [];
  for (const field of new Set(['name', 'description', ...Object.keys(data)])) {
    const check = standardChecks.get(field) ?? checkOtherField;
    for (const fault of check(data[field], { field, profile, directoryName: options.directoryName }))
      issues.push({ field, path: [field], ...fault });
  }
  if (profile.forPublishing) issues.push(...checkPublishing(data));
  return issues;
}

const RESERVED_WORDS = ['anthropic', 'claude'] as const;

function* checkName(name: unknown, context: FieldContext): Generator<Fault> {
  const { profile, directoryName } = context;
  if (!isFilled(name)) {
    yield lacking(name, context);
    return;
  }
  if (!fitsWithin(name, SKILL_NAME_LIMIT)) {
    const message = `name may have at most ${SKILL_NAME_LIMIT} characters, not ${countCodePoints(name)}`;
    yield { kind: 'length', message, severity: 'error' };
  }
  if (!SKILL_NAME_PATTERN.test(name)) {
    const message = `name must be lower-case letters and digits joined by single hyphens, not ${describeValue(name)}`;
    yield { kind: 'format', message, help: suggestName(name, directoryName), severity: 'error' };
  }
  if (directoryName !== undefined && name !== directoryName) {
    const message = `name '${shorten(name, 80)}' must match the directory name, '${shorten(directoryName, 80)}'`;
    yield { kind: 'mismatch', message, help: 'rename one of the two', severity: profile.deviation };
  }
  if (!profile.forUpload) return;
  for (const word of RESERVED_WORDS.filter((one) => name.toLowerCase().includes(one))) {
    const message = `name must not contain the reserved word '${word}'`;
    yield { kind: 'value', message, severity: 'error' };
  }
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

/** Surrounding white space does not count. */
function* checkDescription(value: unknown, context: FieldContext): Generator<Fault> {
  const { profile } = context;
  if (!isFilled(value)) {
    yield lacking(value, context);
    return;
  }
  const description = value.trim();
  if (!fitsWithin(description, DESCRIPTION_LIMIT)) {
    const message = `description may have at most ${DESCRIPTION_LIMIT} characters, not ${countCodePoints(description)}`;
    yield { kind: 'length', message, help: 'move details into the body', severity: profile.deviation };
  }
  if (profile.forUpload && /[<>]/.test(description))
    yield { kind: 'value', message: "description must not contain '<' or '>'", severity: 'error' };
}

/** `license` and `compatibility`. */
function* checkNote(value: unknown, { field, profile }: FieldContext): Generator<Fault> {
  const { deviation: severity } = profile;
  const isLicence = field === 'license';
  if (isBlank(value)) yield blank(field, profile.forPublishing && isLicence ? 'error' : severity);
  else if (!isLicence && Array.isArray(value)) {
    const message = 'compatibility must be one text, not a list';
    yield { kind: 'type', message, help: 'join the entries with commas', severity };
  } else if (typeof value !== 'string') yield notText(field, value);
  else if (isLicence) yield* checkLicence(value);
  else if (!fitsWithin(value.trim(), COMPATIBILITY_LIMIT)) {
    const count = countCodePoints(value.trim());
    const message = `compatibility may have at most ${COMPATIBILITY_LIMIT} characters, not ${count}`;
    yield { kind: 'length', message, severity };
  }
}

/** The standard requires text values. */
function* checkMetadata(metadata: unknown, { profile }: FieldContext): Generator<Fault> {
  const { deviation: severity } = profile;
  if (metadata === null) yield { ...blank('metadata', severity), help: 'remove it' };
  else if (!isMapping(metadata)) {
    const message = `metadata must be a mapping, not ${describeValue(metadata)}`;
    yield { kind: 'type', message, severity: 'error' };
  }
  if (!isMapping(metadata) || profile.freeMetadata) return;
  const others = Object.keys(metadata).filter((key) => typeof metadata[key] !== 'string');
  const nested = others.filter((key) => writtenText(metadata, key) === undefined);
  for (const key of others) {
    const text = writtenText(metadata, key);
    if (text === undefined) continue;
    const message = `metadata.${shorten(key, 60)} must be text, not ${describeValue(metadata[key])}`;
    const help = `put quotes around it: "${shorten(text, 60)}"`;
    yield { kind: 'type', path: ['metadata', key], message, help, severity };
  }
  const [first] = nested;
  if (first === undefined) return;
  const isOne = nested.length === 1;
  const what = isOne ? describeValue(metadata[first]) : 'lists or mappings';
  const message = `${namesOf(nested)} must be text, not ${what}`;
  const help = isOne ? 'write it as one text' : 'write each as one text';
  yield { kind: 'type', path: ['metadata', first], message, help, severity };
}

/** `metadata.a`, `metadata.a and metadata.b`, `metadata.a, metadata.b and 3 more`. */
function namesOf(keys: readonly string[]): string {
  const names = keys.slice(0, 2).map((key) => `metadata.${shorten(key, 60)}`);
  return keys.length > 2 ? `${names.join(', ')} and ${keys.length - 2} more` : names.join(' and ');
}

/** One text in the standard, a list for some agents. */
function* checkAllowedTools(value: unknown, { field, profile }: FieldContext): Generator<Fault> {
  if (isBlank(value)) yield blank(field, profile.deviation);
  else if (Array.isArray(value)) {
    for (const [index, tool] of value.entries()) {
      if (typeof tool === 'string') continue;
      const message = `allowed-tools[${index}] must be text, not ${describeValue(tool)}`;
      yield { kind: 'type', path: [field, index], message, severity: 'error' };
    }
    if (profile.toolLists) return;
    const message = 'allowed-tools must be one text with spaces between the tools, not a list';
    const isText = value.every((tool) => typeof tool === 'string');
    const help = isText ? `write "${shorten(value.join(' '), 200)}"` : undefined;
    yield { kind: 'type', message, help, severity: profile.deviation };
  } else if (typeof value !== 'string') yield notText(field, value);
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

const isFilled = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** A required text that is not there. */
function lacking(value: unknown, { field }: FieldContext): Fault {
  if (value === undefined) return { kind: 'missing', message: `missing '${field}'`, severity: 'error' };
  return isBlank(value)
    ? { kind: 'empty', message: `${field} is empty`, severity: 'error' }
    : notText(field, value);
}

const blank = (field: string, severity: Fault['severity']): Fault => ({
  kind: 'empty',
  message: `${field} is empty`,
  help: 'fill it in or remove it',
  severity,
});

const notText = (field: string, value: unknown): Fault => ({
  kind: 'type',
  message: `${field} must be text, not ${describeValue(value)}`,
  severity: 'error',
});

/** Fields beyond the standard that a profile checks when it knows them. Quiz, hooks and triggers have separate checks. */
const extraFields = new Map<string, z.ZodType>([...Object.entries(claudeFields), ['toolsets', Toolsets]]);

function checkOtherField(value: unknown, { field, profile }: FieldContext): Fault[] {
  if (!profile.fields.has(field))
    return [{ kind: 'unknown', ...explainUnknown(field, profile), severity: profile.unknown }];
  const schema = extraFields.get(field);
  if (schema === undefined) return [];
  return value === null ? [blank(field, profile.deviation)] : schemaIssues(schema, { value, path: [field] });
}

function explainUnknown(field: string, profile: Profile): { message: string; help: string } {
  const unknown = `unknown field '${shorten(field, 60)}'`;
  const advice = profile.unknown === 'error' ? 'remove it' : 'other agents ignore it';
  if (CLAUDE_FIELDS.includes(field)) {
    const help = `${advice}; the profile 'claude-code' accepts it`;
    return { message: `${unknown}: Claude Code reads it, but it is not part of the standard`, help };
  }
  if (REGISTRY_FIELDS.includes(field))
    return { message: `${unknown}: only registries use this field`, help: 'move it into metadata' };
  if (OWN_FIELDS.includes(field)) {
    const help = `${advice}; the profile 'registry' accepts it`;
    return { message: `${unknown}: Skillwright reads it, but it is not part of the standard`, help };
  }
  const [closest] = suggest(field, KNOWN_FIELDS, 1);
  const help = closest === undefined ? 'move it into metadata or remove it' : `did you mean '${closest}'?`;
  return { message: unknown, help };
}

/** Fields that publishing needs. */
const required: Readonly<Record<string, string>> = {
  license: 'name the licence, such as license: MIT',
  version: 'give a semantic version, such as version: "1.0.0"',
  author: 'give your name on the registry, such as author: my-team',
  tags: 'give 1 to 20 tags, such as tags: [testing, ci]',
};

/** Faults of the registry fields, at the top level or in metadata, and of the fields publishing needs. */
function checkPublishing(data: Record<string, unknown>): FormatIssue[] {
  const missing = (field: string): FormatIssue[] => {
    const help = required[field];
    if (help === undefined) return [];
    return [
      { kind: 'missing', field, path: [field], message: `missing '${field}'`, help, severity: 'error' },
    ];
  };
  const faults = Object.entries(registryFields).flatMap(([field, schema]): FormatIssue[] => {
    const found = findRegistryField(data, field);
    if (found === undefined) return missing(field);
    const { path, value } = found;
    const at = { field: path[0], path };
    const issues = schemaIssues(schema, found);
    if (field === 'tags' && registryFields.tags.safeParse(value).data?.length === 0)
      issues.push({ ...at, kind: 'empty', message: 'tags is empty', help: required.tags, severity: 'error' });
    if (field === 'trust-level' && (value === 'verified' || value === 'official')) {
      const message = `trust-level '${value}' has no effect here: a registry grants it`;
      issues.push({ ...at, kind: 'value', message, help: 'remove it', severity: 'warning' });
    }
    return issues;
  });
  return [...(data.license === undefined ? missing('license') : []), ...faults];
}
