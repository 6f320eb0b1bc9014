// Whether output is coloured, and whether progress is shown. Nothing else decides this.

import { type Paint, plainPaint, terminalPaint } from '../../base/diagnostics/index.ts';

/** What the decision depends on. */
interface Looked {
  /** Whether the stream is a terminal. */
  readonly isTerminal: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** True for a terminal that obeys escape codes. */
export const isCapable = ({ isTerminal }: Looked, env: Environment) => isTerminal && env.TERM !== 'dumb';

/**
 * The paint for text on a stream. `NO_COLOR` turns colour off whatever else is set; `FORCE_COLOR` turns it on where the
 * stream is not a terminal, unless it says 0 or false.
 */
export function paintFor(stream: Looked, env: Environment): Paint {
  if (env.NO_COLOR) return plainPaint;
  const forced = env.FORCE_COLOR;
  if (forced === '0' || forced === 'false') return plainPaint;
  return forced || isCapable(stream, env) ? terminalPaint : plainPaint;
}
