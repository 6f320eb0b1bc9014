// Operations on the webhooks of a namespace.

import {
  CreatedWebhook,
  createWebhook,
  listWebhooks,
  removeWebhook,
  WebhookList,
  WebhookRequest,
} from '../changes/index.ts';
import { defineOperation, type Operation } from './operation.ts';

const PATH = '/api/v1/owners/@{owner}/webhooks';
const usual = ['unauthorised', 'forbidden', 'not_found'] as const;

export const webhookOperations: readonly Operation[] = [
  defineOperation({
    id: 'listWebhooks',
    method: 'GET',
    path: PATH,
    summary: 'Webhooks of a namespace',
    scope: 'owner',
    status: 200,
    response: WebhookList,
    errors: usual,
    run: async ({ registry, caller, path: { owner } }) => ({
      webhooks: await listWebhooks(registry, caller, owner),
    }),
  }),
  defineOperation({
    id: 'createWebhook',
    method: 'POST',
    path: PATH,
    summary: 'Send every change in a namespace to an address',
    scope: 'owner',
    body: WebhookRequest,
    status: 201,
    response: CreatedWebhook,
    errors: ['bad_request', 'conflict', ...usual],
    run: ({ registry, caller, path: { owner }, body: { url } }) =>
      createWebhook(registry, caller, { owner, url }),
  }),
  defineOperation({
    id: 'removeWebhook',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    summary: 'Remove a webhook',
    scope: 'owner',
    status: 204,
    response: undefined,
    errors: usual,
    async run({ registry, caller, path: { owner, id } }) {
      await removeWebhook(registry, caller, { owner, id });
      return undefined;
    },
  }),
];
