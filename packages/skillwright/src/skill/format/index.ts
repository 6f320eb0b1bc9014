// The only reader of a manifest: frontmatter, the layers of the format, and the profiles to check it against.

export { checkHooks, HOOK_EVENTS, unknownEvent } from './check-hooks.ts';
export { checkLicence } from './check-licence.ts';
export { checkQuiz } from './check-quiz.ts';
export { checkTriggers } from './check-triggers.ts';
export { checksumOf, NO_CHECKSUM, readChecksum } from './checksum.ts';
export { CommaList, TextList } from './field-shapes.ts';
export { type FormatIssue, isMapping, readFlag } from './format-issue.ts';
export {
  FRONTMATTER_LIMIT,
  type Frontmatter,
  type FrontmatterProblem,
  isGatedText,
  readFrontmatter,
} from './frontmatter.ts';
export { type HookEventRow, hookEventRow, hookEvents } from './hook-events.ts';
export { HOOK_TYPES, HookGroup, HookHandler, Hooks } from './hooks.ts';
export { type AgentType, findCommands, placeholderPattern, readInvocation } from './invocation.ts';
export {
  CATEGORIES,
  CLAUDE_FIELDS,
  ClaudeLayer,
  findRegistryField,
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
export { Quiz, QuizBranch, QuizLayer, QuizList, QuizOption, QuizQuestion } from './quiz.ts';
export { hasQuizGate, isGatedFrontmatter, mayHaveQuiz } from './quiz-gate.ts';
export { readSkillFields, readSkillText } from './read-skill-text.ts';
export { repairYaml } from './repair-yaml.ts';
export { readRequires } from './requires.ts';
export { shorten } from './shorten.ts';
export {
  canNameDirectory,
  isReservedName,
  isSkillName,
  SKILL_NAME_LIMIT,
  SKILL_NAME_PATTERN,
} from './skill-name.ts';
export { splitCommas, splitWords } from './split-list.ts';
export { COMPATIBILITY_LIMIT, countCodePoints, DESCRIPTION_LIMIT, fitsWithin } from './text-length.ts';
export { Toolsets } from './toolsets.ts';
export { PATTERN_LIMIT, Triggers } from './triggers.ts';
export { type Validation, validateSkill } from './validate-skill.ts';
export { isSemver, unreachedVersion } from './version.ts';
export { writeFrontmatter } from './write-frontmatter.ts';
export { writtenText } from './written-text.ts';
