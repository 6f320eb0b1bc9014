// The only reader of a manifest: frontmatter, the layers of the format, and the profiles to check it against.

export { checkLicence } from './check-licence.ts';
export { checksumOf, NO_CHECKSUM, readChecksum } from './checksum.ts';
export { CommaList, TextList } from './field-shapes.ts';
export { type FormatIssue, isMapping, isShallow, readFlag, spellFieldPath } from './format-issue.ts';
export {
  FRONTMATTER_LIMIT,
  type Frontmatter,
  type FrontmatterProblem,
  isGatedText,
  readFrontmatter,
  splitFrontmatter,
} from './frontmatter.ts';
export { type HookEventRow, hookEventRow, hookEvents } from './hook-events.ts';
export { checkHooks, HOOK_EVENTS, HOOK_TYPES, HookGroup, HookHandler, Hooks, unknownEvent } from './hooks.ts';
export { findCommands, placeholderPattern, readInvocation } from './invocation.ts';
export {
  CATEGORIES,
  CLAUDE_FIELDS,
  ClaudeLayer,
  REGISTRY_FIELDS,
  RegistryLayer,
  SkillManifestSchema,
  STANDARD_FIELDS,
  StandardLayer,
  TAG_LIMIT,
  TRUST_LEVELS,
} from './layers.ts';
export { lineOfKey } from './line-of-key.ts';
export { beginsLike, foldName, looksLike, nameSkeleton, unmaskLetters } from './look-alike.ts';
export { KNOWN_FIELDS, readManifest, SkillManifest } from './manifest.ts';
export { parseYaml } from './parse-yaml.ts';
export { PROFILES, type Profile, ProfileName } from './profile-table.ts';
export { checkManifest } from './profiles.ts';
export { checkQuiz, Quiz, QuizBranch, QuizLayer, QuizList, QuizOption, QuizQuestion } from './quiz.ts';
export { hasQuizGate, isGatedFrontmatter, mayHaveQuiz } from './quiz-gate.ts';
export { explainNoText, readSkillFields, readSkillText } from './read-skill-text.ts';
export { findRegistryField } from './registry-field.ts';
export { repairYaml } from './repair-yaml.ts';
export { readRequires } from './requires.ts';
export {
  canNameDirectory,
  isReservedName,
  isSkillName,
  SKILL_NAME_LIMIT,
  SKILL_NAME_PATTERN,
} from './skill-name.ts';
export { splitCommas, splitWords } from './split-list.ts';
export {
  COMPATIBILITY_LIMIT,
  countCodePoints,
  DESCRIPTION_LIMIT,
  fitsWithin,
  shorten,
} from './text-length.ts';
export { Toolsets } from './toolsets.ts';
export { checkTriggers, PATTERN_LIMIT, Triggers } from './triggers.ts';
export { type Validation, validateSkill } from './validate-skill.ts';
export { isSemver, unreachedVersion } from './version.ts';
export { writeFrontmatter } from './write-frontmatter.ts';
export { writtenText } from './written-text.ts';
