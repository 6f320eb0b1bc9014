// Structured logs: one JSON object per line. Never tokens, cookies, addresses, query strings or raw paths.

/** Writes an event with its facts. */
export type Log = (level: 'info' | 'error', event: string, facts?: Readonly<Record<string, unknown>>) => void;

/** A log of lines. */
export function createLog(write: (line: string) => void, now: () => Date = () => new Date()): Log {
  return (level, event, facts = {}) =>
    write(JSON.stringify({ time: now().toISOString(), level, event, ...facts }));
}

/** An error without the values of the statement that caused it: PostgreSQL puts those into other fields. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack
      ?.split('\n')
      .slice(1, 9)
      .map((line) => line.trim()),
    ...(error.cause === undefined ? {} : { cause: (error.cause as Error).message }),
  };
}
