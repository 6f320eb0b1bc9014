// The rules about the frontmatter: as a whole, and one field at a time by the problems that the profile finds.

import {
  type FormatIssue,
  type FrontmatterProblem,
  isMapping,
  PROFILES,
  splitWords,
  writtenText,
} from '../../../skill/format/index.ts';
import {
  isPaddedFence,
  quoteScalar,
  renameField,
  repairFields,
  setTextField,
  trimFence,
} from '../edit-frontmatter.ts';
import type { LintSubject } from '../lint-subject.ts';
import { boundMessage } from '../quote-text.ts';
import { type Fix, nameFromDirectory, reportIssues } from '../report-issues.ts';
import { defineRule, type Rule } from '../rule.ts';

/** A rule about problems of fields. */
type FieldRule = Omit<Rule, 'check'> & {
  /** Whether a problem is its own. */
  owns(issue: FormatIssue, skill: LintSubject): boolean;
  fixOf?(issue: FormatIssue, skill: LintSubject): Fix | undefined;
};

const defineFieldRule = ({ owns, fixOf, ...rule }: FieldRule): Rule => ({
  ...rule,
  check(skill) {
    if (skill.issues.length === 0) return [];
    const own = skill.issues.filter((issue) => owns(issue, skill));
    return reportIssues(skill, own, { fixOf: (issue) => fixOf?.(issue, skill) });
  },
});

const about =
  (field: string, ...kinds: FormatIssue['kind'][]) =>
  (issue: FormatIssue): boolean =>
    issue.field === field && kinds.includes(issue.kind);

/** SKL101: a name that is missing or empty. */
export const nameRequired = defineFieldRule({
  id: 'SKL101',
  name: 'name-required',
  severity: 'error',
  summary: 'The frontmatter has a `name`.',
  fixable: true,
  owns: about('name', 'missing', 'empty'),
  // `Name: demo` is a name under a wrong key, so the key should be corrected.
  fixOf: (_, skill) =>
    Object.keys(skill.frontmatter).some((key) => key !== 'name' && key.toLowerCase() === 'name')
      ? undefined
      : nameFromDirectory(skill),
});

/** SKL102: a name that is not text or has invalid characters. */
export const nameFormat = defineFieldRule({
  id: 'SKL102',
  name: 'name-format',
  severity: 'error',
  summary: 'The `name` consists of lower-case ASCII letters and digits, joined by single hyphens.',
  fixable: true,
  owns: about('name', 'type', 'format', 'value'),
  fixOf: ({ kind }, skill) => (kind === 'value' ? undefined : nameFromDirectory(skill)),
});

/** SKL103: a name over the limit of the standard. */
export const nameLength = defineFieldRule({
  id: 'SKL103',
  name: 'name-length',
  severity: 'error',
  summary: 'The `name` has at most 64 characters.',
  owns: about('name', 'length'),
});

/** SKL104: a name that differs from that of the directory, unless it must change anyway. */
export const nameMatchDir = defineFieldRule({
  id: 'SKL104',
  name: 'name-match-dir',
  severity: 'warning',
  summary: "The `name` is the name of the skill's directory.",
  fixable: true,
  owns: (issue, { issues }) =>
    about('name', 'mismatch')(issue) && !issues.some(about('name', 'format', 'length', 'value')),
  fixOf: (_, skill) => nameFromDirectory(skill),
});

/** SKL105: a description that is missing or not text. */
export const descriptionRequired = defineFieldRule({
  id: 'SKL105',
  name: 'description-required',
  severity: 'error',
  summary: 'The frontmatter has a `description` that is text.',
  owns: about('description', 'missing', 'type'),
});

/** SKL106: an empty description. */
export const descriptionNonempty = defineFieldRule({
  id: 'SKL106',
  name: 'description-nonempty',
  severity: 'error',
  summary: 'The `description` is not empty.',
  owns: about('description', 'empty'),
});

/** SKL107: a description over the limit of the standard. */
export const descriptionLength = defineFieldRule({
  id: 'SKL107',
  name: 'description-length',
  severity: 'warning',
  summary: 'The `description` has at most 1024 characters.',
  owns: about('description', 'length'),
});

