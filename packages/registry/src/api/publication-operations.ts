// Operations of publishers: publish, yank, change a skill.

import {
  DIGEST_HEADER,
  Digest,
  IndexVersion,
  SkillChange,
  SkillIndex,
  YankRequest,
} from 'skillwright/registry-protocol';
import { Failure } from '../base/index.ts';
import { readBody } from '../http/index.ts';
import { admitPublication, changeSkill, publish, yankVersion } from '../skills/index.ts';
import { defineOperation, type Operation } from './operation.ts';

export const publicationOperations: readonly Operation[] = [
  defineOperation({
    id: 'publishVersion',
    method: 'PUT',
    path: '/api/v1/skills/@{owner}/{name}/{version}',
    summary: 'Publish a version; the first one creates the skill',
    scope: 'publish',
    body: 'archive',
    status: 201,
    response: IndexVersion,
    errors: [
      'bad_request',
      'unauthorised',
      'forbidden',
      'not_found',
      'version_exists',
      'name_taken',
      'too_large',
      'digest_mismatch',
      'invalid_skill',
      'refused_by_scan',
      'unavailable',
    ],
    async run({ registry, caller, path, context }) {
      const { owner, name, version } = path;
      const digest = context.req.header(DIGEST_HEADER) ?? '';
      if (!Digest.safeParse(digest).success)
        throw new Failure('bad_request', `the header ${DIGEST_HEADER} must have the digest of the archive`);
      await admitPublication(registry, caller, { owner, name, version, digest });
      const { maxArchiveBytes: maxBytes, uploadSeconds: seconds } = registry.settings;
      const archive = await readBody(context, { maxBytes, seconds });
      return publish(registry, caller, { owner, name, version, digest, archive });
    },
  }),
  defineOperation({
    id: 'yankVersion',
    method: 'PATCH',
    path: '/api/v1/skills/@{owner}/{name}/{version}',
    summary: 'Yank a version, or undo that',
    scope: 'publish',
    body: YankRequest,
    status: 200,
    response: IndexVersion,
    errors: ['bad_request', 'unauthorised', 'forbidden', 'not_found'],
    run: ({ registry, caller, path, body }) => yankVersion(registry, caller, { ...path, ...body }),
  }),
  defineOperation({
    id: 'changeSkill',
    method: 'PATCH',
    path: '/api/v1/skills/@{owner}/{name}',
    summary: 'Deprecate a skill, or change who sees it and who may publish it',
    scope: 'publish',
    body: SkillChange,
    status: 200,
    response: SkillIndex,
    errors: ['bad_request', 'unauthorised', 'forbidden', 'not_found'],
    run: ({ registry, caller, path, body }) => changeSkill(registry, caller, { address: path, change: body }),
  }),
];
