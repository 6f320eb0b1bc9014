// How a skill stands with whoever wants to do something with it: by switches, rules and its own flags.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { PermissionRule } from '../config/index.ts';
import { readFlag } from '../format/index.ts';
import { digestSkill } from '../quiz/index.ts';
import { namesOfSkill } from '../skill/index.ts';
import type { PermissionDecision, Permissions, SwitchedOff } from '../workspace/index.ts';

/** Who wants something. The command line and the library act for the user; MCP, rpc and sessions act for a model. */
export type Actor = 'model' | 'user';

/** What is to be done with a skill. */
export type Operation =
  /** Name it, describe it, count it. */
  | 'list'
  /** Give its text, its headings or the names of its files. */
  | 'read'
  /** Carry it out for somebody who asked for it by name. */
  | 'invoke'
  /** Run something of it. */
  | 'run'
  /** Look at it as its author or keeper does: lint, statistics, a scan. */
  | 'inspect'
  /** Compile it, deploy it, publish it. */
  | 'make';

/** Why somebody may not do something with a skill. */
export type Reason = 'disabled' | 'unavailable' | 'denied' | 'user-only' | 'model-only';

/** A tool that a rule can ask about: giving a skill's text to somebody, or running something of it. */
export type GuardedTool = 'skill_load' | 'skill_run';

/** What of a skill is judged. */
export interface JudgedSkill {
  readonly name: string;
  readonly dir: string;
  readonly path: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** False when it was switched off when it was listed. */
  readonly enabled?: boolean;
  /** False when something it requires is missing here; `reason` says what. */
  readonly available?: boolean;
  readonly reason?: string;
}

/** A question to the judge. */
export interface Question {
  readonly operation: Operation;
  readonly by: Actor;
  /** Whether the user has confirmed using a tool on a skill: the one in question, or one that it lies in. */
  readonly confirmed?: ((skill: JudgedSkill, tool: GuardedTool) => boolean) | undefined;
}

/** What a skill is judged by. */
export interface Law {
  readonly rules: Permissions;
  readonly off: SwitchedOff;
}

/** The answer. `hide`: as if it were not there. `ask`: the user decides. */
export type Standing =
  | { readonly verdict: 'allow' }
  | { readonly verdict: 'ask'; readonly tool: GuardedTool; readonly rule: PermissionRule | null }
  | { readonly verdict: 'deny' | 'hide'; readonly reason: Reason };

const every: readonly Operation[] = ['list', 'read', 'invoke', 'run', 'inspect', 'make'];
const using: readonly Operation[] = ['read', 'invoke', 'run', 'make'];

/** What each reason forbids, and to whom. What it does not forbid, it allows. */
const forbids: Readonly<Record<Reason, Readonly<Record<Actor, readonly Operation[]>>>> = {
  disabled: { model: every, user: using },
  unavailable: { model: every, user: ['invoke', 'run'] },
  denied: { model: every, user: using },
  'user-only': { model: every, user: [] },
  'model-only': { model: [], user: ['invoke'] },
};

/** What a rule that wants a confirmation stops. */
const asksBefore: Readonly<Record<Actor, readonly Operation[]>> = {
  model: ['read', 'invoke', 'run', 'inspect', 'make'],
  user: ['read', 'invoke', 'run'],
};

/** How the skill stands with a question. */
export function standingOf(skill: JudgedSkill, question: Question, law: Law): Standing {
  const { operation, by, confirmed = () => false } = question;
  const load = decide(skill, law.rules);
  const run = operation === 'run' ? decide(skill, law.rules, 'skill_run') : load;
  const reasons: [Reason, () => boolean][] = [
    [
      'disabled',
      () => skill.enabled === false || law.off.has(namesOfSkill(skill.frontmatter, skill.dir), skill.dir),
    ],
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

/** The rule for using `tool` on a skill, by every name it goes by. */
export function decide(skill: JudgedSkill, rules: Permissions, tool = 'skill_load'): PermissionDecision {
  const aliases = namesOfSkill(skill.frontmatter, skill.dir);
  const { dir } = skill;
  return rules.check({ tool, skill_name: skill.name, aliases, dir, digest: () => digestSkill(dir) });
}

/** The error for what may not be done. What must not be seen is as good as not there. */
export function refusal(skill: JudgedSkill, reason: Reason): SkillwrightError {
  const data = { reason, path: skill.path };
  switch (reason) {
    case 'disabled': {
      const help = `it is switched off; 'skc skills --enable ${skill.name}' switches it on`;
      return SkillwrightError.of('E001', { skill: skill.name }, { help, data });
    }
    case 'unavailable': {
      const help = `it is unavailable here: ${skill.reason ?? 'something it requires is missing'}`;
      return SkillwrightError.of('E001', { skill: skill.name }, { help, data });
    }
    case 'denied':
      return SkillwrightError.of('E060', { skill: skill.name }, { data });
    case 'user-only': {
      const help = 'only the user may invoke it (disable-model-invocation)';
      return SkillwrightError.of('E060', { skill: skill.name }, { help, data });
    }
    case 'model-only': {
      const help = 'only the agent may use it (user-invocable: false)';
      return SkillwrightError.of('E060', { skill: skill.name }, { help, data });
    }
  }
}

/** What the user would have to confirm: using a tool on a skill, because of a rule. */
export interface Unconfirmed {
  readonly skill: JudgedSkill;
  readonly tool: GuardedTool;
  readonly rule: PermissionRule | null;
}

/** E061 for what nobody has confirmed. Its data is the question to the user. */
export function unconfirmed({ skill, tool, rule }: Unconfirmed): SkillwrightError {
  return SkillwrightError.of('E061', { skill: skill.name }, { data: { path: skill.path, tool, rule } });
}

/** A flag that cannot be read counts as set: a mistake must not open what was to be closed. */
export function isUserOnly(frontmatter: Readonly<Record<string, unknown>>): boolean {
  const value = frontmatter['disable-model-invocation'] ?? false;
  return readFlag(value) ?? true;
}

function isModelOnly(frontmatter: Readonly<Record<string, unknown>>): boolean {
  return readFlag(frontmatter['user-invocable'] ?? true) === false;
}
