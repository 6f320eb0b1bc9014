// The studio with 5,000 skills and a million accesses: time of its pages, compared with an empty response of the same server.

import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assets } from '../packages/skillwright/src/front/pages/index.ts';
import { createLog, logPath } from '../packages/skillwright/src/read/usage/access-log.ts';
import { buildRecord } from '../packages/skillwright/src/skill/skill/index.ts';
import { compare, type Figure, median } from './figure.ts';
import { inWorkplace, node, repository, smallSkill, write } from './workplace.ts';

const SKILLS = 5000;
const ROWS_EACH = 200;
const REQUESTS = 41;
/** For a million accesses, on a busy machine. */
const COUNTING_MS = 240_000;
const executable = join(repository, 'packages/skillwright/native/skc');
const script = join(repository, 'packages/skillwright/src/front/cli/main.ts');

/** Starts a studio on them as a user would, and asks for its pages. */
export function measureStudio(): Promise<Figure[]> {
  return inWorkplace(async (directory) => {
    const names = Array.from({ length: SKILLS }, (_, number) => smallSkill(number));
    for (const { name, text } of names) write(join(directory, '.skillc/skills', name, 'SKILL.md'), text);
    write(join(directory, 'home/.skillc/config.toml'), `[catalog]\nmax_directories = ${2 * SKILLS}\n`);
    fillLogs(
      directory,
      names.map(({ name }) => name),
    );
    const started = performance.now();
    const words = ['studio', '--no-open'];
    const [command, args] = existsSync(executable) ? [executable, words] : [node, [script, ...words]];
    const studio = spawn(command, args, {
      cwd: directory,
      env: { PATH: process.env.PATH, SKC_HOME: join(directory, 'home') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      const address = await addressOf(studio.stderr);
      const startMs = performance.now() - started;
      return await measurePages(address, { pid: studio.pid!, startMs });
    } finally {
      studio.kill('SIGTERM');
    }
  });
}

function addressOf(output: NodeJS.ReadableStream): Promise<URL> {
  return new Promise((resolve, reject) => {
    let text = '';
    output.on('data', (chunk) => {
      text += chunk;
      const [found] = /http:\S+/.exec(text) ?? [];
      if (found !== undefined) resolve(new URL(found));
    });
    output.once('end', () => reject(new Error(`the studio did not start: ${text}`)));
  });
}

async function measurePages(
  address: URL,
  { pid, startMs }: { pid: number; startMs: number },
): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let cookie = '';
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<{ ms: number; text: string; cookie: string }>((resolve, reject) => {
      const from = performance.now();
      const sent = request(new URL(path, address), { agent, headers: { cookie, ...headers } }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.once('end', () =>
          resolve({
            ms: performance.now() - from,
            text,
            cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
          }),
        );
      });
      sent.once('error', reject).end();
    });
  cookie = (await get(address.pathname + address.search)).cookie;
  const first = await get('/');
  const json = { accept: 'application/json' };
  type Answer = { view: { skills: { id: string }[]; totals: { count: number } }; notes: string[] };
  let counted: Answer;
  const until = performance.now() + COUNTING_MS;
  do {
    if (performance.now() > until) throw new Error('the studio has not counted the accesses');
    counted = JSON.parse((await get('/?range=all', json)).text) as Answer;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // It goes on to scan and to measure skills, as it does for a user who looks at the pages meanwhile.
  } while (counted.notes.some((note) => note.startsWith('Accesses are still')));
  if (counted.view.totals.count !== SKILLS * ROWS_EACH)
    throw new Error(`the studio counted ${counted.view.totals.count} accesses`);
  const times: Record<string, number[]> = {};
  const pages = {
    empty: `/assets/${assets.icon.name}`,
    first: '/',
    second: '/?page=2&order=reads',
    skill: `/skills/${counted.view.skills[0]!.id}`,
    activity: '/activity',
  };
  for (let round = 0; round < REQUESTS; round++)
    for (const [name, path] of Object.entries(pages))
      times[name] = [...(times[name] ?? []), (await get(path)).ms];
  agent.destroy();
  const empty = { name: 'its smallest file', value: median(times.empty!) };
  const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  return [
    { name: 'studio, start, 5,000 skills', value: startMs, unit: 'ms' },
    {
      name: 'studio, very first page, 5,000 skills, a million accesses',
      value: first.ms,
      unit: 'ms',
      target: { text: 'under 1,000 ms', met: first.ms < 1000 },
    },
    compare('studio, first page', median(times.first!), { ...empty, atMost: 20 }),
    compare('studio, second page, by reads', median(times.second!), { ...empty, atMost: 20 }),
    compare('studio, page of a skill', median(times.skill!), empty),
    compare('studio, latest accesses', median(times.activity!), empty),
    { name: 'studio, memory', value: memory, unit: 'MB' },
  ];
}

/** Copies one log for every skill: sections and searches of the last month. */
function fillLogs(directory: string, names: readonly string[]): void {
  const home = join(directory, 'home');
  const record = buildRecord(home);
  const place = (name: string) => ({
    dir: join(directory, '.skillc/skills', name),
    log: logPath(join(directory, '.skillc/runtime', name)),
  });
  const template = join(directory, 'template');
  createLog(logPath(template), home);
  const database = new DatabaseSync(logPath(template));
  database.exec('PRAGMA synchronous = OFF');
  const number = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  database.exec(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS_EACH})
    INSERT INTO access_log (timestamp, run_id, command, skill, skill_path, cwd, args, error, bytes, tokens, duration_ms)
    SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-' || (i * 200) || ' minutes'), printf('run-%d', i / 5),
      CASE i % 4 WHEN 0 THEN 'search' ELSE 'show' END, '', '', '/work',
      CASE i % 4
        WHEN 0 THEN json_object('skill', 'demo', 'query', json_array('how', i % 17), 'results', i % 3)
        ELSE json_object('skill', 'demo', 'section', json_array('Step ' || (i % 5)), 'sections',
          json_array(json_object('file', 'SKILL.md', 'section', 'Step ' || (i % 5))))
      END,
      CASE WHEN i % 50 = 0 THEN 'E020' END, 400, 100, 0.5
    FROM n; PRAGMA wal_checkpoint(TRUNCATE)`,
  );
  database.close();
  for (const name of names) {
    const { dir, log } = place(name);
    mkdirSync(dirname(log), { recursive: true });
    copyFileSync(logPath(template), log);
    const own = new DatabaseSync(log);
    own.exec('PRAGMA synchronous = OFF');
    own.prepare('UPDATE access_log SET skill = ?, skill_path = ?').run(name, dir);
    own.close();
    record.addFile(log, `log-${number}`);
  }
}

if (import.meta.main)
  for (const { name, value, unit, ratio } of await measureStudio())
    console.log([name, value.toFixed(1), unit, ratio?.toFixed(2)].join('  '));
