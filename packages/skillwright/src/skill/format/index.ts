// The only reader of a manifest: frontmatter, the layers of the format, and the profiles to check it against.

export { type AgentType, readInvocation } from './agent-types.ts';
export { checkHooks, HOOK_EVENTS, unknownEvent } from './check-hooks.ts';
export { checkQuiz } from './check-quiz.ts';
export { checkTriggers } from './check-triggers.ts';
export { checksumOf, NO_CHECKSUM, readChecksum } from './checksum.ts';
export { CLAUDE_FIELDS, ClaudeLayer } from './claude-layer.ts';
export { CommaList, TextList } from './field-shapes.ts';
export { findCommands } from './find-commands.ts';
export { type FormatIssue, isMapping } from './format-issue.ts';
export {
  FRONTMATTER_LIMIT,
  type Frontmatter,
  type FrontmatterProblem,
  readFrontmatter,
} from './frontmatter.ts';
export { type HookEvent, type HookEventRow, hookEventRow, hookEvents } from './hook-events.ts';
export { HOOK_TYPES, HookGroup, HookHandler, Hooks } from './hooks.ts';
export { isSemver } from './is-semver.ts';
export { lineOfKey } from './line-of-key.ts';
export { beginsLike, foldName, looksLike, unmaskLetters } from './look-alike.ts';
export { KNOWN_FIELDS, readManifest, SkillManifest } from './manifest.ts';
export { mayHaveQuiz } from './may-have-quiz.ts';
export { unreachedVersion } from './needed-version.ts';
export { parseYaml } from './parse-yaml.ts';
export { placeholderPattern } from './placeholder-pattern.ts';
export { ProfileName } from './profile-name.ts';
export { PROFILES, type Profile } from './profile-table.ts';
export { checkManifest } from './profiles.ts';
export { Quiz, QuizBranch, QuizLayer, QuizList, QuizOption, QuizQuestion } from './quiz.ts';
export { hasQuizGate, isGatedFrontmatter, isGatedText } from './quiz-gate.ts';
export { readFlag } from './read-flag.ts';
export { readSkillFields } from './read-skill-fields.ts';
export { readSkillText } from './read-skill-text.ts';
export {
  CATEGORIES,
  findRegistryField,
  REGISTRY_FIELDS,
  RegistryLayer,
  TAG_LIMIT,
  TRUST_LEVELS,
} from './registry-layer.ts';
export { repairYaml } from './repair-yaml.ts';
export { readRequires } from './requires.ts';
export { shorten } from './shorten.ts';
export { canNameDirectory, isSkillName, SKILL_NAME_LIMIT, SKILL_NAME_PATTERN } from './skill-name.ts';
export { splitCommas, splitWords } from './split-list.ts';
export { STANDARD_FIELDS, StandardLayer } from './standard-layer.ts';
export { SkillManifestSchema } from './strict-manifest.ts';
export { COMPATIBILITY_LIMIT, countCodePoints, DESCRIPTION_LIMIT, fitsWithin } from './text-length.ts';
export { Toolsets } from './toolsets.ts';
export { PATTERN_LIMIT, Triggers } from './triggers.ts';
export { type Validation, validateSkill } from './validate-skill.ts';
export { writeFrontmatter } from './write-frontmatter.ts';
export { writtenText } from './written-text.ts';
