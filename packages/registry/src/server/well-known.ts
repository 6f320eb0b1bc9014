// `.well-known/agent-skills`: public skills for clients that know nothing of this registry.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { anonymous, notFound } from '../access/index.ts';
import { countDownload } from '../catalog/index.ts';
import type { App, Environment } from '../http/index.ts';
import { findVersion, parseWanted } from '../reading/index.ts';
import { listPublished, type Published } from './list-published.ts';

const INDEX = '.well-known/agent-skills/index.json';

/** The index of the registry, of an owner and of a skill, and the archives they list. Always as for a stranger. */
export function wellKnown(app: App): void {
  app.get(`/${INDEX}`, (context) => answer(context, {}));
  app.get(`/:owner{@[a-z0-9-]+}/${INDEX}`, (context) =>
    answer(context, { owner: context.req.param('owner').slice(1) }),
  );
  app.get(`/:owner{@[a-z0-9-]+}/:name/${INDEX}`, (context) => {
    const { owner, name } = context.req.param();
    return answer(context, { owner: owner.slice(1), name });
  });
  app.get('/:owner{@[a-z0-9-]+}/:name/.well-known/agent-skills/:version/:file', async (context) => {
    const { owner, name, version, file } = context.req.param();
    const wanted = parseWanted(`${owner}/${name}@${version}`);
    if (wanted === undefined || file !== `${name}.tar.gz`) throw notFound();
    const registry = context.get('registry');
    const found = await findVersion(registry, anonymous, wanted);
    const archive = await registry.blobs.get(found.digest);
    if (archive === undefined) throw notFound();
    if (context.req.method === 'GET')
      countDownload(registry, {
        versionId: found.versionId,
        caller: anonymous,
        address: context.get('address'),
      });
    return context.body(archive as Uint8Array<ArrayBuffer>, 200, {
      ...shared,
      'content-type': 'application/gzip',
      etag: `"${found.digest}"`,
      'x-content-type-options': 'nosniff',
    });
  });
}

const shared = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' };

async function answer(context: Context<Environment>, which: Published): Promise<Response> {
  const index = await listPublished(context.get('registry'), which);
  if (index === undefined) throw notFound();
  const text = `${JSON.stringify(index, null, 2)}\n`;
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  if (context.req.header('if-none-match') === etag) return context.body(null, 304, { ...shared, etag });
  return context.body(text, 200, { ...shared, 'content-type': 'application/json', etag });
}
