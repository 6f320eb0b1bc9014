// A compressed day of use: mixed calls to one server with 50 skills that are edited all the time. Compares every answer
// with the files on disk.
// usage: node bench/mcp-soak.ts [--calls 200000] [--node]

import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  FILES,
  filePath,
  fileText,
  type RunningServer,
  sectionText,
  skillName,
  startMcp,
  writeSkillFile,
  writeSkills,
} from './mcp-server.ts';
import { inWorkplace } from './workplace.ts';

/** Length of the run, and what it runs. */
export interface SoakOptions {
  readonly calls: number;
  readonly skills?: number;
  /** Use the executable instead of the sources on Node. */
  readonly native?: boolean;
}

/** Results. `wrong` holds the first answers that did not match the disk. */
export interface SoakResult {
  readonly calls: number;
  readonly edits: number;
  readonly wrong: readonly string[];
  /** Text of the server on standard error. */
  readonly stderr: string;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  /** Memory in megabytes after every 2 % of the calls. */
  readonly memory: readonly number[];
}

const CONCURRENT = 8;

/** Pseudo-random numbers, the same in every run. */
function createRandom(): (below: number) => number {
  let state = 12345;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Runs the calls and returns the results. */
export async function runSoak({ calls, skills = 50, ...options }: SoakOptions): Promise<SoakResult> {
  return inWorkplace(async (directory) => {
    writeSkills(directory, skills);
    const server = await startMcp(directory, { ...options, quiet: true });
    const world = new World(directory, server, skills);
    const started = performance.now();
    const memory: number[] = [];
    try {
      for (let done = 0; done < calls; done += CONCURRENT) {
        await Promise.all(Array.from({ length: Math.min(CONCURRENT, calls - done) }, () => world.call()));
        if (world.random(6) === 0) world.edit();
        if (done % Math.ceil(calls / 50) < CONCURRENT) memory.push(memoryOf(server.pid));
      }
    } finally {
      await server.close();
    }
    const times = world.times.sort((a, b) => a - b);
    return {
      calls: times.length,
      edits: world.edits,
      wrong: world.wrong,
      stderr: server.stderr(),
      seconds: Math.round((performance.now() - started) / 1000),
      p50: times[Math.floor(times.length * 0.5)]!,
      p99: times[Math.floor(times.length * 0.99)]!,
      memory,
    };
  });
}

/** True when the last third of a run needs at most 10 % more memory than the second third. */
export function isFlat(memory: readonly number[]): boolean {
  const third = Math.floor(memory.length / 3);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(memory.slice(2 * third)) <= mean(memory.slice(third, 2 * third)) * 1.1;
}

function memoryOf(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

class World {
  readonly directory: string;
  readonly server: RunningServer;
  readonly skills: number;
  readonly random = createRandom();
  readonly editions = new Map<string, number>();
  readonly times: number[] = [];
  readonly wrong: string[] = [];
  edits = 0;

  constructor(directory: string, server: RunningServer, skills: number) {
    this.directory = directory;
    this.server = server;
    this.skills = skills;
  }

  editionOf(number: number, file: number): number {
    return this.editions.get(`${number}/${file}`) ?? 0;
  }

  /** Rewrites a file, larger or smaller than before, or removes a whole skill and restores it. */
  edit(): void {
    const number = this.random(this.skills);
    const all = this.random(40) === 0;
    if (all) rmSync(join(this.directory, '.skillc/skills', skillName(number)), { recursive: true });
    for (const file of all ? [0, 1, 2, 3] : [this.random(FILES)]) {
      const edition = this.editionOf(number, file) + 1;
      this.editions.set(`${number}/${file}`, edition);
      writeSkillFile(this.directory, { number, file, edition });
    }
    this.edits += 1;
  }

  /** One call of some kind, with the expected answer. */
  async call(): Promise<void> {
    const number = this.random(this.skills);
    const file = this.random(FILES);
    const part = file * 10 + this.random(10);
    const edition = this.editionOf(number, file);
    const skill = skillName(number);
    const kind = this.random(20);
    const started = performance.now();
    const [what, got, expected] = await this.ask(kind, { number, file, part, edition, skill });
    this.times.push(performance.now() - started);
    if (got !== expected && this.wrong.length < 10)
      this.wrong.push(`${what} of ${skill}: ${got} instead of ${expected}`);
  }

  async ask(
    kind: number,
    {
      number,
      file,
      part,
      edition,
      skill,
    }: { number: number; file: number; part: number; edition: number; skill: string },
  ): Promise<[what: string, got: string, expected: string]> {
    const { client } = this.server;
    const text = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: { skill, ...args } });
      return (result.content as { text: string }[])[0]!.text;
    };
    if (kind < 8) {
      const section = sectionText(number, part, edition);
      const isLast = part % 10 === 9;
      return [
        'show',
        await text('skc_show', { section: [`Part ${part}`] }),
        isLast ? section : `${section}\n`,
      ];
    }
    if (kind < 13) {
      const found = await text('skc_search', {
        query: ['edition', String(edition), 'guide', String(number)],
        limit: 40,
      });
      // Every edition quoted must belong to a file on disk now.
      const quoted = [...found.matchAll(/(\S+):\d+-\d+\n.*?Edition\S* \S*?(\d+)\S* of/g)];
      const old = quoted.filter(([, path, shown]) => {
        const index = [0, 1, 2, 3].find((candidate) => filePath(candidate) === path);
        return index !== undefined && Number(shown) !== this.editionOf(number, index);
      });
      return ['search', `${quoted.length > 0} ${old.map(([quote]) => quote).join('; ')}`, 'true '];
    }
    if (kind < 15)
      return ['open', await text('skc_open', { path: filePath(file) }), fileText(number, file, edition)];
    if (kind === 15)
      return ['outline', String((await text('skc_outline', {})).match(/## Part/g)?.length), '40'];
    if (kind === 16)
      return ['sources', String((await text('skc_sources', {})).includes('file-3.md')), 'true'];
    if (kind === 17)
      return [
        'failure',
        (await text('skc_show', { section: ['Nowhere at all'] })).slice(0, 11),
        'error[E020]',
      ];
    if (kind === 18) {
      const uri = `skill://project/${skill}/${filePath(file)}`;
      const { contents } = await client.readResource({ uri });
      return [
        'resource',
        hash((contents[0] as { text: string }).text),
        hash(fileText(number, file, edition)),
      ];
    }
    const { messages } = await client.getPrompt({ name: skill });
    const body = fileText(number, 0, this.editionOf(number, 0)).split('---\n').at(-1)!.trim();
    return ['prompt', hash((messages[0]!.content as { text: string }).text), hash(body)];
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--calls');
  const calls = at === -1 ? 200_000 : Number(process.argv[at + 1]);
  const result = await runSoak({ calls, ...(process.argv.includes('--node') ? { native: false } : {}) });
  const flat = isFlat(result.memory);
  console.log(JSON.stringify({ ...result, flat }, null, 2));
  process.exitCode = result.wrong.length === 0 && result.stderr === '' && flat ? 0 : 1;
}
