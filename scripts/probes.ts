// npm run probes [-- <words>]: tries to break every promise of docs/security.md, or those with one of the words in their section
// or text, and prints what came of it. Commands run in the built executable.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { threatSections } from './threats.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const isMeant = (text: string) =>
  words.length === 0 || words.some((word) => text.toLowerCase().includes(word));

const chosen = threatSections
  .map(({ title, threats }) => ({
    title,
    threats: threats.filter(({ promise }) => isMeant(`${title} ${promise}`)),
  }))
  .filter(({ threats }) => threats.length > 0);
const files = [...new Set(chosen.flatMap(({ threats }) => threats.flatMap(({ probes }) => probes)))];

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const place = mkdtempSync(join(tmpdir(), 'skc-probes-'));
try {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  process.env.SKC_TEST_PROGRAM = join(root, 'packages/skillwright/native/skc');
  process.stderr.write(`${files.length} files of probes; this takes minutes\n`);
  const isSoak = (path: string) => path.endsWith('.soak.test.ts');
  printResults({
    testResults: [
      ...runProbes('vitest.config.ts', (path) => !isSoak(path)),
      ...runProbes('vitest.soak.config.ts', isSoak),
    ],
  });

  function runProbes(config: string, isOf: (path: string) => boolean): Report['testResults'] {
    const chosenFiles = files.filter(isOf);
    if (chosenFiles.length === 0) return [];
    const output = join(place, `${config}.json`);
    // A dot for each probe while they run; the report says which failed.
    const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${output}`];
    spawnSync(process.execPath, [vitest, 'run', '--config', config, ...reporters, ...chosenFiles], {
      cwd: root,
      stdio: ['ignore', process.stderr.fd, 'inherit'],
    });
    return (JSON.parse(readFileSync(output, 'utf8')) as Report).testResults;
  }
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** One line for each promise: kept when all of its probes failed to break it, and at least one ran. */
function printResults({ testResults }: Report): void {
  const byFile = new Map(testResults.map((result) => [relative(root, result.name), result]));
  let broken = 0;
  for (const { title, threats } of chosen) {
    process.stdout.write(`\n${title}\n`);
    for (const { promise, probes } of threats) {
      const results = probes.map((path) => byFile.get(path));
      const tried = results.flatMap((result) => result?.assertionResults ?? []);
      const failed = tried.filter(({ status }) => status === 'failed');
      const passed = tried.filter(({ status }) => status === 'passed').length;
      const isKept =
        passed > 0 && failed.length === 0 && results.every((result) => result?.status === 'passed');
      if (!isKept) broken += 1;
      const count = `${passed} of ${tried.length}`;
      process.stdout.write(`${isKept ? 'kept  ' : 'BROKEN'}  ${count.padStart(10)}  ${promise}\n`);
      for (const { fullName } of failed) process.stdout.write(`        ${fullName}\n`);
    }
  }
  const all = chosen.reduce((sum, { threats }) => sum + threats.length, 0);
  process.stdout.write(`\n${all - broken} of ${all} promises kept\n`);
  process.exitCode = broken === 0 ? 0 : 1;
}
