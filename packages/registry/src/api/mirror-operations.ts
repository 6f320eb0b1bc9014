// Operations on the mirrors of a namespace.

import * as z from 'zod';
import {
  addMirror,
  listMirrors,
  Mirror,
  MirrorRequest,
  MirrorRun,
  removeMirror,
  syncMirror,
} from '../mirrors/index.ts';
import { defineOperation, type Operation } from './operation.ts';

const PATH = '/api/v1/owners/@{owner}/mirrors';
const usual = ['unauthorised', 'forbidden', 'not_found'] as const;

export const mirrorOperations: readonly Operation[] = [
  defineOperation({
    id: 'listMirrors',
    method: 'GET',
    path: PATH,
    summary: 'Mirrors of a namespace, and how their last runs went',
    scope: 'owner',
    status: 200,
    response: z.object({ mirrors: z.array(Mirror) }),
    errors: usual,
    run: async ({ registry, caller, path: { owner } }) => ({
      mirrors: await listMirrors(registry, caller, owner),
    }),
  }),
  defineOperation({
    id: 'addMirror',
    method: 'POST',
    path: PATH,
    summary: 'Keep the skills of a repository or site as versions of a namespace',
    scope: 'owner',
    body: MirrorRequest,
    status: 201,
    response: Mirror,
    errors: ['bad_request', 'conflict', ...usual],
    run: ({ registry, caller, path: { owner }, body }) => addMirror(registry, caller, { owner, ...body }),
  }),
  defineOperation({
    id: 'removeMirror',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    summary: 'End a mirror; its skills stay',
    scope: 'owner',
    status: 204,
    response: undefined,
    errors: usual,
    async run({ registry, caller, path: { owner, id } }) {
      await removeMirror(registry, caller, { owner, id });
      return undefined;
    },
  }),
  defineOperation({
    id: 'syncMirror',
    method: 'POST',
    path: `${PATH}/{id}/sync`,
    summary: 'Fetch a mirror now',
    scope: 'owner',
    status: 200,
    response: MirrorRun,
    errors: usual,
    run: ({ registry, caller, path: { owner, id }, context }) =>
      syncMirror(registry, caller, { owner, id, signal: context.req.raw.signal }),
  }),
];
