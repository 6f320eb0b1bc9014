// Names of accounts: as strict about look-alikes as those of namespaces.

import { AccountName } from 'skillwright/registry-protocol';
import { nameSkeleton } from 'skillwright/skill';
import type { Queryable } from '../store/index.ts';

/** Names that look like the registry itself. */
const RESERVED = new Set(
  ['admin', 'administrator', 'anonymous', 'registry', 'root', 'skillwright', 'support', 'system'].map(
    nameSkeleton,
  ),
);

/** Whether a new account may have this name: it fits the rules, and no other looks like it. */
export async function isFreeAccountName(tx: Queryable, name: string): Promise<boolean> {
  const skeleton = nameSkeleton(name);
  if (!AccountName.safeParse(name).success || RESERVED.has(skeleton)) return false;
  return (await tx.query('select from accounts where skeleton = $1', [skeleton])).length === 0;
}

/** A free name near the one a person has elsewhere: `anna`, `anna-2`, `anna-3`, … */
export async function chooseAccountName(tx: Queryable, wish: string): Promise<string> {
  const base =
    wish
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 56)
      .replace(/-$/, '') || 'account';
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (await isFreeAccountName(tx, name)) return name;
  }
}
