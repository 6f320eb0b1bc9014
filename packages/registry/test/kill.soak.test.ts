// The embedded database survives kill -9 at any moment: it opens again, and nothing that was reported is lost.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openEmbedded } from '../src/store/open-embedded.ts';
import { copyEmptyData } from './copy-empty-data.ts';

const program = fileURLToPath(new URL('write-until-killed.ts', import.meta.url));

/** Runs the writer until a line ends it; then it is killed. Returns all lines. */
async function runUntil(data: string, isEnd: (line: string, writes: number) => boolean): Promise<string[]> {
  const child = spawn(process.execPath, [program, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines: string[] = [];
  let writes = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.startsWith('wrote')) writes++;
    if (isEnd(line, writes)) child.kill('SIGKILL');
  }
  await ended;
  return lines;
}

test('a killed writer loses nothing it reported', async () => {
  const data = mkdtempSync(join(tmpdir(), 'skw-kill-'));
  await copyEmptyData(data);
  let last = 0;
  const kills = 50;
  try {
    for (let round = 1; round <= kills; round++) {
      // Every fourth is killed while it opens or repairs; the others after some writes.
      const wanted = 1 + ((round * 7) % 20);
      const lines = await runUntil(data, (line, writes) =>
        round % 4 === 0 ? line === 'opening' : writes === wanted,
      );
      expect(lines.filter((line) => line.startsWith('failed'))).toEqual([]);
      const found = lines
        .find((line) => line.startsWith('found'))
        ?.split(' ')
        .slice(1)
        .map(Number);
      if (found !== undefined) {
        const [count = 0, newest = 0, audited = 0] = found;
        // The last row may have been written and not reported.
        expect(newest - last).toBeOneOf([0, 1]);
        expect([count, audited]).toEqual([newest, newest]);
        if (newest > 0) expect(lines).toContain(`archive ${String(newest).length}`);
        last = newest;
      }
      for (const line of lines) if (line.startsWith('wrote')) last = Number(line.slice(6));
    }
    const holder = await openEmbedded(data);
    const [refused] = (await runUntil(data, () => false)).slice(1);
    expect(refused).toMatch(/^failed another process uses the data directory/);
    const [row] = await holder.query<{ count: number }>('select count(*) as count from owners');
    expect(row!.count - last).toBeOneOf([0, 1]);
    await holder.close();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}, 1_800_000);
