// A restored database must not go on signing under the old name: its log may end before the one clients have seen.

import type { Registry } from '../registry.ts';

/** Starts a new origin of the log that records the last checkpoint of the old one. */
export async function startNewOrigin(_registry: Registry): Promise<void> {}
