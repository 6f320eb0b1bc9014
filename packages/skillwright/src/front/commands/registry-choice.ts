// The registry that a command talks to, and the user's account there.

import * as z from 'zod';
import { invalidOption, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Fetcher, RegistryAccount } from '../../ship/network/index.ts';
import { parseAddress } from '../../ship/protocol/index.ts';
import { isSkillName } from '../../skill/format/index.ts';
import type { CommandContext } from './command-context.ts';

/** Input fields of commands that change something at a registry. */
export const registryFields = {
  registry: z
    .string()
    .min(1)
    .optional()
    .describe('Address of the registry; by default the one you configured for the owner'),
  dry_run: z.boolean().default(false).describe('Show what would change, and send nothing'),
};

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
  const { registryAddress, registryOf } = await import('../../ship/network/index.ts');
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
  const [{ createFetcher, fetcherSettings }, { reachRegistry }] = await Promise.all([
    import('../../ship/network/create-fetcher.ts'),
    import('../../ship/network/reach-registry.ts'),
  ]);
  const fetcher = createFetcher(fetcherSettings((await workspace.config()).network));
  return reachRegistry(fetcher, chosen, workspace);
}

/** The account of the user at a registry. E247 when there is no token for it. */
export async function openAccount(chosen: ChosenAddress, context: CommandContext): Promise<RegistryAccount> {
  const { url, isNamed } = chosen;
  const [{ createRegistryAccount }, { registryToken }] = await Promise.all([
    import('../../ship/network/registry-account.ts'),
    import('../../ship/network/open-registry.ts'),
  ]);
  const { token, withheld, ifRefused } = await registryToken(url, context.workspace, { isNamed });
  if (token === undefined) throw notLoggedIn(url, withheld);
  const fetcher = await openFetcher(chosen, context);
  return createRegistryAccount({ url, token, ifRefused, fetcher, signal: context.signal });
}

/** E247, with the reason why an existing token is not sent. */
export function notLoggedIn(url: string, withheld: string | undefined): SkillwrightError {
  return SkillwrightError.of('E247', { url }, { help: withheld, data: { url } });
}

/** A skill of a registry, and a version of it. */
interface VersionedAddress {
  /** `@owner/name`. */
  readonly address: string;
  readonly owner: string;
  /** Name of the skill. */
  readonly name: string;
  readonly version: string | undefined;
}

/** Reads `@owner/name` or `@owner/name@version`. E100 for anything else. */
export function readSkillAddress(text: string): VersionedAddress {
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
