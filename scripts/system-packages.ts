// Installs the programs and fonts that tests need besides Node, if possible: as root with apt-get.
//   system-packages.ts            for npm test
//   system-packages.ts --windows  for npm run test:windows
// Tests whose program is still missing say so; see packages/skillwright/test/required-program.ts.

import { spawnSync } from 'node:child_process';
import {
  canInstall,
  findObjectStore,
  hasFont,
  isInstalled,
  objectStore,
  programsForWindows,
  requiredFonts,
  requiredPrograms,
} from '../packages/skillwright/test/required-program.ts';

const isMissing = (program: string) => !isInstalled(program);

const forWindows = process.argv.includes('--windows');
const missing = Object.entries(forWindows ? programsForWindows : requiredPrograms).filter(([program]) =>
  isMissing(program),
);
const missingFonts = Object.entries(forWindows ? {} : requiredFonts).filter(
  ([language]) => !hasFont(language),
);
const packages = [...missing, ...missingFonts].map(([, name]) => name);
if (packages.length > 0 && canInstall) {
  console.log(`installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) =>
    spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...packages);
}
if (!forWindows && findObjectStore() === undefined && !isMissing('python3')) {
  console.log(`installing ${objectStore.package}`);
  const words = [
    '-m',
    'pip',
    'install',
    '-q',
    '--disable-pip-version-check',
    '--target',
    objectStore.directory,
  ];
  spawnSync('python3', [...words, objectStore.package], { stdio: ['ignore', 'ignore', 'inherit'] });
}
const still = missing.filter(([program]) => isMissing(program));
const absent = still.map(([program]) => program);
if (!forWindows && findObjectStore() === undefined) absent.push('weed');
if (absent.length > 0) console.log(`not installed: ${absent.join(', ')}`);
