// Verdict on one skill for one request, by switches, rules and the skill's own flags.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { PermissionRule } from '../config/index.ts';
import { readFlag } from '../format/index.ts';
import { digestSkill } from '../quiz/index.ts';
import { namesOfSkill, type Skill } from '../skill/index.ts';
import type { PermissionDecision, Permissions, SwitchedOff } from '../workspace/index.ts';

/** The requester. The command line and the library act for the user; MCP, rpc and sessions act for a model. */
export type Actor = 'model' | 'user';

/** Operation on a skill. */
export type Operation =
  /** Name, describe or count it. */
  | 'list'
  /** Return its text, its headings or its file names. */
  | 'read'
  /** Invoke it for a requester who named it. */
  | 'invoke'
  /** Run one of its scripts or tools. */
  | 'run'
  /** Inspect it as its author or maintainer: lint, statistics, a scan. */
  | 'inspect'
  /** Compile, deploy or publish it. */
  | 'make';

/** Why an operation is refused. */
export type Reason = 'disabled' | 'unavailable' | 'denied' | 'user-only' | 'model-only';

/** A tool that rules can guard: loading a skill, or running part of it. */
export type GuardedTool = 'skill_load' | 'skill_run';

/** A skill to judge, with what is known about its place. */
export type Judged = Pick<Skill, 'name' | 'dir' | 'path' | 'frontmatter'> & {
  /** False when it was switched off at the time it was listed. */
  readonly enabled?: boolean;
  /** False when a requirement is missing here; `reason` names it. */
  readonly available?: boolean;
  readonly reason?: string;
};

/** A request to the judge. */
export interface Question {
  readonly operation: Operation;
  readonly by: Actor;
  /** Whether the user confirmed using a tool on a skill: the requested one, or one that contains it. */
  readonly confirmed?: ((skill: Judged, tool: GuardedTool) => boolean) | undefined;
}

/** Rules and switches to judge by. */
export interface Law {
  readonly rules: Permissions;
  readonly off: SwitchedOff;
}

/** The verdict. `hide`: treat the skill as absent. `ask`: the user decides. */
export type Standing =
  | { readonly verdict: 'allow' }
  | { readonly verdict: 'ask'; readonly tool: GuardedTool; readonly rule: PermissionRule | null }
  | { readonly verdict: 'deny' | 'hide'; readonly reason: Reason };

const every: readonly Operation[] = ['list', 'read', 'invoke', 'run', 'inspect', 'make'];
const using: readonly Operation[] = ['read', 'invoke', 'run', 'make'];

/** Operations each reason forbids, by actor. All others are allowed. */
const forbids: Readonly<Record<Reason, Readonly<Record<Actor, readonly Operation[]>>>> = {
  disabled: { model: every, user: using },
  unavailable: { model: every, user: ['invoke', 'run'] },
  denied: { model: every, user: using },
  'user-only': { model: every, user: [] },
  'model-only': { model: [], user: ['invoke'] },
};

/** Operations that wait for a confirmation when a rule asks for one. */
const asksBefore: Readonly<Record<Actor, readonly Operation[]>> = {
  model: ['read', 'invoke', 'run', 'inspect', 'make'],
  user: ['read', 'invoke', 'run'],
};

/** Judges one request on one skill. */
export function standingOf(skill: Judged, question: Question, law: Law): Standing {
  const { operation, by, confirmed = () => false } = question;
  const load = decide(skill, law.rules);
  const run = operation === 'run' ? decide(skill, law.rules, 'skill_run') : load;
  const reasons: [Reason, () => boolean][] = [
    ['disabled', () => skill.enabled === false || law.off.has(namesOfSkill(skill), skill.dir)],
    ['unavailable', () => skill.available === false],
    ['denied', () => load.effect === 'deny' || run.effect === 'deny'],
    ['user-only', () => isUserOnly(skill.frontmatter)],
    ['model-only', () => isModelOnly(skill.frontmatter)],
  ];
  for (const [reason, holds] of reasons) {
    if (!forbids[reason][by].includes(operation) || !holds()) continue;
    const isHidden = operation === 'list' || reason === 'disabled' || reason === 'unavailable';
    return { verdict: isHidden ? 'hide' : 'deny', reason };
  }
  if (!asksBefore[by].includes(operation)) return { verdict: 'allow' };
  const asking = [
    { tool: 'skill_load' as const, ...load },
    ...(operation === 'run' ? [{ tool: 'skill_run' as const, ...run }] : []),
  ].find(({ tool, effect }) => effect === 'confirm' && !confirmed(skill, tool));
  return asking === undefined
    ? { verdict: 'allow' }
    : { verdict: 'ask', tool: asking.tool, rule: asking.rule };
}

/** The rule for using `tool` on a skill, by any of its names. */
export function decide(skill: Judged, rules: Permissions, tool = 'skill_load'): PermissionDecision {
  const aliases = namesOfSkill(skill);
  const { dir } = skill;
  return rules.check({ tool, skill_name: skill.name, aliases, dir, digest: () => digestSkill(dir) });
}

/** Explains a refusal. A skill that is switched off or unavailable is reported as not found. */
const explained: Readonly<Record<Reason, { code: 'E001' | 'E060'; help?: (skill: Judged) => string }>> = {
  disabled: {
    code: 'E001',
    help: ({ name }) => `it is switched off; run 'skc skills --enable ${name}' to switch it on`,
  },
  unavailable: {
    code: 'E001',
    help: ({ reason = 'something it requires is missing' }) => `it is unavailable here: ${reason}`,
  },
  denied: { code: 'E060' },
  'user-only': { code: 'E060', help: () => 'only the user may invoke it (disable-model-invocation)' },
  'model-only': { code: 'E060', help: () => 'only the agent may use it (user-invocable: false)' },
};

/** Error for a refused operation. */
export function refusal(skill: Judged, reason: Reason): SkillwrightError {
  const { code, help } = explained[reason];
  const data = { reason, path: skill.path };
  return SkillwrightError.of(code, { skill: skill.name }, { help: help?.(skill), data });
}

/** The use the user has to confirm: a tool on a skill, because of a rule. */
interface Unconfirmed {
  readonly skill: Judged;
  readonly tool: GuardedTool;
  readonly rule: PermissionRule | null;
}

/** E061 for a use that is not confirmed. Its data is the question to the user. */
export function unconfirmed({ skill, tool, rule }: Unconfirmed): SkillwrightError {
  return SkillwrightError.of('E061', { skill: skill.name }, { data: { path: skill.path, tool, rule } });
}

/** An unreadable flag counts as set: a mistake must not open a closed skill. */
export function isUserOnly(frontmatter: Readonly<Record<string, unknown>>): boolean {
  const value = frontmatter['disable-model-invocation'] ?? false;
  return readFlag(value) ?? true;
}

function isModelOnly(frontmatter: Readonly<Record<string, unknown>>): boolean {
  return readFlag(frontmatter['user-invocable'] ?? true) === false;
}
