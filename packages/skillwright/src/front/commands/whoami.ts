// skc whoami: the account behind the token for a registry.

import * as z from 'zod';
import { makeVisible } from '../../base/diagnostics/index.ts';
import { Whoami } from '../../ship/protocol/index.ts';
import { defineCommand } from './define-command.ts';

/** Shows the account, its rights, and owners offered to it. */
export const whoami = defineCommand({
  input: z.strictObject({
    registry: z.string().min(1).optional().describe('Address of the registry; by default `registry.url`'),
  }),
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
  examples: [
    { line: 'skc whoami', note: 'show your account at the registry in registry.url' },
    { line: 'skc whoami https://skills.example.com', note: 'show your account at another one' },
  ],
  async run({ registry }, context) {
    const { chooseRegistry, openAccount, registryFlag } = await import('./registry-choice.ts');
    const chosen = await chooseRegistry({ registry }, context);
    const account = await openAccount(chosen, context);
    return { ...(await account.call('whoami')), registry: chosen.url, flag: registryFlag(chosen).trim() };
  },
  text({ registry, flag, account, displayName, isAdmin, token, owners, transfers }) {
    const name = displayName === '' || displayName === account ? '' : ` (${makeVisible(displayName)})`;
    const lines = [`${makeVisible(account)}${name} at ${makeVisible(registry)}`];
    if (isAdmin) lines.push('admin of the registry');
    if (token !== null) {
      const end = token.expires === null ? 'does not expire' : `expires ${token.expires.slice(0, 10)}`;
      lines.push(`token: ${makeVisible(token.name)} (${token.scopes.join(', ')}), ${end}`);
    }
    for (const { name: owner, roles } of owners) lines.push(`@${owner}: ${roles.join(', ')}`);
    for (const { owner, from, roles, expires } of transfers)
      lines.push(
        `${makeVisible(from)} offers you ${roles === undefined ? '' : `to be ${roles.join(', ')} of `}@${owner} until ${expires.slice(0, 10)}: ${['skc owner accept', `@${owner}`, ...(flag === '' ? [] : [flag])].join(' ')}`,
      );
    return `${lines.join('\n')}\n`;
  },
});
