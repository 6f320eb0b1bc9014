// `npm run mutate [-- module…]`: changes one expression at a time in the modules that decide, and lists the changes that
// the tests beside them do not notice. Results are kept in node_modules/.cache, so the next run tests only what changed.

import { Stryker } from '@stryker-mutator/core';
import { table } from './markdown-table.ts';

/** Killed mutants that each module needs, in percent. */
const ENOUGH = 85;

interface Module {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

const library = (...paths: string[]) => paths.map((path) => `packages/skillwright/src/${path}`);

const modules: Readonly<Record<string, Module>> = {
  judge: {
    files: library('skill/judge/!(index|*.test).ts'),
    tests: library('skill/judge/*.test.ts'),
  },
  gate: {
    files: library('ship/install/gate/{demands,gate,refusal}.ts'),
    tests: library('ship/install/gate/*.test.ts'),
  },
  'lock merge': {
    files: library('ship/install/lock/{acceptance,merge-locks}.ts'),
    tests: library('ship/install/lock/{lock,merge-locks}.test.ts', 'ship/install/gate/*.test.ts'),
  },
  verdict: {
    files: library('guard/scan/judge-findings.ts'),
    tests: library('guard/scan/judge-findings.test.ts'),
  },
  'trust score': {
    files: library('guard/scan/score-trust.ts'),
    tests: library('guard/scan/score-trust.test.ts'),
  },
  proofs: {
    files: library(
      'ship/log/{check-advance,check-proof,check-successor,hash-node,make-proof,verify-proof}.ts',
    ),
    tests: library('ship/log/*.test.ts'),
  },
  containment: {
    files: library('base/files/{contained-path,locate-file,skill-part}.ts'),
    tests: library('base/files/{contained-path,refuse-links}.test.ts'),
  },
  permissions: {
    files: library('skill/workspace/{create-permissions,permission-memory}.ts'),
    tests: library('skill/workspace/{permissions,permission-memory}.test.ts'),
  },
  'configuration layers': {
    files: library('skill/config/load-config.ts'),
    tests: library('skill/config/load-config.test.ts'),
  },
  'registry rights': {
    files: ['packages/registry/src/access/may.ts'],
    tests: ['packages/registry/src/access/may.test.ts'],
  },
};

/** The killed and all mutants of a module. A mutant that never ends is killed too. */
async function mutate(name: string, { files, tests }: Module): Promise<{ killed: number; total: number }> {
  process.env.MUTATE_TESTS = JSON.stringify(tests);
  const results = await new Stryker({
    mutate: [...files],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // A process, not a thread: some tests change the user they run as.
    vitest: { configFile: 'vitest.mutate.config.ts', related: false, pool: 'forks' },
    // The tests run the sources as they are, and TypeScript 7 has no API to rewrite this file with.
    tsconfigFile: 'none',
    ignorePatterns: ['/bench', '/docs', '/examples', '/skills', 'dist', 'native', 'man'],
    tempDirName: 'node_modules/.cache/stryker',
    incremental: true,
    incrementalFile: `node_modules/.cache/mutants-${name.replaceAll(' ', '-')}.json`,
    concurrency: 1,
    // A busy machine must not pass for a mutant that never ends.
    timeoutMS: 60_000,
    reporters: ['clear-text'],
    clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: false, logTests: false },
  }).runMutationTest();
  const count = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout');
  return { killed, total: killed + count('Survived', 'NoCoverage') };
}

const chosen = process.argv.slice(2);
const rows: string[][] = [];
for (const [name, module] of Object.entries(modules)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const { killed, total } = await mutate(name, module);
  const share = Math.floor((100 * killed) / total);
  if (share < ENOUGH) process.exitCode = 1;
  rows.push([name, `${killed} of ${total}`, `${share} %`]);
}
console.log(table(['module', 'killed', 'share'], rows));
