// Environment for a process that a test starts.

const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;

/** Where programs are, and where modules that were compiled once are kept. */
export const processEnvironment = { PATH, NODE_COMPILE_CACHE } as const;
