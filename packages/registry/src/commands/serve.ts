import { setTimeout as wait } from 'node:timers/promises';
import { createFirstAdmin } from '../accounts/index.ts';
import { finishRestore } from '../backup/index.ts';
import { createLog, describeError, type Log, sweepWorkDirectories } from '../base/index.ts';
import { serveHttp } from '../http/index.ts';
import { openLog } from '../log/index.ts';
import { openRegistry, type Registry } from '../registry.ts';
import { createApp, startBackground, startMaintenance } from '../server/index.ts';
import type { Settings } from '../settings/index.ts';
import { DatabaseUnavailable } from '../store/index.ts';
import type { Command } from './command.ts';
import { serveControl } from './control.ts';

/** Seconds to wait for a PostgreSQL that starts at the same time. */
const START_SECONDS = 60;

/** Runs until it is stopped. Prints its address and, on the first start, the administrator's token. */
export const serve: Command = {
  name: 'serve',
  summary: 'Run the registry (the default)',
  async run({ settings, out, err, stop }) {
    const log = createLog(err);
    const { requestSeconds, uploadSeconds } = settings;
    const server = await serveHttp({ ...settings, requestSeconds: Math.max(requestSeconds, uploadSeconds) });
    const registry = await openPatiently(settings, { log, stop }).catch(async (error: unknown) => {
      await server.close(0);
      throw error;
    });
    if (settings.publicUrl === undefined)
      registry.publicUrl = `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${server.port}`;
    await sweepWorkDirectories();
    await finishRestore(registry);
    const { origin, replaced } = await openLog(registry);
    if (replaced !== null) log('error', 'log-origin-replaced', { replaced, origin });
    registry.onNewOrigin = (change) => log('error', 'log-origin-replaced', { ...change });
    const token = await createFirstAdmin(registry);
    const endBackground = startBackground(registry, (error) =>
      log('error', 'background', describeError(error)),
    );
    const endMaintenance = await startMaintenance(registry, log);
    const endControl = registry.database.kind === 'embedded' ? await serveControl(registry) : () => {};
    server.open(createApp(registry, { log }).fetch as Parameters<typeof server.open>[0]);
    out(`Skillwright registry: ${registry.publicUrl}`);
    for (const line of firstSteps(registry, token)) out(line);

    if (!stop.aborted)
      await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    registry.isStopping = true;
    log('info', 'stopping');
    const cut = await server.close(settings.stopSeconds * 1000);
    endControl();
    await endBackground();
    await endMaintenance();
    await registry.close();
    log('info', 'stopped', cut === 0 ? {} : { cut });
    return 0;
  },
};

/** Lines of the first start: the token of the administrator and what to do with it. */
function firstSteps({ publicUrl }: Registry, token: string | undefined): string[] {
  if (token === undefined) return [];
  return [
    `Admin token, shown once: ${token}`,
    `Next: run 'skc login ${publicUrl} --save', and sign in with this token on the page it opens`,
  ];
}

/** Opens the registry; waits for a database that cannot be reached yet. */
async function openPatiently(
  settings: Settings,
  { log, stop }: { readonly log: Log; readonly stop: AbortSignal },
): Promise<Registry> {
  for (let seconds = 0; ; seconds++)
    try {
      return await openRegistry(settings);
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || seconds >= START_SECONDS || stop.aborted) throw error;
      if (seconds === 0) log('info', 'waiting-for-database', describeError(error));
      await wait(1000);
    }
}
