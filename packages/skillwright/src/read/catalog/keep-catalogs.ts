// Catalogs of a process that lives long. Everything that is prepared for a catalog once, such as the words that search
// goes by, is prepared again only when its skills have changed.

import { isSameCatalog } from './compare-catalogs.ts';
import type { SkillCatalog } from './skill-record.ts';

/** Gives the catalog that was kept for a key when the one just read tells the same, else keeps and gives the new one. */
export type CatalogKeeper = (key: string, catalog: SkillCatalog) => SkillCatalog;

/** More are forgotten, the oldest first. */
const MAX_KEPT = 8;

/** Makes a keeper that has nothing yet. */
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
