// The configured registry, with the user's token if it may be sent there.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findVariable } from '../../base/variables.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { isThisMachine } from './check-url.ts';
import type { Fetcher } from './fetcher.ts';
import { openIndexMemory } from './index-memory.ts';
import { createRegistryClient, type RegistryClient } from './registry-client.ts';
import { type ChosenRegistry, isDefaultRegistry, isUsersRegistry, registryOf } from './registry-of.ts';
import { createRegistryWrites, type RegistryWrites } from './registry-writes.ts';

/** The token for a registry, or the reason it is withheld. */
export interface RegistryToken {
  readonly token?: string | undefined;
  readonly withheld?: string | undefined;
}

/** A registry ready for use. */
export interface OpenRegistry extends RegistryToken, ChosenRegistry {
  readonly client: RegistryClient;
  readonly writes: RegistryWrites;
}

/**
 * The registry that serves an owner's skills, or the default one; undefined when there is none. E110 when the token has
 * invalid characters.
 */
export async function openRegistry(
  workspace: Workspace,
  { fetcher, owner }: { readonly fetcher: Fetcher; readonly owner?: string | undefined },
): Promise<OpenRegistry | undefined> {
  const chosen = await registryOf({ owner }, workspace);
  if (chosen === undefined) return undefined;
  return connectRegistry(chosen, workspace, { fetcher });
}

/** A chosen registry, ready for use. E110 as above. */
export async function connectRegistry(
  chosen: ChosenRegistry,
  workspace: Workspace,
  { fetcher }: { readonly fetcher: Fetcher },
): Promise<OpenRegistry> {
  const access = await registryToken(chosen.url, workspace);
  const options = { url: chosen.url, fetcher, token: access.token };
  const memory = openIndexMemory(workspace, chosen);
  return {
    ...chosen,
    ...access,
    client: createRegistryClient({ ...options, memory }),
    writes: createRegistryWrites(options),
  };
}

/**
 * `SKC_TOKEN`, if it may go to this registry: only over https, and only to the user's own `registry.url`, because a
 * project could otherwise send it to anyone. E110 when it has invalid characters.
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
  if (await isDefaultRegistry(url, workspace)) return { token };
  if (await isUsersRegistry(url, workspace))
    return { withheld: `${found.name} is the token of the registry in registry.url, not of ${url}` };
  return {
    withheld: `the project chose this registry; confirm it with 'skc config registry.url ${url} --scope user'`,
  };
}
