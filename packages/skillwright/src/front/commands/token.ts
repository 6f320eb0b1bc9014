// skc token: lists, creates and revokes tokens of the user's account at a registry.

import * as z from 'zod';
import { formatCount, invalidOption, makeVisible } from '../../base/diagnostics/index.ts';
import { Scope, TokenInfo } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { choice, choices, integer, registryFields, text } from './fields.ts';
import { changesRegistry, chooseRegistry, openAccount, readOwnerName } from './registry-choice.ts';
import { renderTable } from './render-table.ts';

/** Manages tokens. The secret of a new one is the only line on standard output. */
export const token = defineCommand({
  fields: {
    action: choice(['list', 'create', 'revoke'], 'list, create or revoke', { default: 'list' }),
    token: text('Name of the new token, or id of the one to revoke', { min: 1 }),
    scope: choices(Scope.options, 'Right of the new token; read if you name none'),
    owner: text('Limit the new token to one owner'),
    days: integer('Days until the new token expires; 0: never', { min: 0, max: 366, default: 90 }),
    ...registryFields,
  },
  positionals: ['action', 'token'],
  output: z.object({
    registry: z.string(),
    action: z.enum(['list', 'create', 'revoke']),
    tokens: z.array(TokenInfo).describe('Your tokens, or the new one'),
    secret: z.string().nullable().describe('The new token itself; it is shown only now'),
    revoked: z.string().nullable().describe('Id of the revoked token'),
    dry_run: z.boolean(),
  }),
  ...changesRegistry,
  about:
    'A token acts for your account, with the rights in its scopes and no others. `skc token create` prints the token alone, so that you can pipe it into a secret store. The registry stores only its hash.',
  examples: {
    'skc token': 'list your tokens',
    'skc token create ci --scope publish --owner acme --days 30': 'a token for a CI job',
    'skc token revoke tok_1': 'make a token useless',
  },
  async run(input, context) {
    const { action, token: named, dry_run } = input;
    if (action === 'list' && named !== undefined)
      throw invalidOption(`unexpected argument '${named}'`, 'use create or revoke with it');
    if (action !== 'list' && named === undefined)
      throw invalidOption(action === 'create' ? 'name the new token' : 'name the id of the token to revoke');
    const owner = input.owner === undefined ? undefined : readOwnerName(input.owner);
    const chosen = await chooseRegistry({ registry: input.registry, owner }, context);
    const none = { registry: chosen.url, action, tokens: [], secret: null, revoked: null, dry_run };
    if (dry_run && action !== 'list') return { ...none, revoked: action === 'revoke' ? named! : null };
    const account = await openAccount(chosen, context);
    if (action === 'list') return { ...none, ...(await account.call('listTokens')) };
    if (action === 'revoke') {
      await account.call('revokeToken', { path: { id: named! }, what: `token ${named}` });
      return { ...none, revoked: named! };
    }
    const { token: secret, ...info } = await account.call('createToken', {
      body: {
        name: named!,
        scopes: input.scope.length === 0 ? ['read'] : [...new Set(input.scope)],
        owner: owner ?? null,
        days: input.days === 0 ? null : input.days,
      },
      what: named!,
    });
    const end = info.expires === null ? 'never expires' : `expires ${info.expires.slice(0, 10)}`;
    context.note(
      `created ${makeVisible(info.name)} (${info.scopes.join(', ')}), ${end}; the token is not shown again`,
    );
    return { ...none, tokens: [info], secret };
  },
  text({ action, tokens, secret, revoked, dry_run }, view) {
    if (secret !== null) return `${secret}\n`;
    if (action === 'create') return 'would create a token\n';
    if (revoked !== null) return `${dry_run ? 'would revoke' : 'revoked'} ${makeVisible(revoked)}\n`;
    if (tokens.length === 0) return 'no tokens\n';
    const columns = ['ID', 'NAME', 'STARTS WITH', 'SCOPES', 'OWNER', 'EXPIRES', 'LAST USED'];
    const day = (time: string | null) => time?.slice(0, 10) ?? 'never';
    const rows = tokens.map(({ id, name, prefix, scopes, owner, expires, used }) => [
      id,
      name,
      prefix,
      scopes.join(' '),
      owner === null ? '-' : `@${owner}`,
      day(expires),
      day(used),
    ]);
    return [renderTable(columns, rows, view), formatCount(tokens.length, 'token')];
  },
});
