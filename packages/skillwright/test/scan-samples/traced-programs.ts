// Malicious skills that take following what goes where.

import type { Sample } from './sample.ts';
import { tracedPrograms1 } from './traced-programs-1.ts';
import { tracedPrograms2 } from './traced-programs-2.ts';
import { tracedPrograms3 } from './traced-programs-3.ts';

/** All of them. */
export const tracedPrograms: readonly Sample[] = [...tracedPrograms1, ...tracedPrograms2, ...tracedPrograms3];
