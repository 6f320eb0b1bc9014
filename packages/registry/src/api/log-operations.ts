// Operations about the transparency log and a skill. The log itself is static files: see routes/log.ts.

import { listEntries, proveVersion, SkillLog } from '../skills/index.ts';
import { defineOperation, type Operation } from './operation.ts';

const PRIVATE = 'private, no-cache';

export const logOperations: readonly Operation[] = [
  defineOperation({
    id: 'readSkillLog',
    method: 'GET',
    path: '/api/v1/skills/@{owner}/{name}/log',
    summary: 'Everything the transparency log says about a skill',
    scope: null,
    status: 200,
    response: SkillLog,
    errors: ['unauthorised', 'not_found'],
    run: ({ registry, caller, path, context }) => {
      context.header('cache-control', PRIVATE);
      return listEntries(registry, caller, path);
    },
  }),
  defineOperation({
    id: 'proveVersion',
    method: 'GET',
    path: '/api/v1/skills/@{owner}/{name}/{version}/proof',
    summary: 'Proof that a version is in the transparency log, as a tlog-proof file',
    scope: null,
    status: 200,
    response: 'text/plain',
    errors: ['unauthorised', 'not_found', 'unavailable'],
    run: async ({ registry, caller, path, context }) =>
      context.body(await proveVersion(registry, caller, path), 200, {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': PRIVATE,
      }),
  }),
];
