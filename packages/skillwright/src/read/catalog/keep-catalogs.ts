// Keeps the catalogs of a long-lived process. Data prepared once per catalog, such as the search index, is only
// prepared again when its skills change.

import { isSameCatalog } from './compare-catalogs.ts';
import type { SkillCatalog } from './skill-record.ts';

/** Returns the catalog kept for a key when it equals the new one; otherwise keeps and returns the new one. */
type CatalogKeeper = (key: string, catalog: SkillCatalog) => SkillCatalog;

/** Most catalogs kept; the oldest is dropped first. */
const MAX_KEPT = 8;

/** Creates an empty keeper. */
export function createCatalogKeeper(): CatalogKeeper {
  const kept = new Map<string, SkillCatalog>();
  return (key, catalog) => {
    const before = kept.get(key);
    if (before !== undefined && isSameCatalog(before, catalog)) return before;
    kept.delete(key);
    kept.set(key, catalog);
    for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
    return catalog;
  };
}
