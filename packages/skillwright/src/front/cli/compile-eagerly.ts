// The executable starts with a delayed just-in-time compiler, which makes short runs shorter and long ones longer.

interface WithPolicy {
  readonly Bun?: { readonly unsafe?: { setJITPolicy?(scale: number): void } };
}

/** Restores the compiler's usual thresholds, for commands that run longer than a start takes. */
export function compileEagerly(): void {
  (globalThis as WithPolicy).Bun?.unsafe?.setJITPolicy?.(1);
}
