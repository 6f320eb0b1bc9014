// A skill named together with its registry: `registry+https://host/path/#@owner/name@range`.

import { type SkillAddress, spellAddress } from '../protocol/index.ts';

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
  range,
  ...address
}: SkillAddress & {
  readonly url: string;
  readonly range?: string | undefined;
}): string {
  return `registry+${registryAddress(url)}#${spellAddress(address)}${range === undefined ? '' : `@${range}`}`;
}
