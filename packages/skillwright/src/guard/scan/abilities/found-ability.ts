// Abilities of a skill, as found in its files.

/** Kinds of abilities, in the order reports show them. */
export const ABILITY_KINDS = ['network', 'programs', 'secrets', 'writes', 'tools'] as const;
/** Network access; programs and scripts; secrets of the user; files outside the skill; tools of the agent. */
export type AbilityKind = (typeof ABILITY_KINDS)[number];

/** One ability, with the first place it was found in. */
export interface FoundAbility {
  readonly kind: AbilityKind;
  /** In one or two words: `curl`, `GITHUB_TOKEN`, `deletes files`. */
  readonly what: string;
  /** A script does it itself; instructions have the agent run a command. */
  readonly by: 'script' | 'instructions';
  /** The program that does it; a declaration may name it. */
  readonly program?: string | undefined;
  /** Number of places. */
  readonly count: number;
  readonly file: string;
  readonly line: number | null;
  readonly excerpt: string | null;
}
