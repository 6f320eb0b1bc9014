// Problems a JSON parser does not report: duplicate keys, forbidden keys and merge markers.

/** The first problem with the keys of a JSON text's objects; undefined when there is none. The text must be valid JSON. */
export function findOddKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  let last: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g)) {
    const keys = open.at(-1);
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && keys !== undefined && last !== undefined) {
      const key = JSON.parse(last) as string;
      if (keys.has(key)) return `the key '${key}' appears twice`;
      if (key === '__proto__') return `'${key}' is not allowed as a key`;
      keys.add(key);
    }
    last = token.startsWith('"') ? token : undefined;
  }
  return undefined;
}

/** Parses a JSON text; throws the error that `refuse` makes of the reason when it is not valid. */
export function parseJsonText(
  text: string,
  refuse: (why: string, about: { isMerge: boolean }) => Error,
): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    const isMerge = /^(?:<{7}|={7}|>{7})(?: |\r?$)/m.test(text);
    throw refuse(isMerge ? 'it has merge conflict markers' : 'it is not JSON', { isMerge });
  }
}
