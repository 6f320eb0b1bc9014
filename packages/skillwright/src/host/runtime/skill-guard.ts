// The one way from a reference to a skill's text. Loads, reads and plans all go through here.

import type { Diagnostic } from '../../base/diagnostics/index.ts';
import { type FoundRecord, findRecord, recordsNamed, type SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import {
  type Actor,
  decide,
  findReach,
  type GuardedTool,
  isOpenToAnyone,
  type Judge,
  type Operation,
  type Reach,
  type Reason,
  refusalOf,
  standingWithin,
} from '../../skill/judge/index.ts';
import { bodyOf, type Skill } from '../../skill/skill/index.ts';
import type { PermissionDecision } from '../../skill/workspace/index.ts';
import type { Confirmations } from './confirmations.ts';
import { openListed } from './open-listed.ts';
import type { LoadOptions, PermissionQuestion, SessionOptions } from './session.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionView } from './session-view.ts';

/** Inputs of a guard; all may change during a session. */
interface GuardedState {
  readonly view: () => Promise<SessionView>;
  readonly settings: () => SessionSettings;
  readonly judge: () => Judge;
  readonly confirmations: Confirmations;
}

/** How a skill is accessed. */
export interface GuardOptions extends LoadOptions {
  /** Default: a model reads, the user invokes. */
  readonly operation?: Operation | undefined;
  /** Called before the user is asked to confirm a run. Throws when there is nothing to run. */
  readonly runs?: ((dir: string) => void | Promise<void>) | undefined;
}

/** A skill that may be used, in its current state. */
export interface GuardedSkill extends FoundRecord {
  readonly content: Skill & { readonly body: string; readonly bodyLine: number };
  /** Diagnostics for permanent confirmations that could not be stored. */
  readonly diagnostics: readonly Diagnostic[];
  /** How much of it may be served. Ask after reading. */
  reach(files: Iterable<string>): Promise<Reach>;
}

/** Guards the skills of one session. */
interface SkillGuard {
  /** Finds a skill and applies every check except its own quiz, to the skill found rather than the reference given. */
  access(reference: SkillReference, how: GuardOptions): Promise<GuardedSkill>;
  /** Whether the model or the user may still use a skill. */
  isUsable(skill: SkillRecord, view: SessionView): boolean;
  check(question: PermissionQuestion): Promise<PermissionDecision>;
  /** Confirms a tool for a skill, permanently unless `persist` is false. Returns false when it holds for this session only. */
  remember(reference: SkillReference, options?: RememberOptions): Promise<boolean>;
}

/** How to store a confirmation. */
export interface RememberOptions {
  /** Default: yes. */
  readonly persist?: boolean;
  /** Default: `skill_load`. */
  readonly tool?: GuardedTool;
}

/** Creates a guard. A confirmation holds for the skill's files at that time. */
export function createGuard(options: SessionOptions, state: GuardedState): SkillGuard {
  const { cwd, home, policy = 'ambiguous' } = options;
  const { confirmations } = state;

  const find = async (
    reference: SkillReference,
    { by, operation }: { by: Actor; operation: Operation },
  ): Promise<FoundRecord> => {
    const { catalog, law } = await state.view();
    const { enclosing } = state.judge();
    const hidden = (skill: SkillRecord): Reason | undefined => {
      const standing = standingWithin(skill, { operation, by }, { law, enclosing });
      return 'reason' in standing ? standing.reason : undefined;
    };
    return findRecord(catalog, reference, { cwd, home, policy, hidden });
  };
  /** Finds a skill that the model or the user may use: the user confirms for both. */
  const findForAnyone = (reference: SkillReference): Promise<FoundRecord> =>
    find(reference, { by: 'model', operation: 'read' }).catch((refused) =>
      find(reference, { by: 'user', operation: 'invoke' }).catch(() => {
        throw refused;
      }),
    );

  return {
    async access(reference, how) {
      const { by = 'model' } = how;
      const operation = how.operation ?? (by === 'model' ? 'read' : 'invoke');
      const found = await find(reference, { by, operation });
      const content = openListed(found.skill);
      const now = { ...found.skill, frontmatter: content.frontmatter };
      const judge = state.judge();
      const told = confirmations.diagnostics.length;
      for (;;) {
        const question = { operation, by, confirmed: confirmations.has };
        const verdict = await judge.judge(now, question, { author: how.author, exceptGate: true });
        if (verdict.verdict === 'allow') break;
        if (verdict.verdict !== 'ask') throw refusalOf(verdict);
        if (verdict.tool === 'skill_run') await how.runs?.(now.dir);
        if (how.confirmed === true) confirmations.add(verdict.skill, verdict.tool);
        else await confirmations.ask(verdict);
      }
      const diagnostics = confirmations.diagnostics.slice(told);
      const reach = (files: Iterable<string>) =>
        findReach(judge, now, { files, question: { operation: 'read', by }, author: how.author });
      return { ...found, content: { ...content, ...bodyOf(content) }, reach, diagnostics };
    },
    isUsable: (skill, { law }) =>
      isOpenToAnyone(skill, { model: 'read', user: 'invoke' }, { law, enclosing: state.judge().enclosing }),
    async check({ tool, name, path }) {
      const { catalog } = await state.view();
      const { permissions } = state.settings();
      if (path !== undefined && path !== '') {
        const { skill } = findRecord(catalog, { path }, { cwd, home, policy, hidden: () => undefined });
        return decide(skill, permissions, tool);
      }
      if (name === undefined || name === '') return permissions.check({ tool });
      const decisions = recordsNamed(catalog, name).map((skill) => decide(skill, permissions, tool));
      return strictest(decisions) ?? permissions.check({ tool, skill_name: name });
    },
    async remember(reference, { persist = true, tool = 'skill_load' } = {}) {
      const { skill } = await findForAnyone(reference);
      if (persist) return confirmations.remember(skill, tool);
      confirmations.add(skill, tool);
      return false;
    },
  };
}

/** If several skills share a name: the decision that holds for all of them. */
function strictest(decisions: readonly PermissionDecision[]): PermissionDecision | undefined {
  const order = ['allow', 'confirm', 'deny'];
  return decisions.toSorted((a, b) => order.indexOf(b.effect) - order.indexOf(a.effect))[0];
}
