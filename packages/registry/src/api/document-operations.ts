// Operations that read: indexes, version documents, archives, states.

import { SkillIndex, StatesRequest, StatesResponse, VersionDocument } from 'skillwright/registry-protocol';
import { isOpen } from '../access/index.ts';
import { countDownload, isPublished, renderIndex, viewOf } from '../catalog/index.ts';
import { answerTagged } from '../http/index.ts';
import { findArchive, readStates, seeFacts, seeVersion } from '../skills/index.ts';
import { defineOperation, type Operation } from './operation.ts';

export const documentOperations: readonly Operation[] = [
  defineOperation({
    id: 'readSkill',
    method: 'GET',
    path: '/api/v1/skills/@{owner}/{name}',
    summary: 'The index of a skill: its versions and their states',
    scope: null,
    status: 200,
    response: SkillIndex,
    errors: ['unauthorised', 'not_found'],
    async run({ registry, caller, path, context }) {
      const facts = await seeFacts(registry, caller, path);
      const view = viewOf(caller, facts.skill);
      const { text, tag } = renderIndex(registry, facts, view);
      const isPublic = isOpen(facts.skill) && view === 'published';
      return answerTagged(context, { tag, isPublic, maxAge: 0, type: 'application/json' }, () => text);
    },
  }),
  defineOperation({
    id: 'readVersion',
    method: 'GET',
    path: '/api/v1/skills/@{owner}/{name}/{version}',
    summary: 'The document of a version, which never changes',
    scope: null,
    status: 200,
    response: VersionDocument,
    errors: ['unauthorised', 'not_found'],
    async run({ registry, caller, path, context }) {
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
  }),
  defineOperation({
    id: 'readArchive',
    method: 'GET',
    path: '/api/v1/archives/{digest}',
    summary: 'The archive with this digest',
    scope: null,
    status: 200,
    response: 'application/gzip',
    errors: ['unauthorised', 'not_found', 'quarantined', 'purged', 'unavailable'],
    async run({ registry, caller, path: { digest }, context }) {
      const archive = await findArchive(registry, caller, digest);
      const { isPublic, versionId } = archive;
      return answerTagged(
        context,
        {
          tag: `"${digest}"`,
          isPublic,
          // A purge must reach everybody who asks again.
          maxAge: 0,
          type: 'application/gzip',
        },
        async () => {
          const bytes = await archive.read();
          if (context.req.method === 'GET' && archive.counts)
            countDownload(registry, { versionId, caller, address: context.get('address') });
          return bytes;
        },
      );
    },
  }),
  defineOperation({
    id: 'readStates',
    method: 'POST',
    path: '/api/v1/states',
    summary: 'The states of up to 100 installed versions',
    scope: null,
    body: StatesRequest,
    status: 200,
    response: StatesResponse,
    errors: ['bad_request', 'unauthorised', 'too_large'],
    run: ({ registry, caller, body }) => readStates(registry, caller, body),
  }),
];
