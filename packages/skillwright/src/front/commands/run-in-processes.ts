// Uses all cores: distributes command lines to skc processes, and returns their results in order.

import { availableParallelism } from 'node:os';
import { startChild } from '../../base/files/index.ts';
import type { CommandContext, Launch } from './command-context.ts';

/** True when another process can be started and there is a core for it. */
export function canShareWork(context: CommandContext): boolean {
  return context.launch !== undefined && availableParallelism() > 1;
}

/** Number of processes at a time. */
export function processCount(): number {
  return availableParallelism();
}

/** Runs `skc <words> --json` for each command line and returns the outputs; `done` is called as each one ends. */
export async function runInProcesses<Answer>(
  lines: readonly (readonly string[])[],
  context: CommandContext,
  done: (index: number) => void = () => {},
): Promise<Answer[]> {
  const answers = new Array<Answer>(lines.length);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < lines.length) {
      const index = next++;
      answers[index] = await runOne<Answer>(context.launch!, lines[index]!, context);
      done(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(processCount(), lines.length) }, work));
  return answers;
}

function runOne<Answer>(
  { command, args }: Launch,
  words: readonly string[],
  { workspace: { cwd, env } }: CommandContext,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Errors come back as data; this process reports them once.
    const child = startChild(command, [...args, ...words], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]!.setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', () => {
      try {
        const answer = JSON.parse(output.stdout) as Answer & { error?: unknown };
        if (answer.error === undefined) return resolve(answer);
      } catch {
        // Reported below, with its output.
      }
      reject(new Error(`a process failed: ${output.stderr || output.stdout}`));
    });
  });
}
