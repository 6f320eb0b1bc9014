// Decides whether output is coloured and progress is shown. No other file does.

import { type Paint, plainPaint, terminalPaint } from '../../base/diagnostics/index.ts';

/** Inputs of the decision. */
interface Looked {
  /** Whether the stream is a terminal. */
  readonly isTerminal: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** True for a terminal that supports escape codes. */
export const isCapable = ({ isTerminal }: Looked, env: Environment) => isTerminal && env.TERM !== 'dumb';

/**
 * The paint for text on a stream. `NO_COLOR` always turns colour off; `FORCE_COLOR` turns it on for a stream that is not a
 * terminal, unless it is 0 or false.
 */
export function paintFor(stream: Looked, env: Environment): Paint {
  if (env.NO_COLOR) return plainPaint;
  const forced = env.FORCE_COLOR;
  if (forced === '0' || forced === 'false') return plainPaint;
  return forced || isCapable(stream, env) ? terminalPaint : plainPaint;
}
