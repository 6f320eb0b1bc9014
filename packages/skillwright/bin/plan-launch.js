// What to start for skc, decided without touching anything, so that a test can ask for any platform.

import path from 'node:path';

/**
 * @param {object} place
 * @param {string} place.directory The directory of the package.
 * @param {string} place.platform As `process.platform`.
 * @param {string} place.arch As `process.arch`.
 * @param {string} place.node The Node that is running.
 * @param {string} place.version Its version.
 * @param {(file: string) => boolean} exists
 * @returns {{ command: string, args: string[] } | { refusal: string }}
 */
export function planLaunch({ directory, platform, arch, node, version }, exists) {
  // The shell script knows all the rest, and is what `skc` is.
  if (platform !== 'win32') return { command: path.posix.join(directory, 'bin/skc'), args: [] };
  const { join } = path.win32;
  // Windows on ARM runs programs for x64 too.
  const carriers = [...new Set([arch, 'x64'])].map((cpu) => `@skillwright/skc-win32-${cpu}/skc.exe`);
  const executables = [
    join(directory, 'native/skc.exe'),
    ...carriers.flatMap((file) => [join(directory, 'node_modules', file), join(directory, '..', file)]),
  ];
  const native = executables.find(exists);
  if (native !== undefined) return { command: native, args: [] };
  const script = join(directory, 'dist/skc/main.js');
  if (!exists(script))
    return { refusal: "skc: not built yet; run 'npm ci' or 'npm run build' in the repository" };
  const [major, minor] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return { command: node, args: [script] };
  return {
    refusal: `skc: needs Node 22.18 or later, or Bun; ${node} is v${version}\nhelp: install a newer Node from https://nodejs.org`,
  };
}
