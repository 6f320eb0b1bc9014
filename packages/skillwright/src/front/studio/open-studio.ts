// A running studio.

import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { CommandContext } from '../commands/index.ts';
import { limitConnections, listenLocally } from '../streams/index.ts';
import { openState, type StudioState } from './data/studio-state.ts';
import { createStudioApp } from './server/studio-app.ts';
import { createEvents } from './server/studio-events.ts';
import { createGuard } from './server/studio-guard.ts';

/** A studio that answers requests. */
interface OpenedStudio {
  /** `http://127.0.0.1:7412`. */
  readonly origin: string;
  /** The address with the one-time token. */
  readonly address: string;
  /** The token of its forms. */
  readonly csrf: string;
  readonly state: StudioState;
  close(): Promise<void>;
}

/** Starts a studio on a port of this machine; 0 for any free one. E100 when the port is not available. */
export async function openStudio(context: CommandContext, { port }: { port: number }): Promise<OpenedStudio> {
  const state = openState(context);
  const events = createEvents(state);
  const http = createServer();
  limitConnections(http);
  const close = async (): Promise<void> => {
    events.close();
    state.close();
    const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
    http.closeAllConnections();
    await closed;
  };
  try {
    const origin = await listenLocally(http, { port, option: '--port' });
    const guard = createGuard(origin);
    const app = createStudioApp({ guard, state, events });
    // The classes of this process stay as they are: a test or a host may compare with them.
    http.on('request', getRequestListener(app.fetch, { overrideGlobalObjects: false }));
    // The first page finds most of the work done.
    state.settled().catch(() => {});
    return { origin, address: `${origin}/?token=${guard.token}`, csrf: guard.csrf, state, close };
  } catch (error) {
    await close();
    throw error;
  }
}
