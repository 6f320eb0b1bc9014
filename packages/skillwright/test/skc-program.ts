// How tests start `skc` as a process.

import { fileURLToPath } from 'node:url';
import { isStale } from '../../../scripts/is-stale.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const isFresh = (output: string) => !isStale(output, pathOf('.'));
const [native, built] = [pathOf('native/skc'), pathOf('dist/skc/main.js')];

/** The script of `skc`, for tests about a runtime. The built one starts in half the time of the sources. */
export const skcScript = isFresh(built) ? built : pathOf('src/front/cli/main.ts');

/** The program with its first words. The executable takes a quarter of the time that Node does for the script. */
const program = isFresh(native) ? [native] : [process.execPath, skcScript];

/** The same for a shell. */
export const skcCommand = program.map((word) => `'${word}'`).join(' ');

/** The program and the arguments that run `skc <words>`. */
export function skcStart(words: readonly string[]): [program: string, args: string[]] {
  return [program[0]!, [...program.slice(1), ...words]];
}
