// Installs the programs and fonts that tests need besides Node, if possible: as root with apt-get.
// Tests whose program is still missing say so; see packages/skillwright/test/required-program.ts.

import { spawnSync } from 'node:child_process';
import {
  hasFont,
  isInstalled,
  requiredFonts,
  requiredPrograms,
} from '../packages/skillwright/test/required-program.ts';

const isMissing = (program: string) => !isInstalled(program);

const missing = Object.entries(requiredPrograms).filter(([program]) => isMissing(program));
const missingFonts = Object.entries(requiredFonts).filter(([language]) => !hasFont(language));
const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && !isMissing('apt-get');
const packages = [...missing, ...missingFonts].map(([, name]) => name);
if (packages.length > 0 && canInstall) {
  console.log(`installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
}
const still = missing.filter(([program]) => isMissing(program));
if (still.length > 0) console.log(`not installed: ${still.map(([program]) => program).join(', ')}`);
