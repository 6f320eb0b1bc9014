// skc logout: revokes the token of a login and removes it from this machine.

import * as z from 'zod';
import { diagnose, makeVisible, SkillwrightError } from '../../base/diagnostics/index.ts';
import { readVariable } from '../../base/variables.ts';
import { openCredentials } from '../../ship/credentials/index.ts';
import { createRegistryAccount } from '../../ship/network/index.ts';
import type { CommandContext } from './command-context.ts';
import { defineCommand } from './define-command.ts';
import { registryAddress } from './fields.ts';
import { type ChosenAddress, chooseRegistry, openFetcher } from './registry-choice.ts';

/** Logs out of a registry. */
export const logout = defineCommand({
  fields: {
    registry: registryAddress,
  },
  positionals: ['registry'],
  output: z.object({
    registry: z.string(),
    account: z.string().nullable(),
    removed: z.boolean().describe('Whether a token was removed from this machine'),
    revoked: z.boolean().describe('Whether the registry no longer accepts the token'),
    why_not: z.string().nullable().describe('Why it is not revoked'),
  }),
  effect: 'write',
  writes: ['credentials'],
  touches: 'nothing',
  about:
    'The token is always removed from this machine, even if the registry cannot be reached. The result says whether the registry revoked it too.',
  examples: {
    'skc logout': 'log out of the registry in registry.url',
  },
  async run({ registry }, context) {
    const chosen = await chooseRegistry({ registry }, context);
    const { url } = chosen;
    if (readVariable(context.workspace.env, 'TOKEN'))
      context.note('SKC_TOKEN is still set; remove the variable to stop using it');
    const credentials = openCredentials(context.workspace);
    const stored = await credentials.find(url);
    const nothing = { registry: url, account: null, removed: false, revoked: false, why_not: null };
    if (stored === undefined) return nothing;
    // Removed first: nothing that happens at the registry can keep it here.
    await credentials.remove(url);
    const why = await revoke(chosen, stored.token, context);
    if (why !== undefined) context.report(diagnose('W248', { url, why }));
    const revoked = why === undefined;
    return { registry: url, account: stored.account, removed: true, revoked, why_not: why ?? null };
  },
  text({ registry, account, removed, revoked }) {
    const shown = makeVisible(registry);
    if (!removed) return `not logged in to ${shown}\n`;
    const done = revoked ? 'token removed and revoked' : 'token removed from this machine only';
    return `logged out of ${shown} (${makeVisible(account ?? '')}): ${done}\n`;
  },
});

/** Revokes a token at the registry; the reason when that is not possible. */
async function revoke(
  chosen: ChosenAddress,
  token: string | undefined,
  context: CommandContext,
): Promise<string | undefined> {
  if (token === undefined) return 'the keyring did not give the token';
  try {
    const fetcher = await openFetcher(chosen, context);
    const account = createRegistryAccount({ url: chosen.url, token, fetcher, signal: context.signal });
    const { token: own } = await account.call('whoami');
    if (own?.id === undefined) return 'the registry does not name the token';
    await account.call('revokeToken', { path: { id: own.id }, what: `token ${own.id}` });
    return undefined;
  } catch (error) {
    if (!(error instanceof SkillwrightError)) throw error;
    // A token the registry does not know is as good as revoked.
    return error.code === 'E202' ? undefined : error.message;
  }
}
