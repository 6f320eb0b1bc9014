// Makes a skill findable, in the transaction that publishes it.

import type { Registry } from '../registry.ts';
import type { Queryable } from '../store/database.ts';

/** Text of a skill that searches look at. */
export interface IndexedSkill {
  readonly skillId: number;
  readonly name: string;
  readonly owner: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly category: string | null;
  readonly headings: string[];
  readonly body: string;
}

/** Replaces what searches know of a skill. */
export async function indexSkill(_tx: Queryable, _registry: Registry, _skill: IndexedSkill): Promise<void> {}
