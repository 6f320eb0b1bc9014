// A process that installs skills and can be told to die at a step: `install-driver.ts <json>`.

import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { noConsent } from '../src/ship/install/gate/gate.ts';
import { installSkills } from '../src/ship/install/install-skills.ts';
import { restoreSkills } from '../src/ship/install/restore-skills.ts';
import { uninstallSkills } from '../src/ship/install/uninstall-skills.ts';
import { updateSkills } from '../src/ship/install/update-skills.ts';
import { verifySkills } from '../src/ship/install/verify-skills.ts';
import { installRequest, makeContext, outcomeOf, updateRequest } from './install-world.ts';

/** The operation of the process. */
export interface DriverTask {
  readonly project: string;
  readonly home: string;
  /** The directory that `versions/current` leads to is what is installed. */
  readonly source: string;
  readonly work: 'install' | 'update' | 'uninstall' | 'restore' | 'verify' | 'loop';
  /** The step before which it is killed, counted from 1; 0 for none. */
  readonly dieAt: number;
}

const task = JSON.parse(process.argv[2]!) as DriverTask;
const steps: string[] = [];
const context = makeContext(task, {
  step: (what) => {
    steps.push(what);
    if (steps.length === task.dieAt) process.kill(process.pid, 'SIGKILL');
  },
});

const works = {
  install: () => installSkills({ ...installRequest, source: task.source }, context),
  update: () => updateSkills(updateRequest, context),
  uninstall: () => uninstallSkills({ skills: ['demo'], force: false, dryRun: false }, context),
  restore: () => restoreSkills({ offline: true, force: false, ...noConsent, dryRun: false }, context),
  verify: () => verifySkills({ skills: [] }, context),
};

if (task.work === 'loop') {
  const link = join(task.source, '..', 'current');
  const attempt = async (work: 'install' | 'update' | 'uninstall', version: string) => {
    process.send?.(work);
    rmSync(link, { force: true });
    symlinkSync(version, link);
    await outcomeOf<unknown>(works[work]());
  };
  for (;;) {
    await attempt('install', 'one');
    await attempt('update', 'two');
    await attempt('uninstall', 'two');
  }
} else {
  const outcome = await outcomeOf<unknown>(works[task.work]());
  process.stdout.write(JSON.stringify({ steps, outcome: typeof outcome === 'string' ? outcome : 'done' }));
}
