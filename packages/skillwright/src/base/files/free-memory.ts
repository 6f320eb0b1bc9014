// Keeps memory low in runs over thousands of skills.

interface WithCollector {
  readonly Bun?: { gc?(force: boolean): unknown };
}

/** Growth before a garbage collection is worth its time. */
const GROWTH_BYTES = 32 * 1024 * 1024;
let settled: number | undefined;

/**
 * Frees what nobody uses any more, where the runtime can be asked to and the process has grown: JavaScriptCore lets
 * garbage grow as large as all that is alive.
 */
export function freeGarbage(): void {
  const { Bun } = globalThis as WithCollector;
  if (Bun?.gc === undefined) return;
  settled ??= process.memoryUsage.rss();
  if (process.memoryUsage.rss() < settled + GROWTH_BYTES) return;
  Bun.gc(true);
  settled = process.memoryUsage.rss();
}

/** The same text as its own: a part of a text keeps the whole of it in memory. */
export function copyText(text: string): string {
  const encoding = /^[\x00-\xff]*$/.test(text) ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
