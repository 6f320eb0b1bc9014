// skc whoami: the account behind the token for a registry.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { Whoami } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';
import { registryAddress } from './fields.ts';
import { chooseRegistry, openAccount, registryFlag } from './registry-choice.ts';

/** Shows the account, its rights, and owners offered to it. */
export const whoami = defineCommand({
  fields: {
    registry: registryAddress,
  },
  positionals: ['registry'],
  output: Whoami.extend({
    registry: z.string(),
    flag: z
      .string()
      .describe('What other commands need to reach the same registry; empty if it is configured'),
  }),
  effect: 'read',
  writes: [],
  touches: 'nothing',
  about: 'Asks the registry, so it also shows whether your token still works.',
  examples: {
    'skc whoami': 'show your account at the registry in registry.url',
    'skc whoami https://skills.example.com': 'show your account at another one',
  },
  async run({ registry }, context) {
    const chosen = await chooseRegistry({ registry }, context);
    const account = await openAccount(chosen, context);
    return { ...(await account.call('whoami')), registry: chosen.url, flag: registryFlag(chosen).trim() };
  },
  text({ registry, flag, account, displayName, isAdmin, token, owners, transfers }) {
    const name = displayName === '' || displayName === account ? '' : ` (${makeVisible(displayName)})`;
    const end = token?.expires === null ? 'does not expire' : `expires ${token?.expires.slice(0, 10)}`;
    return [
      `${makeVisible(account)}${name} at ${makeVisible(registry)}`,
      isAdmin && 'admin of the registry',
      token && `token: ${makeVisible(token.name)} (${token.scopes.join(', ')}), ${end}`,
      owners.map(({ name: owner, roles }) => `@${owner}: ${roles.join(', ')}`),
      transfers.map(
        ({ owner, from, roles, expires }) =>
          `${makeVisible(from)} offers you ${roles === undefined ? '' : `to be ${roles.join(', ')} of `}@${owner} until ${expires.slice(0, 10)}: ${`skc owner accept @${owner} ${flag}`.trim()}`,
      ),
    ];
  },
});
