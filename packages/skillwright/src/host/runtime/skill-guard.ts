// The one way from a reference to a skill's text. Whoever loads, reads or plans comes through here.

import { type FoundRecord, findRecord, recordsNamed, type SkillReference } from '../../read/access/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import {
  type Actor,
  decide,
  findReach,
  isOpenToAnyone,
  type Judge,
  type Operation,
  type Reach,
  type Reason,
  refusalOf,
  standingWithin,
  unconfirmed,
} from '../../skill/judge/index.ts';
import { digestSkill } from '../../skill/quiz/index.ts';
import { bodyOf, type Skill } from '../../skill/skill/index.ts';
import { type PermissionDecision, rememberPermission } from '../../skill/workspace/index.ts';
import { openListed } from './open-listed.ts';
import type { LoadOptions, PermissionQuestion, SessionOptions } from './session.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionView } from './session-view.ts';

/** What a guard judges by; all of it may change while a session lives. */
export interface GuardedState {
  readonly view: () => Promise<SessionView>;
  readonly settings: () => SessionSettings;
  readonly judge: () => Judge;
}

/** How a skill is accessed. */
export interface GuardOptions extends LoadOptions {
  /** Without it a model reads, and the user invokes. */
  readonly operation?: Operation | undefined;
}

/** A skill that may be used, as it is on the disk now. */
export interface GuardedSkill extends FoundRecord {
  readonly content: Skill & { readonly body: string; readonly bodyLine: number };
  /** How much of it may be given. Ask after reading. */
  reach(files: Iterable<string>): Promise<Reach>;
}

/** Guards the skills of one session. */
export interface SkillGuard {
  /** The skill after every check but its own quiz: on what was found, not on what was asked for. */
  access(reference: SkillReference, how: GuardOptions): Promise<GuardedSkill>;
  /** Whether the model or the user may still use a skill. */
  isUsable(skill: SkillRecord, view: SessionView): boolean;
  check(question: PermissionQuestion): Promise<PermissionDecision>;
  /** Confirms loading a skill, for good unless `persist` is false. False when it holds for this session and text only. */
  remember(reference: SkillReference, options?: { readonly persist?: boolean }): Promise<boolean>;
}

/** Makes a guard. What is confirmed holds as long as it lives, for the text that was confirmed. */
export function createGuard(options: SessionOptions, state: GuardedState): SkillGuard {
  const { cwd, home, policy = 'ambiguous' } = options;
  const confirmed = new Set<string>();
  const keyOf = (skill: SkillRecord, digest: string, tool: string) => `${skill.path}\0${digest}\0${tool}`;

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
  const confirm = async (skill: SkillRecord, tool: string, how: GuardOptions): Promise<void> => {
    const answer = how.confirmed === true || (await options.confirm?.(skill));
    if (answer !== true && answer !== 'remember') throw unconfirmed(skill);
    // Only loading is allowed for good.
    if (answer === 'remember' && tool === 'skill_load') allow(skill);
  };
  const allow = (skill: SkillRecord): boolean => {
    const { workspace, permissions } = state.settings();
    const { name: skill_name, dir: path } = skill;
    const permission = { tool: 'skill_load', skill_name, path, digest: digestSkill(path) };
    const isWritten = rememberPermission(workspace.user, permission);
    if (isWritten) permissions.remember(permission);
    return isWritten;
  };
  /** What one of them may not use, the other may: it is the user who confirms. */
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
      const tools = ['skill_load', 'skill_run'];
      for (;;) {
        const asked = tools.filter((tool) => confirmed.has(keyOf(now, content.digest, tool)));
        const question = { operation, by, confirmed: asked };
        const verdict = await judge.judge(now, question, { author: how.author, exceptGate: true });
        if (verdict.verdict === 'allow') break;
        if (verdict.verdict !== 'ask') throw refusalOf(verdict);
        await confirm(now, verdict.tool, how);
        confirmed.add(keyOf(now, content.digest, verdict.tool));
      }
      const reach = (files: Iterable<string>) =>
        findReach(judge, now, { files, question: { operation: 'read', by }, author: how.author });
      return { ...found, content: { ...content, ...bodyOf(content) }, reach };
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
    async remember(reference, { persist = true } = {}) {
      const { skill } = await findForAnyone(reference);
      if (persist && allow(skill)) return true;
      confirmed.add(keyOf(skill, openListed(skill).digest, 'skill_load'));
      return false;
    },
  };
}

/** Of several skills of a name, the answer that holds for each of them. */
function strictest(decisions: readonly PermissionDecision[]): PermissionDecision | undefined {
  const order = ['allow', 'confirm', 'deny'];
  return decisions.toSorted((a, b) => order.indexOf(b.effect) - order.indexOf(a.effect))[0];
}
