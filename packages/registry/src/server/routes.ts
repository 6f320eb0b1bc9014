// Every group of routes. Each is a function that adds its routes to the application.

import { originValidationResponse } from '@modelcontextprotocol/server';
import { parseTilePath, TILE_WIDTH } from 'skillwright/transparency-log';
import { anonymous, demandRegistryAdmin, unauthorised, visibleTo } from '../access/index.ts';
import { mountOperations, openApiDocument } from '../api/index.ts';
import { Failure, isSameSecret } from '../base/index.ts';
import { type App, readBody } from '../http/index.ts';
import { acceptCosignature, currentCheckpoint, lastCheckpoint, logVerifier, readTile } from '../log/index.ts';
import { RESOURCE_METADATA, serveMcp } from '../mcp/index.ts';
import type { Registry } from '../registry.ts';
import { sitePages, skillRoutes } from '../web/index.ts';
import { oauth } from './oauth.ts';
import { wellKnown } from './well-known.ts';

export const routes: readonly ((app: App, registry: Registry) => void)[] = [
  api,
  health,
  log,
  mcp,
  metrics,
  oauth,
  sitePages,
  wellKnown,
  // Last: `/@owner/name` would take addresses of the groups before it.
  skillRoutes,
];

/** Everything in the table of operations, and `/openapi.json`. */
function api(app: App): void {
  mountOperations(app);
  app.get('/openapi.json', async (context) => {
    context.header('cache-control', 'public, max-age=300');
    return context.json(await openApiDocument(context.get('registry').publicUrl));
  });
}

/** `/healthz` and `/readyz`. */
function health(app: App): void {
  app.get('/healthz', (context) => context.json({ ok: true }));
  app.get('/readyz', async (context) => {
    const { database, isStopping, replica } = context.get('registry');
    if (isStopping) return context.json({ ok: false, reason: 'stopping' }, 503);
    try {
      await database.query('select 1');
      if (replica === undefined) return context.json({ ok: true });
      // Without its replica the registry answers from the primary, which is slower and not broken.
      return context.json({ ok: true, replica: replica.whyNot() === undefined ? 'used' : 'not used' });
    } catch {
      return context.json({ ok: false, reason: 'database' }, 503);
    }
  });
}

/**
 * `/metrics`, for administrators and for the token in the settings. The address of the caller does not matter: behind a
 * proxy on the same machine everyone would come from there.
 */
function metrics(app: App): void {
  app.get('/metrics', async (context) => {
    if (!context.get('isMetricsReader')) demandRegistryAdmin(context.get('caller'));
    const numbers = context.get('metrics');
    return context.text(await numbers.text(), 200, { 'content-type': numbers.contentType });
  });
}

/** Whether a request carries the token for metrics. */
export function isMetricsReader(token: string | undefined, authorization: string | undefined): boolean {
  return token !== undefined && authorization !== undefined && isSameSecret(authorization, `Bearer ${token}`);
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };
const FULL_TILE = 'public, max-age=31536000, immutable';
const MAX_NOTE_BYTES = 64 * 1024;
const NOTE_SECONDS = 10;

/**
 * `/log/…`. Each origin is a log of its own for readers of tiles: the first at `/log`, later ones at `/log/<number>`, and
 * `/log/newest` is the checkpoint of the one that grows.
 */
function log(app: App): void {
  app.get('/log/newest', async (context) => {
    const { note, cosignatures } = await currentCheckpoint(context.get('registry'));
    return context.body(note + cosignatures, 200, TEXT);
  });

  for (const path of ['/log/checkpoint', '/log/:generation{[1-9][0-9]{0,14}}/checkpoint'] as const)
    app.get(path, async (context) => {
      const registry = context.get('registry');
      const { generation = '1' } = context.req.param() as { generation?: string };
      const current = await currentCheckpoint(registry);
      const found =
        current.generation === Number(generation)
          ? current
          : await lastCheckpoint(registry.database, Number(generation));
      if (found === undefined) throw noSuch('origin');
      return context.body(found.note + found.cosignatures, 200, TEXT);
    });

  app.get('/log/key', async (context) =>
    context.body(`${await logVerifier(context.get('registry'))}\n`, 200, TEXT),
  );

  for (const path of ['/log/tile/:tile{.+}', '/log/:generation{[1-9][0-9]{0,14}}/tile/:tile{.+}'] as const) {
    app.get(path, async (context) => {
      const { tile: text, generation = '1' } = context.req.param() as { tile: string; generation?: string };
      const tile = parseTilePath(text);
      const bytes = tile && (await readTile(context.get('registry'), Number(generation), tile));
      if (tile === undefined || bytes === undefined) throw noSuch('tile');
      return context.body(new Uint8Array(bytes), 200, {
        'content-type': 'application/octet-stream',
        'cache-control': tile.width === TILE_WIDTH ? FULL_TILE : 'no-cache',
      });
    });
  }

  app.post('/log/cosignature', async (context) => {
    const note = await readBody(context, { maxBytes: MAX_NOTE_BYTES, seconds: NOTE_SECONDS });
    const witnesses = await acceptCosignature(context.get('registry'), new TextDecoder().decode(note));
    return context.json({ witnesses });
  });
}

function noSuch(what: string): Failure {
  return new Failure('not_found', `the log has no such ${what}`);
}

/** `/mcp` and its metadata. */
function mcp(app: App, registry: Registry): void {
  const serve = serveMcp(registry);
  app.all('/mcp', async (context) => {
    const caller = context.get('caller');
    const request = context.req.raw;
    const rejected = originValidationResponse(request, [new URL(registry.publicUrl).hostname]);
    if (rejected !== undefined) return rejected;
    if (caller.account === undefined && caller.via === 'anonymous' && !(await servesStrangers(registry)))
      throw unauthorised();
    return serve({ caller, address: context.get('address') }, request);
  });
  for (const path of [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`])
    app.get(path, (context) => {
      const { publicUrl } = context.get('registry');
      return context.json(
        {
          resource: `${publicUrl}/mcp`,
          authorization_servers: [publicUrl],
          bearer_methods_supported: ['header'],
          scopes_supported: ['read'],
          resource_name: 'Skillwright registry',
        },
        200,
        { 'access-control-allow-origin': '*' },
      );
    });
}

/** Whether there is anything for callers without an account. */
async function servesStrangers({ settings, database }: Registry): Promise<boolean> {
  if (!settings.anonymousMcp) return false;
  const parameters: unknown[] = [];
  const [row] = await database.query<{ found: boolean }>(
    `select exists (select from skills s where ${visibleTo(anonymous, parameters)}) as found`,
    parameters,
  );
  return row?.found === true;
}
