// Skills and their versions: published, changed, reviewed, told to others.

import { DIGEST_HEADER, Digest } from 'skillwright/registry-protocol';
import { isOpen, unauthorised } from '../access/index.ts';
import { digestOf, Failure } from '../base/index.ts';
import { countDownload, isPublished, renderIndex, viewOf } from '../catalog/index.ts';
import { readPublicChanges, renderAtomFeed, renderJsonFeed } from '../changes/index.ts';
import { answerTagged, readBody } from '../http/index.ts';
import {
  listReports,
  publishAdvisory,
  purgeVersion,
  quarantineVersion,
  readReviewQueue,
  readScans,
  reportSkill,
  rescanVersion,
  resolveReport,
  reviewVersion,
  withdrawAdvisory,
} from '../moderation/index.ts';
import {
  admitPublication,
  changeSkill,
  findArchive,
  listEntries,
  proveVersion,
  publish,
  rateSkill,
  readStates,
  seeFacts,
  seeVersion,
  setLevel,
  yankVersion,
} from '../skills/index.ts';
import type { Handlers, OperationCall } from './operation.ts';

const FEED_AGE = 60;

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
  readJsonFeed: (call) => answerFeed(call, { format: 'json' }),
  readAtomFeed: (call) => answerFeed(call, { format: 'atom' }),
  readOwnerJsonFeed: (call) => answerFeed(call, { format: 'json', owner: call.path.owner }),
  readOwnerAtomFeed: (call) => answerFeed(call, { format: 'atom', owner: call.path.owner }),
  readSkillLog: ({ registry, caller, path }) => listEntries(registry, caller, path),
  proveVersion: async ({ registry, caller, path, query, context }) =>
    context.body(
      await proveVersion(registry, caller, { ...path, isWitnessed: query.witnessed === 'yes' }),
      200,
      {
        'content-type': 'text/plain; charset=utf-8',
      },
    ),
  async publishVersion({ registry, caller, path: { owner, name, version }, context }) {
    const digest = context.req.header(DIGEST_HEADER) ?? '';
    if (!Digest.safeParse(digest).success)
      throw new Failure('bad_request', `the header ${DIGEST_HEADER} must have the digest of the archive`);
    await admitPublication(registry, caller, { owner, name, version, digest });
    const { maxArchiveBytes: maxBytes, uploadSeconds: seconds } = registry.settings;
    const archive = await readBody(context, { maxBytes, seconds });
    return publish(registry, caller, { owner, name, version, digest, archive });
  },
  yankVersion: ({ registry, caller, path, body }) => yankVersion(registry, caller, { ...path, ...body }),
  changeSkill: ({ registry, caller, path: address, body: change }) =>
    changeSkill(registry, caller, { address, change }),
  rateSkill: ({ registry, caller, path: address, body: { stars } }) =>
    rateSkill(registry, caller, { address, stars }),
  unrateSkill: ({ registry, caller, path: address }) => rateSkill(registry, caller, { address, stars: null }),
  reportSkill: ({ registry, caller, path: address, body: report }) =>
    reportSkill(registry, caller, { address, report }),
  async listReports({ registry, caller, query }) {
    if (caller.account === undefined) throw unauthorised();
    return { reports: await listReports(registry, caller, { isOpen: query.state === 'open' }) };
  },
  resolveReport: ({ registry, caller, path: { id }, body: { resolution } }) =>
    resolveReport(registry, caller, { id, resolution }),
  async readReviewQueue({ registry, caller }) {
    if (caller.account === undefined) throw unauthorised();
    return { versions: await readReviewQueue(registry, caller) };
  },
  reviewVersion: ({ registry, caller, path, body }) => reviewVersion(registry, caller, { ...path, ...body }),
  quarantineVersion: ({ registry, caller, path, body }) =>
    quarantineVersion(registry, caller, { ...path, ...body }),
  purgeVersion: ({ registry, caller, path, body }) => purgeVersion(registry, caller, { ...path, ...body }),
  rescanVersion: ({ registry, caller, path }) => rescanVersion(registry, caller, path),
  readScans: ({ registry, caller, path }) => readScans(registry, caller, path),
  publishAdvisory: ({ registry, caller, path: address, body: advisory }) =>
    publishAdvisory(registry, caller, { address, advisory }),
  withdrawAdvisory: ({ registry, caller, path }) =>
    withdrawAdvisory(registry, caller, { address: path, id: path.id }),
  setLevel: ({ registry, caller, path: address, body: { level } }) =>
    setLevel(registry, caller, { address, level }),
} satisfies Partial<Handlers>;

/** Changes of the whole registry, or of one namespace. */
async function answerFeed(
  { registry, context }: OperationCall<unknown, unknown>,
  { format, owner }: { readonly format: 'json' | 'atom'; readonly owner?: string },
): Promise<Response> {
  const changes = await readPublicChanges(registry, owner);
  const place = {
    publicUrl: registry.publicUrl,
    path: `${owner === undefined ? '' : `/@${owner}`}/feed.${format}`,
    title: owner === undefined ? 'Skillwright registry' : `Skills of @${owner}`,
  };
  const text =
    format === 'json' ? JSON.stringify(renderJsonFeed(changes, place)) : renderAtomFeed(changes, place);
  const type = format === 'json' ? 'application/feed+json' : 'application/atom+xml';
  const tag = `"${digestOf(text).slice(7, 39)}"`;
  return answerTagged(context, { tag, isPublic: true, maxAge: FEED_AGE, type }, () => text);
}
