// Keeps what was read, so that the next page need not read it again.

import type { SkillRecord } from '../../../read/catalog/index.ts';

/** Something that is read for a skill, and kept until its stamp changes. */
export type Kept<Fact> = (
  skill: SkillRecord,
  stamp: string,
  read: () => Fact | Promise<Fact>,
) => Promise<Fact>;

/** Skills that are remembered with all that was read of them. */
const MAX_KEPT = 50;

/** Keeps the facts of the skills that were asked for last. */
export function keepLatest<Fact>(): Kept<Fact> {
  const kept = new Map<string, { readonly stamp: string; readonly fact: Fact }>();
  return async ({ path }, stamp, read) => {
    const known = kept.get(path);
    const fact = known?.stamp === stamp ? known.fact : await read();
    kept.delete(path);
    kept.set(path, { stamp, fact });
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
    return fact;
  };
}

/** A function that reads again when the last reading is older than this, and than so many times the time it took. */
export function keepRecent<Value>(read: () => Value, { ms = 0, share = 0 }): () => Value {
  let kept: { readonly value: Value; readonly until: number } | undefined;
  return () => {
    if (kept !== undefined && performance.now() < kept.until) return kept.value;
    const started = performance.now();
    const value = read();
    const now = performance.now();
    kept = { value, until: now + Math.max(ms, share * (now - started)) };
    return value;
  };
}
