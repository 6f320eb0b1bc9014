import { setTimeout as wait } from 'node:timers/promises';
import { createFirstAdmin } from '../accounts/first-start.ts';
import { startBackground } from '../app/background.ts';
import { createApp } from '../app/create-app.ts';
import { finishRestore } from '../backup/restore-backup.ts';
import { serveControl } from '../control/control.ts';
import { watchOrigins } from '../log/current-checkpoint.ts';
import { openLog } from '../log/open-log.ts';
import { openRegistry, type Registry } from '../registry.ts';
import { createLog, describeError, type Log } from '../running/log.ts';
import { startMaintenance } from '../running/maintenance.ts';
import { serveHttp } from '../running/serve-http.ts';
import { sweepWorkDirectories } from '../running/work-directory.ts';
import type { Settings } from '../settings/settings.ts';
import { DatabaseUnavailable } from '../store/database.ts';
import type { Command } from './command.ts';

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
    watchOrigins(registry, (change) => log('error', 'log-origin-replaced', { ...change }));
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
