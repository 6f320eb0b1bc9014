// The executable starts with the just-in-time compiler held back, which makes short runs shorter and long ones longer.

interface WithPolicy {
  readonly Bun?: { readonly unsafe?: { setJITPolicy?(scale: number): void } };
}

/** Gives the compiler its usual thresholds, for commands that work longer than it takes to start. */
export function compileEagerly(): void {
  (globalThis as WithPolicy).Bun?.unsafe?.setJITPolicy?.(1);
}
