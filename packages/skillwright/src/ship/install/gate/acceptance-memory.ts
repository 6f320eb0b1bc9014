// Acceptances that the user of this machine has confirmed. A lock comes with a repository, so its acceptances are
// untrusted until the user confirms them.

import { askProgram, sha256 } from '../../../base/files/index.ts';
import { readState, type Store, updateState, type Workspace } from '../../../skill/workspace/index.ts';
import type { Acceptance } from '../lock/acceptance.ts';

const KEY = 'accepted_findings';

/** The acceptances that the user has not confirmed. */
export function unconfirmed(
  acceptances: readonly Acceptance[],
  user: Pick<Store, 'state'>,
): readonly Acceptance[] {
  if (acceptances.length === 0) return [];
  const known = new Set(listed(readState(user.state).state));
  return acceptances.filter((acceptance) => !known.has(keyOf(acceptance)));
}

/** Remembers acceptances as the user's own. E016 when that cannot be written. */
export function confirmAcceptances(acceptances: readonly Acceptance[], user: Pick<Store, 'state'>): void {
  if (unconfirmed(acceptances, user).length === 0) return;
  updateState(user.state, (state) => {
    const all = new Set([...listed(state), ...acceptances.map(keyOf)]);
    return { ...state, [KEY]: [...all].sort() };
  });
}

/** An acceptance covers one finding in one content, with the name and the reason that were shown. */
const keyOf = ({ finding, rule, file, digest, by, reason }: Acceptance): string =>
  sha256(JSON.stringify([finding, rule, file, digest, by, reason]));

function listed(state: Readonly<Record<string, unknown>>): string[] {
  const value = state[KEY];
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
}

const MAX_NAME = 200;
const TIMEOUT_MS = 2_000;

/** The user's name from git, else the account name. A repository cannot change it. */
export async function acceptingUser({ env, home }: Pick<Workspace, 'env' | 'home'>): Promise<string> {
  const name = (await gitName({ env, home })) || env.USER || env.LOGNAME || env.USERNAME || 'unknown';
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_NAME) || 'unknown'
  );
}

/** `user.name` from the user's own git configuration; undefined when it is not set or git is missing. */
function gitName({ env, home }: Pick<Workspace, 'env' | 'home'>): Promise<string | undefined> {
  const { PATH, XDG_CONFIG_HOME } = env;
  return askProgram('git', ['config', '--global', '--get', 'user.name'], {
    env: { PATH, HOME: home, XDG_CONFIG_HOME },
    timeoutMs: TIMEOUT_MS,
  });
}
