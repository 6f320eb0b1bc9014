import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SkippedTestsReporter } from './scripts/skipped-tests-reporter.ts';

// Workers and the hundreds of processes that tests start inherit this: each module is compiled once for all of them.
process.env.NODE_COMPILE_CACHE = fileURLToPath(
  new URL('node_modules/.cache/skillwright-tests', import.meta.url),
);

/**
 * The longest files run first, so that no worker is left alone with one of them; then those that start processes. The registry
 * comes last: with its databases in memory, a worker is so large that starting a process takes long.
 */
const long =
  /\/(?:judge-(?:commands|matrix)|pages\/pages|journey|import|executable|mcp-person|access-matrix)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) =>
      (moduleId.includes('/packages/registry/') ? 3 : 0) +
      (long.test(moduleId) ? 0 : moduleId.includes('/src/') ? 2 : 1);
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

// Vitest ignores `--sequence.shuffle` when there is a sequencer.
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));

export default defineConfig({
  test: {
    include: ['packages/*/{src,test}/**/*.test.ts'],
    exclude: ['**/*.soak.test.ts'],
    pool: 'forks',
    // Vitest leaves one core to itself, and a third of the time tests wait for processes they started.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Files of one worker share their modules: reading them anew for each file took a third of the time.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    ...(isShuffled ? {} : { sequence: { sequencer: LongestFirst } }),
    // Guards against hanging, not limits on speed: a busy machine must not fail a test.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', new SkippedTestsReporter()],
  },
});
