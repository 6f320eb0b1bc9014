// Keeps keys out of everything that is printed or kept: servers and programs repeat them in their messages.

/** Replaces every key in a text, as it is and in the encodings it travels in. */
export function createKeyHider(keys: readonly string[]): (text: string) => string {
  const forms = new Set(
    keys
      .filter((key) => key !== '')
      .flatMap((key) => [
        key,
        encodeURIComponent(key),
        JSON.stringify(key).slice(1, -1),
        Buffer.from(key).toString('base64'),
        Buffer.from(key).toString('base64url'),
      ]),
  );
  // Longest first, so that no rest of a longer form stays.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((hidden, form) => hidden.replaceAll(form, '[key]'), text);
}

/** The same for every text in a value. */
export function hideKeysIn<Value>(value: Value, hide: (text: string) => string): Value {
  if (typeof value === 'string') return hide(value) as Value;
  if (Array.isArray(value)) return value.map((item) => hideKeysIn(item as unknown, hide)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [hide(name), hideKeysIn(item as unknown, hide)]),
  ) as Value;
}
