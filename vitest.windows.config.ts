// The unit tests that run on Windows, for `npm run test:windows`.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Of ship, the parts that decide without a server, a repository or a terminal.
    include: [
      'packages/skillwright/src/{base,skill,make,read,guard}/**/*.test.ts',
      'packages/skillwright/src/ship/{log,protocol}/**/*.test.ts',
      'packages/skillwright/src/ship/install/{archive,gate,lock,plan,source}/**/*.test.ts',
    ],
    // Under Wine the start of a process takes seconds, and these start hundreds.
    exclude: ['**/*.soak.test.ts'],
    setupFiles: ['scripts/windows/skip-tests.ts'],
    pool: 'threads',
    maxWorkers: '100%',
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
