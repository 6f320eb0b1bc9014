// The unit tests that run on Windows, for `npm run test:windows`.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/skillwright/src/{base,skill,make}/**/*.test.ts'],
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
