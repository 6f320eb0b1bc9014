// The configured registry, with the user's token if it may be sent there.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import { findVariable } from '../../base/variables.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { openCredentials } from '../credentials/index.ts';
import { isThisMachine } from './check-url.ts';
import type { Fetcher, FetchOptions } from './fetcher.ts';
import { openIndexMemory } from './index-memory.ts';
import { createRegistryClient, type RegistryClient } from './registry-client.ts';
import { rememberedKey } from './registry-memory.ts';
import { type ChosenRegistry, isDefaultRegistry, isTrustedRegistry, registryOf } from './registry-of.ts';
import { registryAddress } from './registry-source.ts';

/** The token for a registry, or the reason it is withheld. */
interface RegistryToken {
  readonly token?: string | undefined;
  readonly withheld?: string | undefined;
  /** Help to show when the registry refuses the token. */
  readonly ifRefused?: string | undefined;
}

/** A registry ready for use. */
export interface OpenRegistry extends RegistryToken, ChosenRegistry {
  readonly client: RegistryClient;
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
  const key = chosen.key ?? rememberedKey(chosen.url, workspace);
  const access = await registryToken(chosen.url, workspace);
  // Pinning the first key that was seen keeps the index that was seen before it.
  const memory = openIndexMemory(workspace, chosen);
  const own = await reachRegistry(fetcher, chosen, workspace);
  const client = createRegistryClient({ url: chosen.url, fetcher: own, ...access, memory });
  return { ...chosen, key, ...access, client };
}

/**
 * The user's token, if it may go to this registry: `SKC_TOKEN`, which belongs to the user's own `registry.url`, else the
 * token of `skc login` for this address. Only over https, and only to a registry the user chose or names now
 * (`isNamed`), because a project could otherwise use the account. E110 when a token has invalid characters, E246 when
 * the stored logins cannot be trusted.
 */
export async function registryToken(
  url: string,
  workspace: Workspace,
  { isNamed = false }: { readonly isNamed?: boolean } = {},
): Promise<RegistryToken> {
  const found = findVariable(workspace.env, 'TOKEN');
  if (found?.value) checkToken(found.value, found.name);
  const registry = registryAddress(url);
  const credentials = openCredentials(workspace);
  const hasLogin = credentials.list().some((login) => login.registry === registry);
  if (!found?.value && !hasLogin) return {};
  const address = new URL(registry);
  if (address.protocol === 'http:' && !isThisMachine(address))
    return { withheld: 'a token is sent only over https' };
  if (found?.value && (await isDefaultRegistry(registry, workspace)))
    return {
      token: found.value,
      ifRefused: `put another token into ${found.name}, or unset it and run 'skc login ${registry}'`,
    };
  const isChosen = isNamed || (await isTrustedRegistry(registry, workspace));
  if (!isChosen)
    return {
      withheld: `the project chose this registry; confirm it with 'skc config registry.url ${registry} --scope user'`,
    };
  if (!hasLogin)
    return { withheld: `${found!.name} is the token of the registry in registry.url, not of ${registry}` };
  const login = (await credentials.find(registry))!;
  const again = `run 'skc login ${registry}'`;
  if (login.expires !== null && Date.parse(login.expires) <= Date.now())
    return { withheld: `your login has expired; ${again}` };
  if (login.token === undefined)
    return { withheld: `the keyring does not give your token; unlock it, or ${again}` };
  checkToken(login.token, credentials.path);
  return { token: login.token };
}

function checkToken(token: string, where: string): void {
  if (/[^\x21-\x7e]/.test(token))
    throw SkillwrightError.of('E110', { where, why: 'not a token: it contains invalid characters' });
}

/**
 * The fetcher for a registry. It reaches this registry on any network if the user names it (`isNamed`) or has configured
 * it. Everything else stays subject to the address checks: other origins, redirects, and a registry that only a project
 * names.
 */
export async function reachRegistry(
  fetcher: Fetcher,
  { url, isNamed = false }: { readonly url: string; readonly isNamed?: boolean },
  workspace: Workspace,
): Promise<Fetcher> {
  if (!isNamed && !(await isTrustedRegistry(url, workspace))) return fetcher;
  const named = new URL(url).origin;
  const own = <Options extends FetchOptions>(options: Options): Options => ({ ...options, named });
  return {
    get: (target, options = {}) => fetcher.get(target, own(options)),
    head: (target, options = {}) => fetcher.head(target, own(options)),
    getJson: (target, schema, options = {}) => fetcher.getJson(target, schema, own(options)),
    download: (target, file, options = {}) => fetcher.download(target, file, own(options)),
    send: (target, options) => fetcher.send(target, own(options)),
  };
}
