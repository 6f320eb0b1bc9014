// Runs without a sandbox, but with limits, when the user asked for it.

import type { Environment } from '../../base/files/index.ts';
import { createPrivateSandbox } from './private-sandbox.ts';
import type { Sandbox } from './sandbox.ts';

/** Runs commands as the user, with the user's PATH; no other variable is inherited. */
export function createUnsandboxed({ PATH }: Environment): Sandbox {
  return createPrivateSandbox({ name: 'none', variables: PATH === undefined ? {} : { PATH } });
}
