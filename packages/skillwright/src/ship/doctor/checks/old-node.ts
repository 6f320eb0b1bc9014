// A Node that cannot run the JavaScript of skc, should the native executable be missing.

import { askProgram, findProgram } from '../../../base/files/index.ts';
import { defineCheck } from '../check.ts';

const TIMEOUT_MS = 5000;
/** As the starter `skc` has it. */
const OLDEST = [22, 18] as const;

/** Reports a Node that is too old for the fallback. */
export const oldNode = defineCheck({
  id: 'old-node',
  group: 'this machine',
  summary: 'Node, where there is one, can run skc.',
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
        why: `On platforms without one, and in packages that leave it out, skc needs Node ${OLDEST.join('.')} or later.`,
        fix: `install Node ${OLDEST.join('.')} or later`,
      },
    ];
  },
});

const isNewEnough = (major: number, minor: number) =>
  major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
