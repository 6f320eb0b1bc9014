// Remembers how a number or boolean was written in YAML. `version: 1.10` is the number 1.1, but an author means "1.10":
// text fields get their written form back from here.

const written = new WeakMap<object, Map<string | number, string>>();

/** Records the written form of an entry. Only needed where `String(value)` differs. */
export function rememberWritten(container: object, key: string | number, text: string): void {
  let texts = written.get(container);
  if (texts === undefined) {
    texts = new Map();
    written.set(container, texts);
  }
  texts.set(key, text);
}

/** A scalar entry as text: strings unchanged, numbers and booleans as written; otherwise undefined. */
export function writtenText(container: object, key: string | number): string | undefined {
  const value = Object.hasOwn(container, key)
    ? (container as Record<string | number, unknown>)[key]
    : undefined;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return written.get(container)?.get(key) ?? String(value);
}
