// Reads the import statements of Python and JavaScript.

/** One name that an import brings: a whole module, or something of it. */
interface Imported {
  readonly path: string;
  readonly name?: string | undefined;
  readonly alias: string;
}

/** The names that an import statement brings. */
export const importsIn = (statement: string, isPython: boolean): Iterable<Imported> =>
  isPython ? fromPython(statement.replace(/[()\\\n]/g, ' ')) : fromJavaScript(statement);

function* fromPython(statement: string): Generator<Imported> {
  const from = /^from\s+([\w.]+)\s+import\s+(.*)$/s.exec(statement);
  for (const entry of (from?.[2] ?? statement.replace(/^import\s+/, '')).split(',')) {
    const [, name, alias] = /^\s*([\w.]+)(?:\s+as\s+(\w+))?/.exec(entry) ?? [];
    if (name === undefined) continue;
    if (from !== null) yield { path: from[1]!, name, alias: alias ?? name };
    else if (alias !== undefined || !name.includes('.')) yield { path: name, alias: alias ?? name };
  }
}

function* fromJavaScript(statement: string): Generator<Imported> {
  const path = /["']([^"']{1,200})["']\s*;?$/.exec(statement)?.[1];
  if (path === undefined) return;
  const list = statement.slice(0, statement.lastIndexOf(path));
  const all = /\*\s+as\s+([\w$]+)/.exec(list)?.[1];
  const own = /^import\s+(?:type\s+)?([\w$]+)/.exec(list)?.[1];
  if (all !== undefined) yield { path, alias: all };
  else if (own !== undefined && own !== 'type') yield { path, name: 'default', alias: own };
  const braces = /\{([^}]*)\}/.exec(list)?.[1] ?? '';
  for (const [, name, alias] of braces.matchAll(/([\w$]+)(?:\s+as\s+([\w$]+))?/g))
    yield { path, name: name!, alias: alias ?? name! };
}
