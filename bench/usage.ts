// Cost of the access log for readers, and the time of statistics over a million accesses.

import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { closeLogs, logPath } from '../packages/skillwright/src/read/usage/access-log.ts';
import { usageGroups } from '../packages/skillwright/src/read/usage/usage-group.ts';
import { writeAccess } from '../packages/skillwright/src/read/usage/write-access.ts';
import { compare, type Figure, median, time } from './figure.ts';
import { inWorkplace, node, skc, smallSkill, write } from './workplace.ts';

const ROWS = 1_000_000;

/** Writes rows to the log as commands do, and queries statistics as users do. */
export function measureUsage(): Promise<Figure[]> {
  return inWorkplace((directory) => {
    const { name, text } = smallSkill(7);
    write(join(directory, '.skillc/skills', name, 'SKILL.md'), text);
    const env = { PATH: process.env.PATH, SKC_HOME: join(directory, 'home') };
    const run = (command: string, args: string[], more: Record<string, string> = {}): number => {
      const start = performance.now();
      const { status, stderr } = spawnSync(command, args, {
        cwd: directory,
        env: { ...env, ...more },
        maxBuffer: 1024 ** 3,
      });
      if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
      return performance.now() - start;
    };
    run(skc, ['build', name, '--target', 'none']);
    const runtime = join(directory, '.skillc/runtime', name);
    const figures = [measureRow(directory), ...measureShow(run, name)];
    fillLog(runtime, { skill: name, dir: join(directory, '.skillc/skills', name) });
    const started = median(Array.from({ length: 5 }, () => run(node, ['-e', '0'])));
    for (const group of usageGroups) {
      const value = median(
        Array.from({ length: 3 }, () => run(skc, ['stats', name, '--group-by', group, '--json'])),
      );
      const figure = compare(`skc stats, ${group}, a million rows`, value, {
        name: 'node -e 0',
        value: started,
      });
      figures.push({ ...figure, target: { text: 'under 1,000 ms', met: value < 1000 } });
    }
    return figures;
  });
}

const access = {
  command: 'show',
  skill: 'demo',
  skill_path: '/skills/demo',
  args: { skill: 'demo', section: ['Steps'], sections: [{ file: 'SKILL.md', section: 'Steps' }] },
  error: null,
  bytes: 800,
  tokens: 200,
  duration_ms: 1.5,
};

/** One row from a running process, compared with the bare SQL statement. */
function measureRow(directory: string): Figure {
  const place = { runtime: join(directory, 'row'), cwd: directory, env: {}, now: new Date() };
  const written = time(2000, () => writeAccess(access, place));
  closeLogs();
  const database = new DatabaseSync(join(directory, 'raw.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE log (args TEXT)');
  const insert = database.prepare('INSERT INTO log VALUES (?)');
  const args = JSON.stringify(access);
  const raw = time(2000, () => insert.run(args));
  database.close();
  return compare('access log, a row in a running process', written, {
    name: 'raw SQLite insert',
    value: raw,
  });
}

/** The same command with and without the log, in turn. */
function measureShow(
  run: (command: string, args: string[], env?: Record<string, string>) => number,
  name: string,
): Figure[] {
  const times: { log: number[]; none: number[] } = { log: [], none: [] };
  const words = ['show', name, '--section', 'Step 1'];
  for (let round = 0; round < 60; round++) {
    times.none.push(run(skc, words, { SKC_NO_LOG: '1' }));
    times.log.push(run(skc, words));
  }
  const baseline = { name: 'without the log', value: median(times.none) };
  return [compare('skc show, cold, with the log', median(times.log), baseline)];
}

/** A year of use: searches, files, outlines and sections, most of them repeated. */
function fillLog(runtime: string, { skill, dir }: { skill: string; dir: string }): void {
  mkdirSync(dirname(logPath(runtime)), { recursive: true });
  const database = new DatabaseSync(logPath(runtime));
  database.exec('PRAGMA synchronous = OFF');
  database
    .prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS - 1})
      INSERT INTO access_log (timestamp, run_id, command, skill, skill_path, cwd, args, error, bytes, tokens, duration_ms)
      SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 1735689600 + i * 30, 'unixepoch'), printf('run-%d', i / 50),
        CASE i % 5 WHEN 0 THEN 'search' WHEN 1 THEN 'open' WHEN 2 THEN 'outline' ELSE 'show' END,
        ?, ?, printf('/home/somebody/projects/%d', i % 97),
        CASE i % 5
          WHEN 0 THEN json_object('skill', 'demo', 'query', json_array('how', 'to', i % 5003), 'results', i % 7)
          WHEN 1 THEN json_object('skill', 'demo', 'path', 'f' || (i % 41), 'files', json_array('f' || (i % 41)))
          WHEN 2 THEN json_object('skill', 'demo', 'level', 6)
          ELSE json_object('skill', 'demo', 'section', json_array('Part ' || (i % 301)), 'sections',
            json_array(json_object('file', 'f' || (i % 41), 'section', 'Part ' || (i % 301))))
        END,
        CASE WHEN i % 50 = 0 THEN 'E020' END, i % 4000, i % 1000, 0.5
      FROM n`,
    )
    .run(skill, dir);
  database.close();
}
