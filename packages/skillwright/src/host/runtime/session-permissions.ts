// Permissions of a session: what the rules say, and what the user confirmed.

import * as z from 'zod';
import { recordsNamed, type SkillReference } from '../../read/access/index.ts';
import { PermissionRule } from '../../skill/config/index.ts';
import { decide, type GuardedTool } from '../../skill/judge/index.ts';
import type { PermissionDecision } from '../../skill/workspace/index.ts';
import { listsSkills, method, withReference } from './session-method.ts';
import { accessTo, type SessionState, viewOf } from './session-state.ts';

export const check = method({
  rpc: 'permissions.check',
  summary: 'Check the rules for a tool and a skill',
  input: z.strictObject({
    tool: z.string().min(1).default('skill_load'),
    name: z.string().optional(),
    path: z.string().optional(),
  }),
  output: z.strictObject({
    effect: z.enum(['allow', 'deny', 'confirm']),
    layer: z.enum(['built-in', 'user', 'project', 'default']).describe('Where the rule comes from'),
    rule: PermissionRule.nullable(),
  }),
  ...listsSkills,
  wire: (question, run) => run(question),
  async run(
    state: SessionState,
    { tool, name, path }: SkillReference & { readonly tool: string },
  ): Promise<PermissionDecision> {
    const { permissions } = state.settings;
    if (path !== undefined && path !== '') {
      const { record } = await (await accessTo(state)).find({ path });
      return decide(record, permissions, tool);
    }
    if (name === undefined || name === '') return permissions.check({ tool });
    const { catalog } = await viewOf(state);
    const decisions = recordsNamed(catalog, name).map((skill) => decide(skill, permissions, tool));
    return strictest(decisions) ?? permissions.check({ tool, skill_name: name });
  },
});

export const remember = method({
  rpc: 'permissions.remember',
  summary: 'Allow a skill that the user has confirmed',
  input: withReference({
    tool: z
      .enum(['skill_load', 'skill_run'])
      .default('skill_load')
      .describe('The confirmed operation: tool in the data of E061'),
    persist: z.boolean().default(true).describe('False: only for this session and the current files'),
  }),
  output: z.strictObject({ remembered: z.boolean().describe('False when it holds for this session only') }),
  writes: ['state'],
  touches: { skill: 'name', operation: 'read' },
  wire: async ({ tool, persist, ...reference }, run) => ({
    remembered: await run(reference, { tool, persist }),
  }),
  async run(
    state: SessionState,
    reference: SkillReference,
    { persist = true, tool = 'skill_load' }: { readonly persist?: boolean; readonly tool?: GuardedTool } = {},
  ): Promise<boolean> {
    const access = await accessTo(state);
    // The user confirms for both, so either may be allowed to use it.
    const { record } = await access.find(reference, { operation: 'read', by: 'model' }).catch((refused) =>
      access.find(reference, { operation: 'invoke', by: 'user' }).catch(() => {
        throw refused;
      }),
    );
    if (persist) return state.confirmations.remember(record, tool);
    state.confirmations.add(record, tool);
    return false;
  },
});

/** If several skills share a name: the decision that holds for all of them. */
function strictest(decisions: readonly PermissionDecision[]): PermissionDecision | undefined {
  const order = ['allow', 'confirm', 'deny'];
  return decisions.toSorted((a, b) => order.indexOf(b.effect) - order.indexOf(a.effect))[0];
}
