// Operations of accounts on themselves: whoami, tokens, sessions.

import { CreatedToken, SessionInfo, TokenInfo, TokenRequest, Whoami } from 'skillwright/registry-protocol';
import * as z from 'zod';
import {
  endSession,
  listSessions,
  listTokens,
  requestToken,
  revokeToken,
  whoami,
} from '../accounts/index.ts';
import { defineOperation, type Operation } from './operation.ts';

export const accountOperations: readonly Operation[] = [
  defineOperation({
    id: 'whoami',
    method: 'GET',
    path: '/api/v1/whoami',
    summary: 'The account behind a token',
    scope: 'any',
    status: 200,
    response: Whoami,
    errors: ['unauthorised'],
    run: ({ registry, caller }) => whoami(registry, caller),
  }),
  defineOperation({
    id: 'listTokens',
    method: 'GET',
    path: '/api/v1/tokens',
    summary: 'Tokens of your account that work',
    scope: 'owner',
    status: 200,
    response: z.object({ tokens: z.array(TokenInfo) }),
    errors: ['unauthorised', 'forbidden'],
    run: async ({ registry, caller }) => ({ tokens: await listTokens(registry, caller) }),
  }),
  defineOperation({
    id: 'createToken',
    method: 'POST',
    path: '/api/v1/tokens',
    summary: 'Make a token with some of your rights',
    scope: 'owner',
    body: TokenRequest,
    status: 201,
    response: CreatedToken,
    errors: ['bad_request', 'unauthorised', 'forbidden', 'not_found'],
    run: ({ registry, caller, body }) => requestToken(registry, caller, body),
  }),
  defineOperation({
    id: 'revokeToken',
    method: 'DELETE',
    path: '/api/v1/tokens/{id}',
    summary: 'Revoke a token and those made with it; scope `owner` for tokens other than the one you send',
    scope: 'any',
    status: 204,
    response: undefined,
    errors: ['unauthorised', 'forbidden', 'not_found'],
    async run({ registry, caller, path: { id } }) {
      await revokeToken(registry, caller, id);
      return undefined;
    },
  }),
  defineOperation({
    id: 'listSessions',
    method: 'GET',
    path: '/api/v1/sessions',
    summary: 'Browsers that are signed in to your account',
    scope: 'owner',
    status: 200,
    response: z.object({ sessions: z.array(SessionInfo) }),
    errors: ['unauthorised', 'forbidden'],
    run: async ({ registry, caller }) => ({ sessions: await listSessions(registry, caller) }),
  }),
  defineOperation({
    id: 'endSession',
    method: 'DELETE',
    path: '/api/v1/sessions/{id}',
    summary: 'Sign a browser out',
    scope: 'owner',
    status: 204,
    response: undefined,
    errors: ['unauthorised', 'forbidden', 'not_found'],
    async run({ registry, caller, path: { id } }) {
      await endSession(registry, caller, id);
      return undefined;
    },
  }),
];
