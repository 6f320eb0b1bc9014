// The registry that a command talks to, and the user's account there.

import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import {
  createFetcher,
  createRegistryAccount,
  type Fetcher,
  fetcherSettings,
  type RegistryAccount,
  reachRegistry,
  registryAddress,
  registryOf,
  registryToken,
} from '../../ship/network/index.ts';
import { parseAddress } from '../../ship/protocol/index.ts';
import { isSkillName } from '../../skill/format/index.ts';
import type { CommandContext } from './command-context.ts';

/** The registry a command means. */
export interface ChosenAddress {
  /** It ends with `/`. */
  readonly url: string;
  /** Whether the user named it in this command. */
  readonly isNamed: boolean;
}

/** The registry the user names, else the configured one. E110 when there is none. */
export async function chooseRegistry(
  { registry, owner }: { readonly registry?: string | undefined; readonly owner?: string | undefined },
  { workspace }: CommandContext,
  { help = "name one, or set it with 'skc config registry.url https://…'" }: { readonly help?: string } = {},
): Promise<ChosenAddress> {
  if (registry !== undefined) return { url: registryAddress(readAddress(registry)), isNamed: true };
  const chosen = await registryOf({ owner }, workspace);
  if (chosen === undefined)
    throw SkillwrightError.of('E110', { where: 'registry.url', why: 'no registry is set' }, { help });
  return { url: chosen.url, isNamed: false };
}

/** The flag that a command of the user needs to reach the same registry: none when it is the configured one. */
export function registryFlag({ url, isNamed }: ChosenAddress): string {
  return isNamed ? ` --registry ${url}` : '';
}

/** A web address; `https` when the user leaves out the scheme. E100 for anything else. */
function readAddress(text: string): string {
  const full = text.includes('://') ? text : `https://${text}`;
  const isWeb = URL.canParse(full) && /^https?:$/.test(new URL(full).protocol);
  if (!isWeb) throw invalidOption(`'${text}' is not the address of a registry`);
  const { username, password, search } = new URL(full);
  if (username !== '' || password !== '' || search !== '')
    throw invalidOption('the address of a registry has no user name, password or parameters');
  return full;
}

/** A fetcher for a registry, with the user's settings. */
export async function openFetcher(chosen: ChosenAddress, { workspace }: CommandContext): Promise<Fetcher> {
  const fetcher = createFetcher(fetcherSettings((await workspace.config()).network));
  return reachRegistry(fetcher, chosen, workspace);
}

/** The account of the user at a registry. E247 when there is no token for it. */
export async function openAccount(chosen: ChosenAddress, context: CommandContext): Promise<RegistryAccount> {
  const { url, isNamed } = chosen;
  const { token, withheld, ifRefused } = await registryToken(url, context.workspace, { isNamed });
  if (token === undefined) throw notLoggedIn(url, withheld);
  const fetcher = await openFetcher(chosen, context);
  return createRegistryAccount({ url, token, ifRefused, fetcher, signal: context.signal });
}

/** E247, with the reason why an existing token is not sent. */
export function notLoggedIn(url: string, withheld: string | undefined): SkillwrightError {
  return SkillwrightError.of('E247', { url }, { help: withheld, data: { url } });
}

/** For commands that change something at a registry, and nothing here. */
export const changesRegistry = { effect: 'write', writes: [], touches: 'nothing' } as const;

/**
 * The skill that an address names, and its registry. `whole` is the E100 for an address with a version, of a command about
 * whole skills.
 */
export async function chooseSkill(
  text: string,
  {
    registry,
    whole,
  }: { readonly registry?: string | undefined; readonly whole?: readonly [string, string?] },
  context: CommandContext,
) {
  const { address, version, ...path } = readSkillAddress(text);
  if (version !== undefined && whole !== undefined) throw invalidOption(...whole);
  const chosen = await chooseRegistry({ registry, owner: path.owner }, context);
  return {
    address,
    version,
    path,
    url: chosen.url,
    account: (): Promise<RegistryAccount> => openAccount(chosen, context),
  };
}

/** Reads `@owner/name` or `@owner/name@version`. E100 for anything else. */
export function readSkillAddress(text: string) {
  const at = text.lastIndexOf('@');
  const [address, version] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, undefined];
  const parsed = parseAddress(address);
  if (parsed === undefined) throw invalidOption(`'${text}' is not @owner/name`);
  return { address, ...parsed, version };
}

/** Reads the name of an owner, with or without `@`. E100 for anything else. */
export function readOwnerName(text: string): string {
  const name = text.replace(/^@/, '');
  if (!isSkillName(name)) throw invalidOption(`'${text}' is not the name of an owner`);
  return name;
}
