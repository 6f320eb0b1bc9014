// The rules about the frontmatter: as a whole, and one field at a time by the problems that the profile finds.

import {
  type FormatIssue,
  type FrontmatterProblem,
  isMapping,
  isSkillName,
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
import { type Fix, reportIssues } from '../report-issues.ts';
import { defineRule, type Rule } from '../rule.ts';

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

/** Problems of the frontmatter as a whole. Only a repair made while reading can be written to the file. */
export const frontmatterValid = defineRule({
  id: 'SKL100',
  name: 'frontmatter-valid',
  severity: 'error',
  summary: 'SKILL.md starts with frontmatter between two `---` lines that is a valid YAML mapping.',
  fixable: true,
  *check({ parts, text, profile }) {
    for (const { kind, line, message } of parts.problems) {
      const isRepaired = kind === 'repaired';
      const isFence = isRepaired && isPaddedFence(text, line);
      const fix: Fix = (given) => (isPaddedFence(given, line) ? trimFence(given, line) : repairFields(given));
      yield {
        message: boundMessage(message),
        line,
        help: isFence ? 'remove the white space' : HELP[kind],
        severity: isRepaired ? PROFILES[profile].deviation : 'error',
        fix: isRepaired && fix(text) !== text ? fix : undefined,
      };
    }
  },
});

/** A rule about problems of fields. */
interface FieldRule extends Pick<Rule, 'id' | 'name' | 'severity' | 'summary'> {
  /** Whether a problem is its own. */
  owns(issue: FormatIssue, skill: LintSubject): boolean;
  readonly fixOf?: (issue: FormatIssue, skill: LintSubject) => Fix | undefined;
}

const about =
  (field: string, ...kinds: FormatIssue['kind'][]) =>
  (issue: FormatIssue): boolean =>
    issue.field === field && kinds.includes(issue.kind);

const rows: readonly FieldRule[] = [
  {
    id: 'SKL101',
    name: 'name-required',
    severity: 'error',
    summary: 'The frontmatter has a `name`.',
    owns: about('name', 'missing', 'empty'),
    // `Name: demo` is a name under a wrong key, so the key should be corrected.
    fixOf: (_, skill) =>
      Object.keys(skill.frontmatter).some((key) => key !== 'name' && key.toLowerCase() === 'name')
        ? undefined
        : nameFromDirectory(skill),
  },
  {
    id: 'SKL102',
    name: 'name-format',
    severity: 'error',
    summary: 'The `name` consists of lower-case ASCII letters and digits, joined by single hyphens.',
    owns: about('name', 'type', 'format', 'value'),
    fixOf: ({ kind }, skill) => (kind === 'value' ? undefined : nameFromDirectory(skill)),
  },
  {
    id: 'SKL103',
    name: 'name-length',
    severity: 'error',
    summary: 'The `name` has at most 64 characters.',
    owns: about('name', 'length'),
  },
  {
    id: 'SKL104',
    name: 'name-match-dir',
    severity: 'warning',
    summary: "The `name` is the name of the skill's directory.",
    // Unless it must change anyway.
    owns: (issue, { issues }) =>
      about('name', 'mismatch')(issue) && !issues.some(about('name', 'format', 'length', 'value')),
    fixOf: (_, skill) => nameFromDirectory(skill),
  },
  {
    id: 'SKL105',
    name: 'description-required',
    severity: 'error',
    summary: 'The frontmatter has a `description` that is text.',
    owns: about('description', 'missing', 'type'),
  },
  {
    id: 'SKL106',
    name: 'description-nonempty',
    severity: 'error',
    summary: 'The `description` is not empty.',
    owns: about('description', 'empty'),
  },
  {
    id: 'SKL107',
    name: 'description-length',
    severity: 'warning',
    summary: 'The `description` has at most 1024 characters.',
    owns: about('description', 'length'),
  },
  {
    id: 'SKL109',
    name: 'frontmatter-known',
    severity: 'warning',
    summary: 'The frontmatter has only fields that the profile knows.',
    owns: ({ kind }) => kind === 'unknown',
    fixOf: ({ field }, skill) => {
      const right = rightSpelling(skill, field);
      return right === undefined ? undefined : (text) => renameField(text, { from: field, to: right });
    },
  },
  {
    id: 'SKL110',
    name: 'field-types',
    severity: 'error',
    summary: 'Every field has the kind of value that the profile requires.',
    owns: ({ field, kind }) =>
      kind !== 'unknown' && field !== 'name' && (field !== 'description' || kind === 'value'),
    fixOf: correctType,
  },
];

/** The rules about fields. */
export const fieldRules: readonly Rule[] = rows.map(({ owns, fixOf, ...rule }) => ({
  ...rule,
  ...(fixOf && { fixable: true }),
  check(skill) {
    // Most skills have no problems at all.
    if (skill.issues.length === 0) return [];
    const own = skill.issues.filter((issue) => owns(issue, skill));
    return reportIssues(skill, own, { fixOf: (issue) => fixOf?.(issue, skill) });
  },
}));

/** Changes the name to that of the directory; undefined if that is not a valid skill name. */
function nameFromDirectory({ directoryName: value }: LintSubject): Fix | undefined {
  return isSkillName(value) ? (text) => setTextField(text, { field: 'name', value }) : undefined;
}

/** The field that differs from `field` only in capitals, hyphens and underscores, if the skill does not have it yet. */
function rightSpelling({ frontmatter, profile }: LintSubject, field: string): string | undefined {
  const lettersOf = (name: string) => name.toLowerCase().replace(/[-_]/g, '');
  const alike = (candidate: string) => lettersOf(candidate) === lettersOf(field);
  // Two wrong spellings of one field are ambiguous.
  if (Object.keys(frontmatter).filter(alike).length > 1) return undefined;
  return [...PROFILES[profile].fields].find(alike);
}

function correctType({ kind, path }: FormatIssue, { frontmatter }: LintSubject): Fix | undefined {
  const [field, key] = path;
  if (kind !== 'type') return undefined;
  const { metadata } = frontmatter;
  if (field === 'metadata' && typeof key === 'string' && path.length === 2 && isMapping(metadata)) {
    const written = writtenText(metadata, key);
    return written === undefined ? undefined : (text) => quoteScalar(text, { path: [field, key], written });
  }
  const list = path.length === 1 ? textsOf(frontmatter[String(field)]) : undefined;
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
