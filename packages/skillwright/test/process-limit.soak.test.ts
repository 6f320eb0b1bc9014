// A script that only makes more of itself, as root: the kernel's own limit does not count there.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeWorld, skillText } from './make-world.ts';
import { requireProgram } from './required-program.ts';
import { skcStart } from './skc-program.ts';

const processes = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;

const { PATH = '', HOME = '' } = process.env;

test('other programs start while a script makes as many processes as it can', async (context) => {
  requireProgram(context, 'bwrap');
  const world = makeWorld({
    '.skillc/skills/bomb/SKILL.md': skillText('bomb'),
    '.skillc/skills/bomb/scripts/bomb.sh': '#!/bin/bash\n:(){ :|:& };:\nsleep 4\n',
  });
  const before = processes();
  const run = spawn(...skcStart(['run', 'bomb', 'scripts/bomb.sh']), {
    cwd: world.project,
    env: { PATH, HOME, SKC_HOME: world.home, SKC_NO_LOG: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  run.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(run, 'close');
  const started: boolean[] = [];
  let most = 0;
  for (let attempt = 0; attempt < 24; attempt++) {
    started.push(spawnSync('/bin/true').status === 0);
    most = Math.max(most, processes());
    await setTimeout(50);
  }
  await ended;
  expect(said).toContain('had more than 128 processes');
  expect(started).not.toContain(false);
  expect(most - before).toBeLessThan(1000);
}, 120_000);

test('a script whose processes only fork, and keep their memory locked, does not hold up its end', async (context) => {
  requireProgram(context, 'bwrap');
  requireProgram(context, 'python3');
  const world = makeWorld({
    '.skillc/skills/bomb/SKILL.md': skillText('bomb'),
    '.skillc/skills/bomb/scripts/bomb.py':
      'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass\n',
  });
  const run = spawn(...skcStart(['run', 'bomb', 'bomb.py', '--timeout', '3']), {
    cwd: world.project,
    env: { PATH, HOME, SKC_HOME: world.home, SKC_NO_LOG: '1' },
    stdio: 'ignore',
  });
  const patience = AbortSignal.timeout(60_000);
  patience.addEventListener('abort', () => run.kill());
  const [status] = await once(run, 'close');
  expect({ status, isLate: patience.aborted }).toEqual({ status: 1, isLate: false });
}, 120_000);