/** SKL109: fields that the profile does not know. */
export const frontmatterKnown = defineFieldRule({
  id: 'SKL109',
  name: 'frontmatter-known',
  severity: 'warning',
  summary: 'The frontmatter has only fields that the profile knows.',
  fixable: true,
  owns: ({ kind }) => kind === 'unknown',
  fixOf: ({ field }, skill) => {
    const right = rightSpelling(skill, field);
    return right === undefined ? undefined : (text) => renameField(text, { from: field, to: right });
  },
});

/** The field that differs from `field` only in capitals, hyphens and underscores, if the skill does not have it yet. */
function rightSpelling({ frontmatter, profile }: LintSubject, field: string): string | undefined {
  const lettersOf = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
  const letters = lettersOf(field);
  const alike = (candidate: string) => lettersOf(candidate) === letters;
  // Two wrong spellings of one field are ambiguous.
  if (Object.keys(frontmatter).filter(alike).length > 1) return undefined;
  return [...PROFILES[profile].fields].find(alike);
}

/** SKL110: values of the wrong type, length or form, except where another rule reports them. */
export const fieldTypes = defineFieldRule({
  id: 'SKL110',
  name: 'field-types',
  severity: 'error',
  summary: 'Every field has the kind of value that the profile requires.',
  fixable: true,
  owns: ({ field, kind }) =>
    kind !== 'unknown' && field !== 'name' && (field !== 'description' || kind === 'value'),
  fixOf: correctType,
});

function correctType({ kind, path }: FormatIssue, { frontmatter }: LintSubject): Fix | undefined {
  const [field, key] = path;
  if (kind !== 'type') return undefined;
  const { metadata } = frontmatter;
  if (field === 'metadata' && typeof key === 'string' && path.length === 2 && isMapping(metadata)) {
    const written = writtenText(metadata, key);
    return written === undefined ? undefined : (text) => quoteScalar(text, { path: [field, key], written });
  }
  if (path.length !== 1) return undefined;
  const list = textsOf(frontmatter[String(field)]);
  if (list === undefined) return undefined;
  if (field === 'compatibility') return (text) => setTextField(text, { field, value: list.join(', ') });
  const tools = list.join(' ');
  // An entry with a space outside brackets would be split.
  if (field !== 'allowed-tools' || splitWords(tools).join('\n') !== list.join('\n')) return undefined;
  return (text) => setTextField(text, { field, value: tools });
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}

const HELP: Readonly<Record<FrontmatterProblem['kind'], string>> = {
  missing: "start the file with a line '---', then name and description, then a line '---'",
  unterminated: "put a line '---' after the last field",
  'too-large': 'move long texts into the body or into files of the skill',
  yaml: 'put quotes around values with special characters in them',
  'not-a-mapping': "write one field per line, as in 'name: my-skill'",
  repaired: 'correct it, or let --fix do it: other agents may leave the skill out',
  'duplicate-key': 'remove one of the two',
  'dropped-key': 'remove it',
};

/** Reports problems of the frontmatter as a whole. */
export const frontmatterValid = defineRule({
  id: 'SKL100',
  name: 'frontmatter-valid',
  severity: 'error',
  summary: 'SKILL.md starts with frontmatter between two `---` lines that is a valid YAML mapping.',
  fixable: true,
  *check({ parts, text, profile }) {
    for (const problem of parts.problems) {
      const { kind, line } = problem;
      const isFence = kind === 'repaired' && isPaddedFence(text, line);
      const fix = correction(problem);
      yield {
        message: boundMessage(problem.message),
        line,
        help: isFence ? 'remove the white space' : HELP[kind],
        severity: kind === 'repaired' ? PROFILES[profile].deviation : 'error',
        ...(fix === undefined || fix(text) === text ? {} : { fix }),
      };
    }
  },
});

/** Only a repair made while reading can be written to the file. */
function correction({ kind, line }: FrontmatterProblem): ((text: string) => string) | undefined {
  if (kind !== 'repaired') return undefined;
  return (text) => (isPaddedFence(text, line) ? trimFence(text, line) : repairFields(text));
}
