import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { makeDirectory } from '../../../test/make-directory.ts';
import { rowsIn } from '../../../test/rows-in.ts';
import type { LoggedAccess } from './access-log.ts';

const access: LoggedAccess = {
  command: 'show',
  skill: 'demo',
  skill_path: '/s/demo',
  args: {},
  error: null,
  bytes: 120,
  tokens: 30,
  duration_ms: 1.25,
};

const processes = 100;
const rows = 100;

test(`${processes} processes write ${rows} rows each at once: none is lost, none fails`, async () => {
  const root = makeDirectory({ cwd: { directory: true } });
  const place = { runtime: join(root, 'runtime/demo'), cwd: join(root, 'cwd'), env: { SKC_RUN_ID: 'run-1' } };
  const program = `
    const { writeAccess } = await import(${JSON.stringify(new URL('write-access.ts', import.meta.url).href)});
    const [writer, rows, access, place] = process.argv.slice(1).map((word) => JSON.parse(word));
    for (let number = 0; number < rows; number++) {
      const said = writeAccess({ ...access, args: { writer, number } }, { ...place, now: new Date() });
      if (said.length > 0) throw new Error(JSON.stringify(said));
    }`;
  const outcomes = await Promise.all(
    Array.from({ length: processes }, async (_, writer) => {
      const words = [writer, rows, access, place].map((value) => JSON.stringify(value));
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, ...words]);
      const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      return status === 0 ? '' : stderr;
    }),
  );
  expect(outcomes.filter((outcome) => outcome !== '')).toEqual([]);
  const written = rowsIn(join(place.runtime, '.skillc/logs.db')).map(({ args }) => String(args));
  const expected = Array.from({ length: processes * rows }, (_, index) =>
    JSON.stringify({ writer: Math.floor(index / rows), number: index % rows }),
  );
  expect(written.sort()).toEqual(expected.sort());
  expect(readdirSync(place.cwd)).toEqual([]);
});
