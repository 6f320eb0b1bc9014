// Operations on namespaces: members, transfers, trusted publishers.

import {
  MemberRequest,
  Owner,
  OwnerRequest,
  Publisher,
  PublisherRequest,
  Transfer,
  TransferRequest,
} from 'skillwright/registry-protocol';
import * as z from 'zod';
import {
  acceptTransfer,
  addPublisher,
  changeMember,
  declineTransfer,
  listPublishers,
  offerTransfer,
  putOwner,
  removePublisher,
  showOwner,
} from '../accounts/index.ts';
import { defineOperation, type Operation } from './operation.ts';

const PATH = '/api/v1/owners/@{owner}';
const usual = ['unauthorised', 'forbidden', 'not_found'] as const;

export const ownerOperations: readonly Operation[] = [
  defineOperation({
    id: 'getOwner',
    method: 'GET',
    path: PATH,
    summary: 'A namespace; its members are shown to members',
    scope: null,
    status: 200,
    response: Owner,
    errors: ['not_found'],
    async run({ registry, caller, path: { owner }, context }) {
      const shown = await showOwner(registry, caller, owner);
      context.header('cache-control', 'private, no-cache');
      return shown;
    },
  }),
  defineOperation({
    id: 'putOwner',
    method: 'PUT',
    path: PATH,
    summary:
      'Create a namespace (201), or change the title and address of one you manage (200), unless `If-None-Match: *` asks for a new one',
    scope: 'owner',
    body: OwnerRequest,
    status: 201,
    response: Owner,
    errors: ['bad_request', 'name_taken', ...usual],
    async run({ registry, caller, path: { owner: name }, body: request, context }) {
      const mustBeNew = context.req.header('if-none-match')?.trim() === '*';
      const { owner, isNew } = await putOwner(registry, caller, { name, request, mustBeNew });
      return isNew ? owner : context.json(owner, 200, { 'cache-control': 'no-store' });
    },
  }),
  defineOperation({
    id: 'changeMember',
    method: 'PUT',
    path: `${PATH}/members/{account}`,
    summary: 'Give a member exactly these roles; none removes the member',
    scope: 'owner',
    body: MemberRequest,
    status: 200,
    response: Owner,
    errors: ['bad_request', 'conflict', ...usual],
    run: ({ registry, caller, path: { owner, account }, body: { roles } }) =>
      changeMember(registry, caller, { owner, account, roles }),
  }),
  defineOperation({
    id: 'offerTransfer',
    method: 'POST',
    path: `${PATH}/transfer`,
    summary: 'Offer a namespace to another account',
    scope: 'owner',
    body: TransferRequest,
    status: 201,
    response: Transfer,
    errors: ['bad_request', ...usual],
    run: ({ registry, caller, path: { owner }, body: { to } }) =>
      offerTransfer(registry, caller, { owner, to }),
  }),
  defineOperation({
    id: 'acceptTransfer',
    method: 'POST',
    path: '/api/v1/transfers/{id}/accept',
    summary: 'Take over a namespace that was offered to you',
    scope: 'owner',
    status: 200,
    response: Transfer,
    errors: usual,
    run: ({ registry, caller, path: { id } }) => acceptTransfer(registry, caller, id),
  }),
  defineOperation({
    id: 'declineTransfer',
    method: 'POST',
    path: '/api/v1/transfers/{id}/decline',
    summary: 'Decline an offered namespace, or take an offer back',
    scope: 'owner',
    status: 200,
    response: Transfer,
    errors: usual,
    run: ({ registry, caller, path: { id } }) => declineTransfer(registry, caller, id),
  }),
  defineOperation({
    id: 'listPublishers',
    method: 'GET',
    path: `${PATH}/publishers`,
    summary: 'Trusted publishers of a namespace',
    scope: 'owner',
    status: 200,
    response: z.object({ publishers: z.array(Publisher) }),
    errors: usual,
    run: async ({ registry, caller, path: { owner } }) => ({
      publishers: await listPublishers(registry, caller, owner),
    }),
  }),
  defineOperation({
    id: 'addPublisher',
    method: 'POST',
    path: `${PATH}/publishers`,
    summary: 'Let a CI workflow publish a skill, which need not exist yet',
    scope: 'owner',
    body: PublisherRequest,
    status: 201,
    response: Publisher,
    errors: ['bad_request', ...usual],
    run: ({ registry, caller, path: { owner }, body: request }) =>
      addPublisher(registry, caller, { owner, request }),
  }),
  defineOperation({
    id: 'removePublisher',
    method: 'DELETE',
    path: `${PATH}/publishers/{id}`,
    summary: 'Remove a trusted publisher and revoke the tokens of its jobs',
    scope: 'owner',
    status: 204,
    response: undefined,
    errors: usual,
    async run({ registry, caller, path: { owner, id } }) {
      await removePublisher(registry, caller, { owner, id });
      return undefined;
    },
  }),
];
