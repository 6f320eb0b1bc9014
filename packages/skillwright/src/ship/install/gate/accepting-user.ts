// The name recorded with an acceptance.

import { askProgram } from '../../../base/files/index.ts';
import type { Workspace } from '../../../skill/workspace/index.ts';

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
