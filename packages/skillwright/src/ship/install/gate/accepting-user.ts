// Whose name stands under an acceptance.

import { spawn } from 'node:child_process';
import type { Workspace } from '../../../skill/workspace/index.ts';

const MAX_NAME = 200;
const TIMEOUT_MS = 2_000;

/** The user's name as git knows it, else the name of the account. A repository has no say in it. */
export async function acceptingUser({ env, home }: Pick<Workspace, 'env' | 'home'>): Promise<string> {
  const name = (await gitName({ env, home })) || env.USER || env.LOGNAME || env.USERNAME || 'unknown';
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, MAX_NAME) || 'unknown'
  );
}

/** `user.name` of the user's own git configuration; empty when there is none, or no git. */
function gitName({ env, home }: Pick<Workspace, 'env' | 'home'>): Promise<string> {
  const { PATH, XDG_CONFIG_HOME } = env;
  return new Promise((resolve) => {
    const child = spawn('git', ['config', '--global', '--get', 'user.name'], {
      cwd: home,
      env: { PATH, HOME: home, ...(XDG_CONFIG_HOME === undefined ? {} : { XDG_CONFIG_HOME }) },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: TIMEOUT_MS,
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(0, MAX_NAME);
    });
    child.on('error', () => resolve(''));
    child.on('close', () => resolve(text.trim()));
  });
}
