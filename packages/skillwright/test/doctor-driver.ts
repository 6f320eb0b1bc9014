// A doctor that repairs, and can be told to die at a step: `doctor-driver.ts <json>`.

import { runDoctor } from '../src/ship/doctor/run-doctor.ts';
import { makeContext } from './install-world.ts';

const task = JSON.parse(process.argv[2]!) as { project: string; home: string; dieAt: number };
let steps = 0;
const step = () => {
  steps += 1;
  if (steps === task.dieAt) process.kill(process.pid, 'SIGKILL');
};
const { findings } = await runDoctor({ fix: true }, makeContext(task, { step, progress: step }));
process.stdout.write(JSON.stringify(findings.filter(({ fixed }) => !fixed)));
