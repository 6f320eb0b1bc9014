// Tool calls to a warm server with 50 skills open: a real client, a real process, stdin and stdout.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './figure.ts';
import { FILES, filePath, type RunningServer, skillName, startMcp, writeSkills } from './mcp-server.ts';
import { inWorkplace } from './workplace.ts';

const SKILLS = 50;
const CALLS = 4000;

/** Quantile of the measurements. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

async function measureCalls(
  { client }: RunningServer,
  name: string,
  input: (number: number) => Record<string, unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < CALLS + 500; number++) {
    const start = performance.now();
    const result = await client.callTool({ name, arguments: input(number) });
    const time = performance.now() - start;
    if (result.isError) throw new Error(JSON.stringify(result.content));
    // The first round builds and opens every index.
    if (number >= 500) times.push(time);
  }
  return times;
}

/** p50 and p99 of `skc_show` and `skc_search`. */
export async function measureMcp(): Promise<Figure[]> {
  return inWorkplace(async (directory) => {
    writeSkills(directory, SKILLS);
    const server = await startMcp(directory);
    try {
      const show = await measureCalls(server, 'skc_show', (number) => ({
        skill: skillName(number % SKILLS),
        section: [`Part ${number % (FILES * 10)}`],
      }));
      const search = await measureCalls(server, 'skc_search', (number) => ({
        skill: skillName(number % SKILLS),
        query: ['compare', 'edition', String(number % SKILLS)],
      }));
      const pings: number[] = [];
      for (let number = 0; number < CALLS; number++) {
        const start = performance.now();
        await server.client.ping();
        pings.push(performance.now() - start);
      }
      const reads = Array.from({ length: CALLS }, (_, number) => {
        const path = join(directory, '.skillc/skills', skillName(number % SKILLS), filePath(number % FILES));
        const start = performance.now();
        readFileSync(path);
        return performance.now() - start;
      });
      const baseline = { name: 'an empty request', value: quantile(pings, 0.5) };
      const figure = (name: string, value: number, atMost: number): Figure => ({
        name,
        value,
        unit: 'ms',
        baseline,
        ratio: value / baseline.value,
        target: { text: `under ${atMost} ms`, met: value < atMost },
      });
      return [
        figure('MCP skc_show, warm, 50 skills: p50', quantile(show, 0.5), 1),
        figure('MCP skc_show, warm, 50 skills: p99', quantile(show, 0.99), 10),
        figure('MCP skc_search, warm, 50 skills: p50', quantile(search, 0.5), 2),
        figure('MCP skc_search, warm, 50 skills: p99', quantile(search, 0.99), 10),
        { name: 'reading one file of a skill: p50', value: quantile(reads, 0.5), unit: 'ms' },
      ];
    } finally {
      await server.close();
    }
  });
}
