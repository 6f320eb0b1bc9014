// A Node too old to run skc when the native executable is missing.

import { askProgram, findProgram } from '../../../base/files/index.ts';
import { defineCheck } from '../check.ts';

const TIMEOUT_MS = 5000;
/** The same version as in the launcher `skc`. */
const OLDEST = [22, 18] as const;

/** Reports a Node that is too old for the fallback. */
export const oldNode = defineCheck({
  id: 'old-node',
  group: 'this machine',
  summary: 'Node, if installed, can run skc.',
  async find({ context }) {
    const { env } = context.workspace;
    const path = findProgram('node', env);
    if (path === undefined || findProgram('bun', env) !== undefined) return [];
    const answer = await askProgram(path, ['--version'], { env, timeoutMs: TIMEOUT_MS });
    const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(answer ?? '') ?? [];
    if (major === undefined || isNewEnough(Number(major), Number(minor))) return [];
    return [
      {
        severity: 'info' as const,
        subject: path,
        message: `Node ${major}.${minor} is too old for skc without its native executable`,
        why: `Where the native executable is missing, skc needs Node ${OLDEST.join('.')} or later.`,
        fix: `install Node ${OLDEST.join('.')} or later`,
      },
    ];
  },
});

const isNewEnough = (major: number, minor: number) =>
  major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
