// Questions about permissions in a session, and confirmations the user gives in advance.

import { recordsNamed } from '../../read/access/index.ts';
import { decide } from '../../skill/judge/index.ts';
import type { PermissionDecision } from '../../skill/workspace/index.ts';
import type { Session } from './session.ts';
import { accessTo, type SessionState, viewOf } from './session-state.ts';

/** The permissions of a session. */
export const permissionsOf = (state: SessionState): Session['permissions'] => ({
  async check({ tool, name, path }) {
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
  async remember(reference, { persist = true, tool = 'skill_load' } = {}) {
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
