// Abilities of a skill: declared, found, and found without a declaration.

import * as z from 'zod';
import { ABILITY_KINDS, type AbilityKind, type FoundAbility } from '../scan/index.ts';
import { type DeclaredAbility, declaredAbilities } from './declared-abilities.ts';

/** One ability that was found. */
const FoundEvidence = z.object({
  what: z.string().describe('What it is: a program, a variable, a kind of code'),
  by: z
    .enum(['script', 'instructions'])
    .describe('`script`: a program of the skill does it. `instructions`: a command for the agent does'),
  count: z.number().int().describe('Number of places'),
  file: z.string().nullable().describe('The first place; null when it may not be named'),
  line: z.number().int().positive().nullable(),
  excerpt: z.string().nullable().describe('The line; null when the skill is locked'),
  declared: z.boolean().describe('Whether the frontmatter says so'),
});

/** One kind of ability of a skill. */
export const Ability = z.object({
  kind: z.enum(ABILITY_KINDS),
  declared: z.array(z.string()).describe('What the frontmatter says: `allowed-tools: WebFetch`'),
  found: z.array(FoundEvidence),
});
export type Ability = z.output<typeof Ability>;

/** The abilities of a skill, one entry for each kind, empty or not. */
export function compareAbilities(
  data: Readonly<Record<string, unknown>>,
  found: readonly FoundAbility[],
): Ability[] {
  const declared = declaredAbilities(data);
  return ABILITY_KINDS.map((kind) => {
    const own = declared.filter((one) => one.kind === kind);
    const foundHere = found.filter((one) => one.kind === kind);
    return {
      kind,
      declared: [...new Set(own.filter((one) => isWorthNaming(one, foundHere)).map(({ text }) => text))],
      found: foundHere.map(({ what, by, count, file, line, excerpt, program }) => ({
        what,
        by,
        count,
        file,
        line,
        excerpt,
        declared: own.some((one) => covers(one, { kind, what, program })),
      })),
    };
  });
}

/** Any word of `compatibility` may be a program; it is one if the skill uses it. */
function isWorthNaming({ kind, text, about }: DeclaredAbility, found: readonly FoundAbility[]): boolean {
  if (kind !== 'programs' || !text.startsWith('compatibility:')) return true;
  return found.some(({ what, program }) => about === what || about === program);
}

function covers(
  { about }: DeclaredAbility,
  found: { kind: AbilityKind; what: string; program: string | undefined },
): boolean {
  return (
    about === undefined || about === found.what || (found.program !== undefined && about === found.program)
  );
}
