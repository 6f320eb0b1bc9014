// skillwright/format: SKILL.md frontmatter, the layers of the format, and the profiles to judge it by.

export { checkHooks, HOOK_EVENTS } from './check-hooks.ts';
export { checkQuiz } from './check-quiz.ts';
export { checkTriggers } from './check-triggers.ts';
export { CLAUDE_FIELDS, ClaudeLayer } from './claude-layer.ts';
export type { FormatIssue } from './format-issue.ts';
export {
  FRONTMATTER_LIMIT,
  type Frontmatter,
  type FrontmatterProblem,
  lineOfKey,
  readFrontmatter,
  writeFrontmatter,
} from './frontmatter.ts';
export { type HookEvent, type HookEventRow, hookEventRow, hookEvents } from './hook-events.ts';
export { HOOK_TYPES, HookGroup, HookHandler, Hooks } from './hooks.ts';
export { isSemver } from './is-semver.ts';
export { KNOWN_FIELDS, readManifest, SkillManifest } from './manifest.ts';
export { checkManifest, PROFILES, type Profile, ProfileName } from './profiles.ts';
export { Quiz, QuizBranch, QuizLayer, QuizList, QuizOption, QuizQuestion } from './quiz.ts';
export { CATEGORIES, REGISTRY_FIELDS, RegistryLayer, TAG_LIMIT, TRUST_LEVELS } from './registry-layer.ts';
export { readRequires } from './requires.ts';
export { isSkillName, SKILL_NAME_LIMIT } from './skill-name.ts';
export { STANDARD_FIELDS, StandardLayer } from './standard-layer.ts';
export { SkillManifestSchema } from './strict-manifest.ts';
export { COMPATIBILITY_LIMIT, countCodePoints, DESCRIPTION_LIMIT } from './text-length.ts';
export { Toolsets } from './toolsets.ts';
export { PATTERN_LIMIT, Triggers } from './triggers.ts';
export { writtenText } from './written-text.ts';
