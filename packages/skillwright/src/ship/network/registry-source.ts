// A skill named together with its registry: `registry+https://host/path/#name@range`.

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
