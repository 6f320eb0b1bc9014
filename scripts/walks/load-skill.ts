// A host loads one skill in a session that is open.

import { createSession } from '../../packages/skillwright/src/host/index.ts';
import { START } from '../walk-hook.ts';

const session = await createSession({ cwd: process.cwd(), home: process.env.SKC_HOME!, trust: true });
await session.catalog();
(globalThis as unknown as Record<string, () => void>)[START]?.();
await session.load({ name: 'demo' });
process.exit(0);
