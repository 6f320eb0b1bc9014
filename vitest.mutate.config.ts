// `npm run mutate`: scripts/mutate.ts names the test files in a variable.

import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: JSON.parse(process.env.MUTATE_TESTS ?? '[]') as string[],
    // Coverage is counted for each test, so each file needs modules of its own.
    isolate: true,
  },
});
