// Every operation of the API. A route that is not made from this list fails a test.

import type { Operation } from './operation.ts';

export const operations: readonly Operation[] = [];
