// Skills and their versions: published, downloaded, told to others.

import { DIGEST_HEADER, Digest } from 'skillwright/registry-protocol';
import { isOpen } from '../access/index.ts';
import { digestOf, Failure } from '../base/index.ts';
import { countDownload, isPublished, renderIndex, viewOf } from '../catalog/index.ts';
import { readPublicChanges, renderFeed } from '../changes/index.ts';
import { answerTagged, readBody } from '../http/index.ts';
import { admitPublication, findArchive, publish, readStates, seeFacts, seeVersion } from '../skills/index.ts';
import type { Handlers, OperationCall } from '../work/index.ts';

const FEED_AGE = 60;

/** Bytes a second. An upload that trickles would keep its place from others. */
const UPLOAD_PACE = 8 * 1024;

export const skillHandlers = {
  async readSkill({ registry, caller, path, context }) {
    const facts = await seeFacts(registry, caller, path);
    const view = viewOf(caller, facts.skill);
    const { text, tag } = renderIndex(registry, facts, view);
    const isPublic = isOpen(facts.skill) && view === 'published';
    return answerTagged(context, { tag, isPublic, maxAge: 0, type: 'application/json' }, () => text);
  },
  async readVersion({ registry, caller, path, context }) {
    const { facts, row } = await seeVersion(registry, caller, path);
    const isPublic = isOpen(facts.skill) && isPublished(row);
    return answerTagged(
      context,
      {
        tag: `"${row.document_digest}"`,
        isPublic,
        maxAge: isPublic ? 3600 : 0,
        isImmutable: isPublic,
        type: 'application/json',
      },
      async () => {
        const [stored] = await registry.database.query<{ document: string }>(
          'select document from versions where id = $1',
          [row.id],
        );
        return stored!.document;
      },
    );
  },
  async readArchive({ registry, caller, path: { digest }, context }) {
    const archive = await findArchive(registry, caller, digest);
    const { isPublic, versionId } = archive;
    const address = context.req.method === 'GET' ? await archive.address() : undefined;
    if (address !== undefined) {
      if (archive.counts) countDownload(registry, { versionId, caller, address: context.get('address') });
      context.header('cache-control', 'no-store');
      return context.redirect(address, 307);
    }
    return answerTagged(
      context,
      // A purge must reach everybody who asks again.
      { tag: `"${digest}"`, isPublic, maxAge: 0, type: 'application/gzip' },
      async () => {
        const bytes = await archive.read();
        if (context.req.method === 'GET' && archive.counts)
          countDownload(registry, { versionId, caller, address: context.get('address') });
        return bytes;
      },
    );
  },
  readStates: ({ registry, caller, body }) => readStates(registry, caller, body),
  readAtomFeed: (call) => answerFeed(call),
  readOwnerAtomFeed: (call) => answerFeed(call, call.path.owner),
  async publishVersion({ registry, caller, path: { owner, name, version }, context }) {
    const digest = context.req.header(DIGEST_HEADER) ?? '';
    if (!Digest.safeParse(digest).success)
      throw new Failure('bad_request', `the header ${DIGEST_HEADER} must have the digest of the archive`);
    await admitPublication(registry, caller, { owner, name, version, digest });
    const { maxArchiveBytes: maxBytes, uploadSeconds: seconds } = registry.settings;
    const archive = await readBody(context, { maxBytes, seconds, pace: UPLOAD_PACE });
    return publish(registry, caller, { owner, name, version, digest, archive });
  },
} satisfies Partial<Handlers>;

/** Changes of the whole registry, or of one namespace. */
async function answerFeed(
  { registry, context }: OperationCall<unknown, unknown>,
  owner?: string,
): Promise<Response> {
  const text = renderFeed(await readPublicChanges(registry, owner), {
    publicUrl: registry.publicUrl,
    path: `${owner === undefined ? '' : `/@${owner}`}/feed.atom`,
    title: owner === undefined ? 'Skillwright registry' : `Skills of @${owner}`,
  });
  const type = 'application/atom+xml';
  const tag = `"${digestOf(text).slice(7, 39)}"`;
  return answerTagged(context, { tag, isPublic: true, maxAge: FEED_AGE, type }, () => text);
}
