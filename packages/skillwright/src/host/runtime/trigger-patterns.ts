// Matches the patterns of many skills. The engine never backtracks, but its work grows with the size of all patterns
// times the length of the message. Both are limited here, so that skills cannot stall a host.

import type { Trigger, TriggerHit } from './trigger-index.ts';

/** Most patterns used per skill, and their total size in instructions of the engine. */
const MAX_PATTERNS = 50;
const MAX_OWN_INSTRUCTIONS = 1000;

/** Total size of the patterns of all skills. A typical pattern has about 40 instructions. */
const MAX_INSTRUCTIONS = 200_000;

/** Most instructions times characters: the larger the patterns, the less of a message is read. */
const MAX_STEPS = 80_000_000;

/** A function that finds the patterns in a text; the engine is loaded only when there are any. */
export async function compilePatterns(patterns: readonly Trigger[]): Promise<(text: string) => TriggerHit[]> {
  if (patterns.length === 0) return () => [];
  const { RE2JS, RE2Set } = await import('re2js');
  const flags = RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE;
  const spent = new Map<number, { count: number; instructions: number }>();
  let instructions = 0;
  const compiled = patterns.flatMap((trigger) => {
    const own = spent.get(trigger.skill) ?? { count: 0, instructions: 0 };
    spent.set(trigger.skill, own);
    own.count += 1;
    if (own.count > MAX_PATTERNS || instructions > MAX_INSTRUCTIONS) return [];
    try {
      const pattern = RE2JS.compile(trigger.value, flags);
      const size = pattern.programSize();
      if (own.instructions + size > MAX_OWN_INSTRUCTIONS) return [];
      own.instructions += size;
      instructions += size;
      return [{ trigger, pattern }];
    } catch {
      // The engine rejects some patterns the format check accepts; the linter reports them to the author.
      return [];
    }
  });
  if (compiled.length === 0) return () => [];
  const set = new RE2Set(RE2Set.UNANCHORED, flags);
  for (const { trigger } of compiled) set.add(trigger.value);
  const maxText = Math.floor(MAX_STEPS / instructions);
  return (text) => {
    const read = text.slice(0, maxText);
    return set.match(read).flatMap((index) => {
      const { trigger, pattern } = compiled[index]!;
      const matcher = pattern.matcher(read);
      return matcher.find() ? [{ triggers: [trigger], start: matcher.start(), end: matcher.end() }] : [];
    });
  };
}
