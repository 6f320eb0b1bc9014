// The list of skills.

import type { Point } from '../../pages/index.ts';

/** Result of a scan; `unknown` while nobody has scanned this text. */
export type ShownVerdict = 'clean' | 'caution' | 'danger' | 'unknown';

/** Facts about a skill that the list and its own page show. */
export interface StudioSkill {
  /** Part of its address: the id of its record. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly scope: 'project' | 'user' | 'bundled';
  /** Its directory, as the user writes it. */
  readonly place: string;
  /** Form it is deployed in; null when it is not deployed. */
  readonly form: 'stub' | 'files' | 'whole' | null;
  readonly formWhy: string | null;
  /** Agents of this machine that see it. */
  readonly agents: readonly string[];
  /** Tokens of SKILL.md, and of what an agent loads first; null when unknown. */
  readonly tokens: number | null;
  readonly stubTokens: number | null;
  readonly verdict: ShownVerdict;
  /** Newest version the last check found; null when there is none newer or it was never asked. */
  readonly update: string | null;
  readonly version: string | null;
  readonly enabled: boolean;
  /** Why an agent cannot use it: off, locked by a quiz, a missing requirement, hidden by another; null when it can. */
  readonly unavailable: string | null;
  /** Accesses within the shown time. */
  readonly reads: number;
  readonly lastUsed: string | null;
}

/** Rows of the list are in this order. */
export type SkillOrder = 'name' | 'reads' | 'tokens' | 'verdict';

/** One page of the list. */
export interface SkillsView {
  readonly skills: readonly StudioSkill[];
  /** Skills that match the filter, and all of them. */
  readonly matching: number;
  readonly total: number;
  readonly filter: {
    readonly q: string;
    readonly scope: StudioSkill['scope'] | null;
    readonly verdict: ShownVerdict | null;
    readonly order: SkillOrder;
    /** Counted from 1. */
    readonly page: number;
    readonly pages: number;
  };
  /** Over all skills. */
  readonly totals: {
    readonly accesses: number;
    readonly tokensServed: number;
    readonly tokensSaved: number;
    readonly errors: number;
    readonly emptySearches: number;
    readonly updates: number;
    readonly byVerdict: Readonly<Record<ShownVerdict, number>>;
  };
  /** Accesses of all skills a day, oldest first; the days without any are there with 0. */
  readonly days: readonly Point[];
  /** Skills that could not be read. */
  readonly problems: readonly { readonly place: string; readonly why: string }[];
}
