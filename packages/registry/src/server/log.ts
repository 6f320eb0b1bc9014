// The transparency log: checkpoint, tiles, key, cosignatures. The log names no private skill, so everybody may read it.

import { parseTilePath, TILE_WIDTH } from 'skillwright/transparency-log';
import { Failure } from '../base/index.ts';
import { type App, readBody } from '../http/index.ts';
import { acceptCosignature, currentCheckpoint, lastCheckpoint, logVerifier, readTile } from '../log/index.ts';

const TEXT = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' };
const FULL_TILE = 'public, max-age=31536000, immutable';
const MAX_NOTE_BYTES = 64 * 1024;
const NOTE_SECONDS = 10;

/**
 * `/log/…`. Each origin is a log of its own for readers of tiles: the first at `/log`, later ones at `/log/<number>`, and
 * `/log/newest` is the checkpoint of the one that grows.
 */
export function log(app: App): void {
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
