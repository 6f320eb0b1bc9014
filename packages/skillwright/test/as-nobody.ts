// Permissions do not bind root, so tests about them run as another user.

import type { TestContext } from 'vitest';

const NOBODY = 65534;

/** Runs `work` without the rights of root. Skips the test if the process can neither drop these rights nor change its user. */
export function asNobody<T>(context: TestContext, work: () => T): T {
  if (process.geteuid === undefined || process.seteuid === undefined) {
    return context.skip('permissions cannot be tested on this platform');
  }
  if (process.geteuid() !== 0) return work();
  const root = () => process.seteuid!(0);
  process.seteuid(NOBODY);
  let isPending = false;
  try {
    const result = work();
    isPending = result instanceof Promise;
    return isPending ? ((result as Promise<unknown>).finally(root) as T) : result;
  } finally {
    if (!isPending) root();
  }
}
