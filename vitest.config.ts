import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { SkippedTestsReporter } from './scripts/skipped-tests-reporter.ts';

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts'],
    pool: 'forks',
    // Vitest leaves one core to itself, which halves the speed on two cores.
    maxWorkers: '100%',
    // Files of one worker share their modules: reading them anew for each file took a third of the time.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    // Tests start hundreds of processes from the sources; each module is compiled once for all of them.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/skillwright-tests', import.meta.url)),
    },
    // Guards against hanging, not limits on speed: a busy machine must not fail a test.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', new SkippedTestsReporter()],
  },
});
