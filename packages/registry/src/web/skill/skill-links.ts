// Where links in a skill's text lead.

import { type MarkdownLinks, resolvePath } from 'skillwright/pages';
import { fileHref, isRaster, rawHref } from '../addresses.ts';
import type { ShownVersion } from './skill-view.ts';

/** Links to files of the same version, and its raster pictures. */
export function skillLinks({ document }: ShownVersion, from: string): MarkdownLinks {
  const { name, version } = document;
  const paths = new Set(document.files.map(({ path }) => path));
  const inside = (target: string) => {
    const path = resolvePath(from, target);
    return path !== undefined && paths.has(path) ? path : undefined;
  };
  return {
    link: (target) => {
      const path = inside(target);
      return path === undefined ? undefined : fileHref(name, { version, path });
    },
    image: (target) => {
      const path = inside(target);
      return path === undefined || !isRaster(path) ? undefined : rawHref(name, { version, path });
    },
  };
}
