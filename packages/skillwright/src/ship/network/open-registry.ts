// The configured registry, with the user's token if it may be sent there.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findVariable } from '../../base/variables.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { isThisMachine } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import { createRegistryClient, type RegistryClient } from './registry-client.ts';
import { isConfirmedRegistry, isUsersRegistry } from './registry-source.ts';

/** The token for a registry, or the reason it is withheld. */
export interface RegistryToken {
  readonly token?: string | undefined;
  readonly withheld?: string | undefined;
}

/** A registry ready for use. */
export interface OpenRegistry extends RegistryToken {
  readonly client: RegistryClient;
  /** Whether the user chose it: only then do its claims count. */
  readonly isUsers: boolean;
  /** Whether the user chose it, or has confirmed that a project may name it. */
  readonly isConfirmed: boolean;
}

/** The configured registry; undefined when there is none. E110 when the token has invalid characters. */
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
 * `SKC_TOKEN`, if it may go to this registry: only over https and to an address the user chose, because a project could
 * otherwise send it to anyone. E110 when it has invalid characters.
 */
export async function registryToken(url: string, workspace: Workspace): Promise<RegistryToken> {
  const found = findVariable(workspace.env, 'TOKEN');
  if (!found?.value) return {};
  const token = found.value;
  if (/[^\x21-\x7e]/.test(token))
    throw SkillwrightError.of('E110', {
      where: found.name,
      why: 'not a token: it contains invalid characters',
    });
  const address = new URL(url);
  if (address.protocol === 'http:' && !isThisMachine(address))
    return { withheld: 'a token is sent only over https' };
  if (await isUsersRegistry(url, workspace)) return { token };
  return {
    withheld: `the project chose this registry; confirm it with 'skc config registry.url ${url} --scope user'`,
  };
}
