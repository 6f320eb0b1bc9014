// No sandbox: the limits of a run without its walls, for a user who has asked for that.

import type { Environment } from '../../base/files/index.ts';
import { createPrivateSandbox } from './private-sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs commands as the user. The programs are those on the user's PATH; no other variable is inherited. */
export function createUnsandboxed({ PATH }: Environment): Sandbox {
  return createPrivateSandbox({ name: 'none', variables: PATH === undefined ? {} : { PATH } });
}
