// Installs the programs that tests need besides Node, if possible: as root with apt-get.
// Tests whose program is still missing say so; see packages/skillwright/test/required-program.ts.

import { spawnSync } from 'node:child_process';
import { isInstalled, requiredPrograms } from '../packages/skillwright/test/required-program.ts';

const isMissing = (program: string) => !isInstalled(program);

const missing = Object.entries(requiredPrograms).filter(([program]) => isMissing(program));
const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && !isMissing('apt-get');
if (missing.length > 0 && canInstall) {
  const packages = missing.map(([, name]) => name);
  console.log(`installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
}
const still = missing.filter(([program]) => isMissing(program));
if (still.length > 0) console.log(`not installed: ${still.map(([program]) => program).join(', ')}`);
