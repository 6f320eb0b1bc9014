// The one way from a reference to a skill's text. Whoever loads, reads or plans comes through here.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { SkillRecord } from '../../read/catalog/index.ts';
import { type FoundRecord, findRecord, recordsNamed, type SkillReference } from './find-record.ts';
import { type Actor, decide, hiddenReason, refusal } from './judge-skill.ts';
import { rememberPermission } from './permission-memory.ts';
import type { PermissionDecision, Permissions } from './permissions.ts';
import { type ReadSkill, readSkill } from './read-skill.ts';
import type { LoadOptions, PermissionQuestion, SessionOptions } from './session.ts';
import type { SessionView } from './session-view.ts';

/** What a guard judges by; both may change while a session lives. */
export interface GuardedState {
  readonly view: () => Promise<SessionView>;
  readonly permissions: () => Permissions;
}

/** Guards the skills of one session. */
export interface SkillGuard {
  /** The skill as it is on the disk now, after every check: on what was found, not on what was asked for. */
  access(
    reference: SkillReference,
    how: LoadOptions & { readonly tool?: 'skill_run' },
  ): Promise<FoundRecord & { readonly content: ReadSkill }>;
  check(question: PermissionQuestion): Promise<PermissionDecision>;
  /** Confirms loading a skill, for good unless `persist` is false. False when it holds for this session and text only. */
  remember(reference: SkillReference, options?: { readonly persist?: boolean }): Promise<boolean>;
}

/** Makes a guard. What is confirmed holds as long as it lives, for the text that was confirmed. */
export function createGuard(options: SessionOptions, { view, permissions }: GuardedState): SkillGuard {
  const { cwd, home, policy = 'ambiguous' } = options;
  const confirmed = new Set<string>();

  const find = async (reference: SkillReference, by: Actor): Promise<FoundRecord> => {
    const { catalog } = await view();
    const hidden = (skill: SkillRecord) => hiddenReason(skill, { permissions: permissions(), by });
    return findRecord(catalog, reference, { cwd, home, policy, hidden });
  };
  const askFor = async (
    skill: SkillRecord,
    digest: string,
    how: LoadOptions & { readonly tool?: 'skill_run' },
  ): Promise<void> => {
    const key = `${skill.path}\0${digest}${how.tool === undefined ? '' : `\0${how.tool}`}`;
    if (confirmed.has(key)) return;
    const answer = how.confirmed === true || (await options.confirm?.(skill));
    if (answer !== true && answer !== 'remember')
      throw SkillwrightError.of('E061', { skill: skill.name }, { data: { path: skill.path } });
    confirmed.add(key);
    // Only loading is allowed for good.
    if (answer === 'remember' && how.tool === undefined) allow(skill);
  };
  const allow = (skill: SkillRecord): boolean => {
    const isWritten = rememberPermission(home, skill.name);
    if (isWritten) permissions().allow({ tool: 'skill_load', skill_name: skill.name });
    return isWritten;
  };
  /** What one of them may not use, the other may: it is the user who confirms. */
  const findForAnyone = (reference: SkillReference): Promise<FoundRecord> =>
    find(reference, 'model').catch((refused) =>
      find(reference, 'user').catch(() => {
        throw refused;
      }),
    );

  return {
    async access(reference, how) {
      const { by = 'model' } = how;
      const found = await find(reference, by);
      const content = readSkill(found.skill);
      const now = { ...found.skill, frontmatter: content.frontmatter };
      const reason = hiddenReason(now, { permissions: permissions(), by });
      if (reason !== undefined) throw refusal(found.skill, reason);
      const { tool, ...loading } = how;
      if (decide(now, permissions()).effect === 'confirm') await askFor(now, content.digest, loading);
      if (tool !== undefined) {
        const { effect } = decide(now, permissions(), tool);
        if (effect === 'deny') throw refusal(found.skill, 'denied');
        if (effect === 'confirm') await askFor(now, content.digest, how);
      }
      return { ...found, content };
    },
    async check({ tool, name, path }) {
      const { catalog } = await view();
      if (path !== undefined && path !== '') {
        const { skill } = findRecord(catalog, { path }, { cwd, home, policy, hidden: () => undefined });
        return decide(skill, permissions(), tool);
      }
      if (name === undefined || name === '') return permissions().check({ tool });
      const decisions = recordsNamed(catalog, name).map((skill) => decide(skill, permissions(), tool));
      return strictest(decisions) ?? permissions().check({ tool, skill_name: name });
    },
    async remember(reference, { persist = true } = {}) {
      const { skill } = await findForAnyone(reference);
      if (persist && allow(skill)) return true;
      confirmed.add(`${skill.path}\0${readSkill(skill).digest}`);
      return false;
    },
  };
}

/** Of several skills of a name, the answer that holds for each of them. */
function strictest(decisions: readonly PermissionDecision[]): PermissionDecision | undefined {
  const order = ['allow', 'confirm', 'deny'];
  return decisions.toSorted((a, b) => order.indexOf(b.effect) - order.indexOf(a.effect))[0];
}
