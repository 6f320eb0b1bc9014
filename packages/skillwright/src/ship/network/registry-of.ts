// The registry that serves an owner's skills, and who chose it.

import { quoteWord, SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';
import { registryAddress } from './registry-source.ts';

/** A registry, and how far the user trusts it. */
export interface ChosenRegistry {
  /** Normalised: it ends with `/`. */
  readonly url: string;
  /** Verifier key of its log. One that the user pinned for this address wins over the project's. */
  readonly key?: string | undefined;
  /** Witnesses that must have cosigned its log, and how many of them. */
  readonly witnesses?: { readonly keys: readonly string[]; readonly quorum: number } | undefined;
  /** Whether the user's own configuration names it: only then do its claims count. */
  readonly isUsers: boolean;
  /** Whether it may serve this owner: the user chose it for the owner, or has confirmed it for projects. */
  readonly isConfirmed: boolean;
  /** Whether `registry.trusted` can confirm it. It cannot where the user chose another registry for the owner. */
  readonly mayBeTrusted: boolean;
}

/** The owner of the wanted skills, and the place they are for. */
export interface RegistryWish {
  /** Left out: the default registry, `registry.url`. */
  readonly owner?: string | undefined;
  /** In the user's scope a project's configuration does not count. */
  readonly scope?: 'project' | 'user' | undefined;
}

/** The registry that serves the skills of `owner`; undefined when none is configured. */
export async function registryOf(
  { owner, scope = 'project' }: RegistryWish,
  workspace: Workspace,
): Promise<ChosenRegistry | undefined> {
  const choices = await readChoices(workspace);
  const { url } = choices[scope === 'user' ? 'users' : 'effective'].serve(owner);
  return url === undefined ? undefined : settle(registryAddress(url), owner, choices);
}

/** The registry at an address that a source or a lock names. */
export async function registryAt(
  { url, owner }: { readonly url: string; readonly owner: string },
  workspace: Workspace,
): Promise<ChosenRegistry> {
  return settle(registryAddress(url), owner, await readChoices(workspace));
}

/** Whether the user's own configuration names this address, or lists it among those a project may choose. */
export async function isTrustedRegistry(url: string, workspace: Workspace): Promise<boolean> {
  const { users, trusted } = await readChoices(workspace);
  return [...users.all.map((one) => one.url), ...trusted].some(
    (one) => one !== undefined && isSameRegistry(one, url),
  );
}

/** Whether this is the address in the user's own `registry.url`. */
export async function isDefaultRegistry(url: string, workspace: Workspace): Promise<boolean> {
  const own = (await readChoices(workspace)).users.serve(undefined).url;
  return own !== undefined && isSameRegistry(own, url);
}

/** Every key that is configured for this address, or for whatever registry serves an owner. */
export async function registryKeys(url: string, workspace: Workspace): Promise<string[]> {
  const { users, effective } = await readChoices(workspace);
  return [...users.all, ...effective.all].flatMap(({ url: at, key }) =>
    key !== undefined && (at === undefined || isSameRegistry(at, url)) ? [key] : [],
  );
}

/** E220 for a registry that a project names and the user has not confirmed, with the command that confirms it. */
export async function unconfirmedRegistry(
  { url, owner }: { readonly url: string; readonly owner?: string | undefined },
  workspace: Workspace,
): Promise<SkillwrightError> {
  return SkillwrightError.of(
    'E220',
    { url: registryAddress(url) },
    {
      help: `if you rely on it: ${await confirmingCommand({ url, owner }, workspace)}`,
      data: { url: registryAddress(url) },
    },
  );
}

/** The command after which the registry may serve this owner. */
export async function confirmingCommand(
  { url, owner }: { readonly url: string; readonly owner?: string | undefined },
  workspace: Workspace,
): Promise<string> {
  const { users, trusted } = await readChoices(workspace);
  const address = registryAddress(url);
  // The user's own choice for an owner outranks the list of trusted registries.
  if (owner !== undefined && users.owners[owner]?.url !== undefined)
    return `skc config registries.${owner}.url ${address} --scope user`;
  return `skc config registry.trusted '${[...trusted, address].join(',')}' --scope user`;
}

/** The command that pins the key of a registry's log. */
export async function pinningCommand(
  { url, owner, key }: { readonly url: string; readonly owner: string; readonly key: string },
  workspace: Workspace,
): Promise<string> {
  const { users } = await readChoices(workspace);
  const isHere = (choice: Choice | undefined) => choice?.url !== undefined && isSameRegistry(choice.url, url);
  const pin = (name: string) => `skc config ${name} ${quoteWord(key)} --scope user`;
  if (isHere(users.owners[owner])) return pin(`registries.${owner}.key`);
  if (isHere(users.serve(undefined))) return pin('registry.key');
  const other = Object.keys(users.owners).find((name) => isHere(users.owners[name]));
  return pin(`registries.${other ?? owner}.key`);
}

interface Choice {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

type Choices = ReturnType<typeof choicesOf>;

async function readChoices(workspace: Workspace) {
  const { values, layers } = await workspace.configuration();
  const own = new Map(
    layers.flatMap(({ origin, values: set }) => (origin.layer === 'project' ? [] : [...set])),
  );
  const text = (key: string) => own.get(key) as string | undefined;
  const owners = Object.fromEntries(
    Object.keys(values.registries).map((owner) => [
      owner,
      { url: text(`registries.${owner}.url`), key: text(`registries.${owner}.key`) },
    ]),
  );
  return {
    users: choicesOf({ url: text('registry.url'), key: text('registry.key') }, owners),
    effective: choicesOf(values.registry, values.registries),
    trusted: values.registry.trusted,
    witnesses: values.registry.witnesses,
    quorum: values.registry.quorum,
  };
}

function choicesOf(fallback: Choice, owners: Readonly<Record<string, Choice>>) {
  const of = (owner: string) => (Object.hasOwn(owners, owner) ? owners[owner] : undefined);
  return {
    all: [fallback, ...Object.values(owners)],
    owners,
    serve: (owner: string | undefined): Choice =>
      owner !== undefined && of(owner)?.url !== undefined ? of(owner)! : fallback,
  };
}

function settle(
  url: string,
  owner: string | undefined,
  { users, effective, trusted, witnesses, quorum }: Awaited<ReturnType<typeof readChoices>>,
): ChosenRegistry {
  const isHere = (choice: Choice | undefined) => choice?.url !== undefined && isSameRegistry(choice.url, url);
  /** A key without an address counts for whatever registry serves the owner. */
  const keyIn = ({ all, owners }: Choices) => {
    const own = owner === undefined || !Object.hasOwn(owners, owner) ? undefined : owners[owner];
    if (own?.key !== undefined && own.url === undefined) return own.key;
    return all.find((choice) => isHere(choice) && choice.key !== undefined)?.key;
  };
  const isChosenFor = isHere(users.serve(owner));
  const main = users.serve(undefined).url;
  const isWitnessed = witnesses.length > 0 && (main === undefined || isSameRegistry(main, url));
  const hasOwn = owner !== undefined && users.owners[owner]?.url !== undefined;
  return {
    url,
    key: keyIn(users) ?? keyIn(effective),
    ...(isWitnessed
      ? { witnesses: { keys: witnesses, quorum: quorum ?? Math.floor(witnesses.length / 2) + 1 } }
      : {}),
    isUsers: users.all.some(isHere),
    isConfirmed: isChosenFor || (!hasOwn && trusted.some((one) => isSameRegistry(one, url))),
    mayBeTrusted: !hasOwn,
  };
}

function isSameRegistry(a: string, b: string): boolean {
  return registryAddress(a) === registryAddress(b);
}
