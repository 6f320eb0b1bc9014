import { defineConfig } from 'vitest/config';
import { SkippedTestsReporter } from './scripts/skipped-tests-reporter.ts';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', new SkippedTestsReporter()],
  },
});
