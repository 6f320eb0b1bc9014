// The script of `skc`, for tests that start it on Node.

import { fileURLToPath } from 'node:url';
import { isStale } from '../../../scripts/is-stale.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const built = pathOf('dist/skc/main.js');

/** The built one, which starts in half the time; the sources themselves when they are newer. */
export const skcScript = isStale(built, pathOf('.')) ? pathOf('src/front/cli/main.ts') : built;
