// The version and the runtime. A test compares the number with package.json.

/** The version of skillwright. */
export const toolVersion = '0.1.0';

/** How skc is running: as the compiled executable, or as JavaScript on Bun or Node. */
export type Runtime = 'native' | 'bun' | 'node';

/** The runtime of this process and its version. */
export function describeRuntime(): { runtime: Runtime; runtime_version: string } {
  const { bun, node } = process.versions;
  if (bun === undefined) return { runtime: 'node', runtime_version: node };
  // A compiled executable serves its own modules from a virtual file system.
  // On Windows that is B:\~BUN, whose URL says %7EBUN.
  const compiled = /\$bunfs|(?:~|%7E)BUN/i.test(import.meta.url);
  return { runtime: compiled ? 'native' : 'bun', runtime_version: bun };
}
