// Compares two versions of a catalog.

import type { SkillCatalog, SkillRecord } from './skill-record.ts';

/** Differences between two catalogs. */
export interface CatalogChanges {
  readonly added: readonly SkillRecord[];
  /** New records. */
  readonly changed: readonly SkillRecord[];
  /** Old records. */
  readonly removed: readonly SkillRecord[];
}

/** Compares an old catalog with a new one. */
export function compareCatalogs(before: SkillCatalog, after: SkillCatalog): CatalogChanges {
  const old = new Map(before.skills.map((skill) => [skill.path, skill]));
  const now = new Set(after.skills.map(({ path }) => path));
  return {
    added: after.skills.filter(({ path }) => !old.has(path)),
    changed: after.skills.filter((skill) => {
      const known = old.get(skill.path);
      return known !== undefined && !isSame(known, skill);
    }),
    removed: before.skills.filter(({ path }) => !now.has(path)),
  };
}

function isSame(a: SkillRecord, b: SkillRecord): boolean {
  return (
    a.digest === b.digest &&
    a.scope === b.scope &&
    a.enabled === b.enabled &&
    a.available === b.available &&
    a.reason === b.reason &&
    a.compiled === b.compiled &&
    a.shadows.join('\0') === b.shadows.join('\0') &&
    a.deployed.join('\0') === b.deployed.join('\0')
  );
}

/** True when the same skills fail to load for the same reasons. */
export function hasSameErrors(a: SkillCatalog, b: SkillCatalog): boolean {
  return (
    a.errors.length === b.errors.length &&
    a.errors.every(({ path, message }, index) => {
      const other = b.errors[index];
      return path === other?.path && message === other.message;
    })
  );
}

/** True when both contain the same skills in the same order. */
export function isSameCatalog(a: SkillCatalog, b: SkillCatalog): boolean {
  return (
    a.skills.length === b.skills.length &&
    a.truncated === b.truncated &&
    hasSameErrors(a, b) &&
    a.skills.every((skill, index) => {
      const other = b.skills[index] as SkillRecord;
      return skill.path === other.path && isSame(skill, other);
    })
  );
}
