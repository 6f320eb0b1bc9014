// What the user is asked before something is done with a skill, and what they have answered.

import { type Diagnostic, diagnose, messageOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { PermissionRule } from '../../skill/config/index.ts';
import { type GuardedTool, type JudgedSkill, unconfirmed, type Verdict } from '../../skill/judge/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import { canRemember, type RememberedPermission, rememberPermission } from '../../skill/workspace/index.ts';
import type { SessionSettings } from './session-settings.ts';

/** A question to the user. */
export interface ConfirmationQuestion {
  /** The skill that the rule is about: the one in question, or one that it lies in. */
  readonly skill: Pick<SkillRecord, 'name' | 'description' | 'path' | 'dir'>;
  /** What for: `skill_load` gives its text to the model, `skill_run` runs something of it. */
  readonly tool: GuardedTool;
  /** The rule that asks. */
  readonly rule: PermissionRule | null;
  /** Whether `'remember'` can be kept. If not, a yes holds for this session. */
  readonly remembers: boolean;
}

/** The answer. `'remember'`: yes, and for good, for this skill in this place with its files as they are. */
export type ConfirmationAnswer = boolean | 'remember';

/** Something that was confirmed for a session, for a skill as it was. */
export interface Confirmed {
  readonly tool: GuardedTool;
  /** The directory of the skill. */
  readonly dir: string;
  /** Of all its files. */
  readonly digest: string;
}

/** The confirmations of one session. */
export interface Confirmations {
  /** Whether using a tool on a skill was confirmed for the files it has now. */
  has(skill: Pick<JudgedSkill, 'dir'>, tool: GuardedTool): boolean;
  /** Asks the user; once for all who wait for the same answer. E061 unless it is yes. */
  ask(verdict: Extract<Verdict, { verdict: 'ask' }>): Promise<void>;
  /** Takes a yes for this session. */
  add(skill: Pick<JudgedSkill, 'dir'>, tool: GuardedTool): void;
  /** Takes a yes for good. False when it cannot be kept and holds for this session. */
  remember(skill: Pick<JudgedSkill, 'name' | 'dir'>, tool: GuardedTool): boolean;
  list(): readonly Confirmed[];
  restore(confirmed: readonly Confirmed[]): void;
  /** W061 for each answer that could not be kept. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Keeps the confirmations of a session. `confirm` asks the user; without it the answer is no. */
export function createConfirmations(
  settings: () => SessionSettings,
  confirm: ((question: ConfirmationQuestion) => Promise<ConfirmationAnswer>) | undefined,
): Confirmations {
  const confirmed = new Map<string, Confirmed>();
  const pending = new Map<string, Promise<boolean>>();
  const diagnostics: Diagnostic[] = [];
  const keyOf = (dir: string, tool: GuardedTool) => `${dir}\0${tool}`;
  const take = (entry: Confirmed) => void confirmed.set(keyOf(entry.dir, entry.tool), entry);
  const permissionOf = ({ name, dir }: Pick<JudgedSkill, 'name' | 'dir'>, tool: GuardedTool) =>
    ({ tool, skill_name: name, path: dir, digest: digestSkill(dir) }) satisfies RememberedPermission;

  const keep = (permission: ReturnType<typeof permissionOf>): boolean => {
    const { tool, skill_name, path: dir, digest } = permission;
    // It holds for this session in any case, for the files that were asked about.
    take({ tool, dir, digest });
    const { workspace, permissions } = settings();
    const why = attemptToRemember(() => rememberPermission(workspace.user, permission));
    if (why === undefined) {
      permissions.remember(permission);
      return true;
    }
    const help = 'it holds for this session; an allow rule in your configuration holds for good';
    const what = `your permission to use ${tool} on '${skill_name}'`;
    diagnostics.push(diagnose('W061', { what, why }, { help, data: { tool, path: dir } }));
    return false;
  };

  const put = async ({ skill, tool, rule }: Extract<Verdict, { verdict: 'ask' }>): Promise<boolean> => {
    const { name, path, dir, frontmatter } = skill;
    const permission = permissionOf(skill, tool);
    const description = typeof frontmatter.description === 'string' ? frontmatter.description.trim() : '';
    const remembers = canRemember(permission);
    const answer = await confirm?.({ skill: { name, description, path, dir }, tool, rule, remembers });
    if (answer === true) take({ tool, dir, digest: permission.digest });
    if (answer === 'remember') keep(permission);
    return answer === true || answer === 'remember';
  };

  return {
    has({ dir }, tool) {
      const known = confirmed.get(keyOf(dir, tool));
      return known !== undefined && known.digest === digestSkill(dir);
    },
    async ask(verdict) {
      const { skill, tool } = verdict;
      const key = keyOf(skill.dir, tool);
      const question = pending.get(key) ?? put(verdict).finally(() => pending.delete(key));
      pending.set(key, question);
      if (!(await question)) throw unconfirmed(verdict);
    },
    add: ({ dir }, tool) => take({ tool, dir, digest: digestSkill(dir) }),
    remember: (skill, tool) => keep(permissionOf(skill, tool)),
    list: () => [...confirmed.values()],
    restore: (entries) => entries.forEach(take),
    diagnostics,
  };
}

/** Why a permission could not be written; undefined when it was. */
function attemptToRemember(write: () => boolean): string | undefined {
  try {
    return write() ? undefined : 'no rule can have the name of this skill';
  } catch (error) {
    if (error instanceof SkillwrightError) return messageOf(error);
    throw error;
  }
}
