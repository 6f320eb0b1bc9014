// A host among the examples, run as it is: skills it trusts, a rule that asks, and a user who answers.

import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { makeWorld } from './make-world.ts';
import { processEnvironment } from './process-environment.ts';

export const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** How to start a host, and what its user types. */
export interface HostRun {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly answers: string;
}

/** What a host prints in a conversation about the example skills. It must not fail or complain. */
export async function runExampleHost(program: string, { args, env, answers }: HostRun): Promise<string> {
  const world = makeWorld({
    '~/.skillc/config.toml': '[[permissions.confirm]]\ntool = "skill_run"\nskill_name = "csv-report"\n',
  });
  const { project: cwd, home } = world;
  cpSync(join(examples, 'skills'), join(cwd, '.agents/skills'), { recursive: true });
  for (const name of ['text-statistics', 'careful']) await world.run(['tools', name, '--trust']);
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd,
    env: { ...processEnvironment, HOME: home, ...env, SKC_HOME: home },
    input: answers,
    encoding: 'utf8',
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout;
}
