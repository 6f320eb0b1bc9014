// The registry that the configuration names, with the user's token where it may be sent.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findVariable } from '../../base/variables.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { isThisMachine } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import { createRegistryClient, type RegistryClient } from './registry-client.ts';
import { isConfirmedRegistry, isUsersRegistry } from './registry-source.ts';

/** The token for a registry, or why there is one that is not sent. */
export interface RegistryToken {
  readonly token?: string | undefined;
  readonly withheld?: string | undefined;
}

/** A registry that can be asked. */
export interface OpenRegistry extends RegistryToken {
  readonly client: RegistryClient;
  /** Whether the user chose it: only then does its word count. */
  readonly isUsers: boolean;
  /** Whether the user chose it, or has confirmed that a project may name it. */
  readonly isConfirmed: boolean;
}

/** The configured registry; undefined when there is none. E110 when the token cannot be one. */
export async function openRegistry(
  workspace: Workspace,
  fetcher: Fetcher,
): Promise<OpenRegistry | undefined> {
  const { url } = (await workspace.config()).registry;
  if (url === undefined) return undefined;
  const access = await registryToken(url, workspace);
  return {
    ...access,
    client: createRegistryClient({ url, fetcher, token: access.token }),
    isUsers: await isUsersRegistry(url, workspace),
    isConfirmed: await isConfirmedRegistry(url, workspace),
  };
}

/**
 * `SKC_TOKEN`, if it may go to this registry: only where the user chose the address, because a project could otherwise
 * send it to a stranger, and only protected. E110 when it cannot be a token.
 */
export async function registryToken(url: string, workspace: Workspace): Promise<RegistryToken> {
  const found = findVariable(workspace.env, 'TOKEN');
  if (!found?.value) return {};
  const token = found.value;
  if (/[^\x21-\x7e]/.test(token))
    throw SkillwrightError.of('E110', { where: found.name, why: 'not a token: it holds odd characters' });
  const address = new URL(url);
  if (address.protocol === 'http:' && !isThisMachine(address))
    return { withheld: 'a token is sent over https alone' };
  if (await isUsersRegistry(url, workspace)) return { token };
  return {
    withheld: `the project chose this registry; confirm it with 'skc config registry.url ${url} --scope user'`,
  };
}
