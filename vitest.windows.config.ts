// The unit tests that run on Windows, for `npm run test:windows`.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/skillwright/src/{base,skill,read,make,guard,ship}/**/*.test.ts'],
    pool: 'threads',
    maxWorkers: '100%',
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
