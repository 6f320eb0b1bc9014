// Confirmations: the questions a session asks the user about skills, and the answers.

import { type Diagnostic, diagnose, messageOf, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Confirmations } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import type { PermissionRule } from '../../skill/config/index.ts';
import { type GuardedTool, type Judged, unconfirmed, type Verdict } from '../../skill/judge/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import { canRemember, type RememberedPermission, rememberPermission } from '../../skill/workspace/index.ts';
import type { SessionSettings } from './session-state.ts';

/** A question to the user. */
export interface ConfirmationQuestion {
  /** The skill the rule applies to: the one in question, or one that contains it. */
  readonly skill: Pick<SkillRecord, 'name' | 'description' | 'path' | 'dir'>;
  /** The operation: `skill_load` gives the skill's text to the model, `skill_run` runs its code. */
  readonly tool: GuardedTool;
  /** The rule that requires confirmation. */
  readonly rule: PermissionRule | null;
  /** Whether `'remember'` can be stored. If not, a yes holds for this session. */
  readonly remembers: boolean;
}

/** The answer. `'remember'` is a permanent yes for this skill, in this place, with its current files. */
export type ConfirmationAnswer = boolean | 'remember';

/** A confirmation for one session, valid for the skill's files at that time. */
interface Confirmed {
  readonly tool: GuardedTool;
  /** The directory of the skill. */
  readonly dir: string;
  /** Digest of all its files. */
  readonly digest: string;
}

/** The confirmations of one session, valid for the files of a skill at that time. */
export interface SessionConfirmations extends Confirmations {
  /** Stores a permanent yes. Returns false when it cannot be stored and holds for this session only. */
  remember(skill: Pick<Judged, 'name' | 'dir'>, tool: GuardedTool): boolean;
  list(): readonly Confirmed[];
  restore(confirmed: readonly Confirmed[]): void;
  /** One W061 per answer that could not be stored. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Tracks the confirmations of a session. `confirm` asks the user; without it the answer is no. */
export function createConfirmations(
  settings: () => SessionSettings,
  confirm: ((question: ConfirmationQuestion) => Promise<ConfirmationAnswer>) | undefined,
): SessionConfirmations {
  const confirmed = new Map<string, Confirmed>();
  const pending = new Map<string, Promise<boolean>>();
  const diagnostics: Diagnostic[] = [];
  const keyOf = (dir: string, tool: GuardedTool) => `${dir}\0${tool}`;
  const take = (entry: Confirmed) => void confirmed.set(keyOf(entry.dir, entry.tool), entry);
  const permissionOf = ({ name, dir }: Pick<Judged, 'name' | 'dir'>, tool: GuardedTool) =>
    ({ tool, skill_name: name, path: dir, digest: digestSkill(dir) }) satisfies RememberedPermission;

  const keep = (permission: ReturnType<typeof permissionOf>): boolean => {
    const { tool, skill_name, path: dir, digest } = permission;
    // It holds for this session in any case, for the files the user was asked about.
    take({ tool, dir, digest });
    const { workspace, permissions } = settings();
    const why = attemptToRemember(() => rememberPermission(workspace.user, permission));
    if (why === undefined) {
      permissions.remember(permission);
      return true;
    }
    const help = 'it holds for this session; add an allow rule to your configuration to make it permanent';
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
    /** Asks once for all callers that wait for the same answer. */
    async ask(verdict) {
      const { skill, tool } = verdict;
      const told = diagnostics.length;
      const key = keyOf(skill.dir, tool);
      const question = pending.get(key) ?? put(verdict).finally(() => pending.delete(key));
      pending.set(key, question);
      if (!(await question)) throw unconfirmed(verdict);
      return diagnostics.slice(told);
    },
    add: ({ dir }, tool) => take({ tool, dir, digest: digestSkill(dir) }),
    remember: (skill, tool) => keep(permissionOf(skill, tool)),
    list: () => [...confirmed.values()],
    restore: (entries) => entries.forEach(take),
    diagnostics,
  };
}

/** Why a permission could not be stored; undefined when it was. */
function attemptToRemember(write: () => boolean): string | undefined {
  try {
    return write() ? undefined : 'a rule cannot match the name of this skill';
  } catch (error) {
    if (error instanceof SkillwrightError) return messageOf(error);
    throw error;
  }
}
