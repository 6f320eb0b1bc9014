// `.well-known/agent-skills`: public skills for clients that know nothing of this registry.

import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { INDEX_SCHEMA } from 'skillwright/ship';
import { anonymous, notFound, visibleTo } from '../access/index.ts';
import { countDownload, installableOf, type VersionRow, versionColumns } from '../catalog/index.ts';
import type { App, Environment } from '../http/index.ts';
import { findVersion, parseWanted } from '../reading/index.ts';
import type { Registry } from '../registry.ts';

const INDEX = '.well-known/agent-skills/index.json';

/** The index of the registry, of an owner and of a skill, and the archives they list. Always as for a stranger. */
export function wellKnown(app: App): void {
  app.get(`/${INDEX}`, (context) => answerIndex(context, {}));
  app.get(`/:owner{@[a-z0-9-]+}/${INDEX}`, (context) =>
    answerIndex(context, { owner: context.req.param('owner').slice(1) }),
  );
  app.get(`/:owner{@[a-z0-9-]+}/:name/${INDEX}`, (context) => {
    const { owner, name } = context.req.param();
    return answerIndex(context, { owner: owner.slice(1), name });
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

async function answerIndex(context: Context<Environment>, which: Published): Promise<Response> {
  const index = await listPublished(context.get('registry'), which);
  if (index === undefined) throw notFound();
  const text = `${JSON.stringify(index, null, 2)}\n`;
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  if (context.req.header('if-none-match') === etag) return context.body(null, 304, { ...shared, etag });
  return context.body(text, 200, { ...shared, 'content-type': 'application/json', etag });
}

/** Clients fetch every entry of an index to install one skill, so the index of the whole registry is short. */
const MAX_ROOT = 50;
const MAX_OWNER = 1000;

const DESCRIPTION_LIMIT = 1024;

/** Which skills: all, those of an owner, or one. */
interface Published {
  readonly owner?: string | undefined;
  readonly name?: string | undefined;
}

/** An index of version 0.2. */
export interface DiscoveryIndex {
  readonly $schema: string;
  readonly generator: string;
  /** Present when skills are left out: where the others are. */
  readonly note?: string;
  readonly skills: readonly {
    readonly name: string;
    readonly type: 'archive';
    readonly description: string;
    readonly url: string;
    readonly digest: string;
  }[];
}

interface Row extends VersionRow {
  owner: string;
  name: string;
  description: string;
}

/** The index; undefined when there is no such public skill or owner. */
async function listPublished(
  { database, publicUrl, now }: Registry,
  { owner, name }: Published,
): Promise<DiscoveryIndex | undefined> {
  const most = owner === undefined ? MAX_ROOT : MAX_OWNER;
  const parameters: unknown[] = [owner ?? null, name ?? null];
  const latest = await database.query<Row>(
    `select ${versionColumns}, o.name as owner, s.name, s.description
     from skills s join owners o on o.id = s.owner_id
     join versions v on v.skill_id = s.id and v.version = s.latest
     where ${visibleTo(anonymous, parameters)} and ($1::text is null or o.name = $1) and ($2::text is null or s.name = $2)
     order by s.downloads desc, s.id desc limit ${2 * most}`,
    parameters,
  );
  const at = now();
  const rows = latest.filter((row) => installableOf(row, at).answer === 'yes');
  if (owner !== undefined && rows.length === 0) return undefined;
  // A name occurs once in an index; of several, the skill with the most downloads.
  const named = new Map<string, Row>();
  for (const row of rows) if (!named.has(row.name)) named.set(row.name, row);
  const shown = [...named.values()].slice(0, most);
  const note =
    owner === undefined
      ? `the ${shown.length} most downloaded skills; for others use ${publicUrl}/@owner or ${publicUrl}/@owner/name`
      : `the ${shown.length} most downloaded skills; for others use ${publicUrl}/@${owner}/name`;
  return {
    $schema: INDEX_SCHEMA,
    generator: 'skillwright',
    ...(shown.length < rows.length ? { note } : {}),
    skills: shown.map((row) => ({
      name: row.name,
      type: 'archive',
      description: Array.from(row.description).slice(0, DESCRIPTION_LIMIT).join(''),
      url: `${publicUrl}/@${row.owner}/${row.name}/.well-known/agent-skills/${row.version}/${row.name}.tar.gz`,
      digest: row.archive_digest,
    })),
  };
}
