// Positions in the text of a TOML file, for error messages and for changing one value in place.

/** One assignment outside inline tables. Offsets count from the start of the text. */
export interface Assignment {
  /** The dotted key, its table included. */
  readonly key: string;
  /** The table that contains it; empty at the top of the file. */
  readonly table: string;
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** The layout of a TOML text. Elements of arrays are counted from 0: `permissions.deny.0.tool`. */
interface TomlOutline {
  readonly assignments: readonly Assignment[];
  /** `[name]` headers; `end` is the end of the last assignment, or of the header itself. */
  readonly tables: readonly { readonly name: string; readonly end: number }[];
  /** The offset of every header, key and array element. */
  readonly offsets: ReadonlyMap<string, number>;
}

const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const SPACE = /[ \t]*/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BARE_VALUE = /[^,\]}#\r\n]*/y;
const STRING =
  /"""[^\\]*?(?:\\[\s\S][^\\]*?)*?"{3,5}|'''[\s\S]*?'{3,5}|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'[^'\n]*'/y;

/** Outlines a text that is known to be valid TOML. */
export function outlineToml(text: string): TomlOutline {
  const assignments: Assignment[] = [];
  const tables: { name: string; end: number }[] = [{ name: '', end: 0 }];
  const offsets = new Map<string, number>();
  const arrayLengths = new Map<string, number>();
  let at = 0;

  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? '';
    at += found.length;
    return found;
  };
  const takeKey = (): string[] => {
    const segments: string[] = [];
    do {
      if (segments.length > 0) at += 1;
      take(SPACE);
      segments.push(take(BARE_KEY) || unquote(take(STRING)));
      take(SPACE);
    } while (text[at] === '.');
    return segments;
  };
  const place = (path: string, offset: number): void => {
    if (!offsets.has(path)) offsets.set(path, offset);
  };
  const takeValue = (path: string): void => {
    const open = text[at];
    if (open === '[') takeItems(']', (index) => element(`${path}.${index}`));
    else if (open === '{') takeItems('}', () => takeAssignment(path));
    else if (take(STRING) === '') {
      const spaced = take(BARE_VALUE);
      at -= spaced.length - spaced.trimEnd().length;
    }
  };
  const takeItems = (close: string, takeItem: (index: number) => void): void => {
    at += 1;
    take(BLANK);
    for (let index = 0; at < text.length && text[at] !== close; index++) {
      const before = at;
      takeItem(index);
      take(BLANK);
      if (text[at] === ',') at += 1;
      take(BLANK);
      // Cannot happen in valid TOML; prevents an endless loop in anything else.
      if (at === before) return;
    }
    at += 1;
  };
  const element = (path: string): void => {
    place(path, at);
    takeValue(path);
  };
  const takeAssignment = (table: string): Assignment => {
    const start = at;
    const segments = takeKey();
    const key = segments.reduce((path, segment) => {
      const longer = path === '' ? segment : `${path}.${segment}`;
      place(longer, start);
      return longer;
    }, table);
    at += 1;
    take(SPACE);
    const valueStart = at;
    takeValue(key);
    return { key, table, start, valueStart, valueEnd: at };
  };
  const takeHeader = (): void => {
    const start = at;
    const isArray = text[at + 1] === '[';
    at += isArray ? 2 : 1;
    // A header below an array of tables refers to its last element.
    const segments = takeKey();
    let name = '';
    for (const [index, segment] of segments.entries()) {
      name = name === '' ? segment : `${name}.${segment}`;
      place(name, start);
      const last = index === segments.length - 1;
      if (last && isArray) arrayLengths.set(name, (arrayLengths.get(name) ?? 0) + 1);
      const length = arrayLengths.get(name);
      if (length !== undefined) name = `${name}.${length - 1}`;
    }
    place(name, start);
    at += isArray ? 2 : 1;
    tables.push({ name, end: at });
  };

  for (take(BLANK); at < text.length; take(BLANK)) {
    const before = at;
    if (text[at] === '[') takeHeader();
    else {
      const table = tables.at(-1)!;
      assignments.push(takeAssignment(table.name));
      table.end = at;
    }
    if (at === before) break;
  }
  return { assignments, tables: tables.slice(1), offsets };
}

/** The line (from 1) that assigns `key`, or its nearest ancestor; 1 when neither exists. */
export function lineOfConfigKey(text: string, key: string): number {
  const { offsets } = outlineToml(text);
  for (let wanted = key; wanted !== ''; wanted = wanted.slice(0, Math.max(0, wanted.lastIndexOf('.')))) {
    const offset = offsets.get(wanted);
    if (offset !== undefined) return text.slice(0, offset).split('\n').length;
  }
  return 1;
}

function unquote(written: string): string {
  if (!written.startsWith('"')) return written.slice(1, -1);
  try {
    return JSON.parse(written);
  } catch {
    // Escapes that TOML has and JSON lacks.
    return written.slice(1, -1);
  }
}
