import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SkillwrightError } from '../src/base/diagnostics/skillwright-error.ts';
import { listSources } from '../src/read/gateway/list-sources.ts';
import { openFile } from '../src/read/gateway/open-file.ts';
import { makeDirectory } from './make-directory.ts';
import { skillText } from './make-world.ts';

describe('a link swapped in after the check', () => {
  /** Swaps `place` between a real directory and a link to the outside, as fast as it can, in another process. Returns when that has begun. */
  async function keepSwapping(root: string): Promise<void> {
    const script = `
      const { renameSync } = require('node:fs');
      process.chdir(${JSON.stringify(root)});
      process.stdout.write('swapping');
      for (;;) {
        renameSync('skill/place', 'real'); renameSync('link', 'skill/place');
        renameSync('skill/place', 'link'); renameSync('real', 'skill/place');
      }`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
  }

  function makeTrap(): string {
    const root = makeDirectory({
      'skill/SKILL.md': skillText('skill'),
      'skill/place/file.txt': 'inside',
      'outside/file.txt': 'OUTSIDE',
      'outside/secret-name.txt': 'OUTSIDE',
    });
    symlinkSync(join(root, 'outside'), join(root, 'link'));
    return root;
  }

  test('open never gives what is outside', async () => {
    const root = makeTrap();
    await keepSwapping(root);
    const seen = new Set<string>();
    for (let round = 0; round < 20_000; round++) {
      try {
        seen.add(
          openFile(join(root, 'skill'), { path: 'place/file.txt', maxLines: undefined, lines: undefined })
            .content,
        );
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        seen.add(error.code);
      }
    }
    expect(seen).not.toContain('OUTSIDE');
    expect([...seen].filter((what) => !['inside', 'E012', 'E021', 'E015'].includes(what))).toEqual([]);
  });

  test('sources never names what is outside', async () => {
    const root = makeTrap();
    await keepSwapping(root);
    const seen = new Set<string>();
    for (let round = 0; round < 20_000; round++) {
      try {
        const { entries } = await listSources(join(root, 'skill'), {
          dir: round % 2 === 0 ? 'place' : undefined,
          depth: undefined,
          limit: 100,
          pattern: undefined,
        });
        for (const { path } of entries) seen.add(path);
      } catch (error) {
        if (!(error instanceof SkillwrightError)) throw error;
        seen.add(error.code);
      }
    }
    expect(seen).not.toContain('place/secret-name.txt');
  });
});
