// Addresses of pages.

import { parseAddress } from 'skillwright/registry-protocol';

/** A tab of a skill's page. */
type SkillTab = 'read' | 'ask' | 'files' | 'versions' | 'diff' | 'safety' | 'settings';

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/** `/@owner/name`, with the version and the tab if given. */
export function skillHref(
  name: string,
  options: { version?: string | undefined; tab?: SkillTab } = {},
): string {
  const { version, tab = 'read' } = options;
  return `/${name}${version === undefined ? '' : `/${encodeURIComponent(version)}`}${tab === 'read' ? '' : `/${tab}`}`;
}

/** The page of one file. */
export function fileHref(
  name: string,
  { version, path, line }: { version: string; path: string; line?: number | null },
): string {
  return `/${name}/${encodeURIComponent(version)}/files/${encodePath(path)}${line ? `#L${line}` : ''}`;
}

/** The bytes of one file. */
export function rawHref(name: string, { version, path }: { version: string; path: string }): string {
  return `/${name}/${encodeURIComponent(version)}/raw/${encodePath(path)}`;
}

export function ownerHref(owner: string): string {
  return `/@${encodeURIComponent(owner)}`;
}

export function reviewHref(name: string, version: string): string {
  return `/review/${name}/${encodeURIComponent(version)}`;
}

/** `/search` with the parameters that have a value. */
export function searchHref(parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') query.set(key, String(value));
  return query.size === 0 ? '/search' : `/search?${query}`;
}

/** The owner of `@owner/name`. */
export function ownerOf(name: string): string {
  return parseAddress(name)?.owner ?? name;
}

const raster = /\.(?:png|jpe?g|gif|webp|avif)$/i;

/** True for pictures that cannot run anything. */
export function isRaster(path: string): boolean {
  return raster.test(path);
}
