// A skill named together with its registry: `registry+https://host/path/#name@range`.

import { SkillwrightError } from '../../base/diagnostics/index.ts';
import type { Workspace } from '../../skill/workspace/index.ts';

/** Normalised address of a registry: it ends with `/`. */
export function registryAddress(url: string): string {
  const address = new URL(url);
  address.hash = '';
  if (!address.pathname.endsWith('/')) address.pathname += '/';
  return address.href;
}

/** The source of a registry skill, as in locks and messages. */
export function spellRegistrySource({
  url,
  name,
  range,
}: {
  readonly url: string;
  readonly name: string;
  readonly range?: string | undefined;
}): string {
  return `registry+${registryAddress(url)}#${name}${range === undefined ? '' : `@${range}`}`;
}

/** The registry for bare names: in the user's scope only one the user chose, otherwise the configured one. */
export async function registryFor(
  scope: 'project' | 'user',
  workspace: Workspace,
): Promise<string | undefined> {
  const { values, layers } = await workspace.configuration();
  if (scope === 'project') return values.registry.url;
  const own = layers.findLast(
    ({ origin, values: set }) => origin.layer !== 'project' && set.has('registry.url'),
  );
  return own?.values.get('registry.url') as string | undefined;
}

/** Whether the user chose this registry. The claims of a registry that only a project names do not count. */
export async function isUsersRegistry(url: string, workspace: Workspace): Promise<boolean> {
  return (await workspace.configuration()).layers.some(({ origin, values }) => {
    const set = values.get('registry.url');
    return origin.layer !== 'project' && typeof set === 'string' && isSameRegistry(set, url);
  });
}

/** Whether the user chose the registry, or has confirmed it for projects that name it. */
export async function isConfirmedRegistry(url: string, workspace: Workspace): Promise<boolean> {
  if (await isUsersRegistry(url, workspace)) return true;
  const { trusted } = (await workspace.config()).registry;
  return trusted.some((one) => isSameRegistry(one, url));
}

/** E220 for a registry that a project names and the user has not confirmed, with the command that confirms it. */
export async function unconfirmedRegistry(url: string, workspace: Workspace): Promise<SkillwrightError> {
  return SkillwrightError.of(
    'E220',
    { url: registryAddress(url) },
    {
      help: `if you rely on it: ${await confirmingCommand(url, workspace)}`,
      data: { url: registryAddress(url) },
    },
  );
}

/** The command that confirms one more registry. */
export async function confirmingCommand(url: string, workspace: Workspace): Promise<string> {
  const { trusted } = (await workspace.config()).registry;
  return `skc config registry.trusted '${[...trusted, registryAddress(url)].join(',')}' --scope user`;
}

function isSameRegistry(a: string, b: string): boolean {
  return registryAddress(a) === registryAddress(b);
}
