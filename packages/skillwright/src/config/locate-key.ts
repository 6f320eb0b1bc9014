// Where a key stands in the text of a TOML file: for error messages, and for changing one value and nothing else.

/** One assignment: the dotted key and the 1-based lines its text covers. */
export interface KeyPlace {
  readonly key: string;
  readonly line: number;
  readonly endLine: number;
}

/** The places of a TOML text that assign something, and the lines its table headers stand on. */
export interface TomlOutline {
  readonly keys: readonly KeyPlace[];
  readonly tables: readonly { readonly name: string; readonly line: number; readonly lastLine: number }[];
}

const HEADER = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*(#.*)?$/;
const ASSIGNMENT =
  /^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=/;

/** Outlines a text that is known to be valid TOML. Values over several lines are followed by their brackets and quotes. */
export function outlineToml(text: string): TomlOutline {
  const keys: KeyPlace[] = [];
  const tables: { name: string; line: number; lastLine: number }[] = [{ name: '', line: 0, lastLine: 0 }];
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const header = HEADER.exec(line);
    if (header !== null) {
      tables.push({ name: plainKey(header[1]!), line: index + 1, lastLine: index + 1 });
      continue;
    }
    const assignment = ASSIGNMENT.exec(line);
    if (assignment === null) continue;
    const end = endOfValue(lines, index, line.slice(assignment[0].length));
    const table = tables.at(-1)!;
    table.lastLine = end + 1;
    const name = plainKey(assignment[1]!);
    keys.push({ key: table.name === '' ? name : `${table.name}.${name}`, line: index + 1, endLine: end + 1 });
    index = end;
  }
  return { keys, tables };
}

/** The line that assigns `key`, or one of the tables above it; 1 when it stands nowhere. */
export function lineOfKey(text: string, key: string): number {
  const { keys, tables } = outlineToml(text);
  for (let wanted = key; wanted !== ''; wanted = wanted.slice(0, Math.max(0, wanted.lastIndexOf('.')))) {
    const place = keys.find((entry) => entry.key === wanted) ?? tables.find((entry) => entry.name === wanted);
    if (place !== undefined) return place.line;
  }
  return 1;
}

const plainKey = (written: string) => written.replace(/\s*\.\s*/g, '.').replace(/["']/g, '');

function endOfValue(lines: readonly string[], start: number, first: string): number {
  const triple = /^\s*("""|''')/.exec(first)?.[1];
  if (triple !== undefined) {
    let rest = first.slice(first.indexOf(triple) + 3);
    let end = start;
    while (!rest.includes(triple) && end + 1 < lines.length) rest = lines[++end]!;
    return end;
  }
  let depth = bracketDepth(first);
  let end = start;
  while (depth > 0 && end + 1 < lines.length) depth += bracketDepth(lines[++end]!);
  return end;
}

function bracketDepth(line: string): number {
  const bare = line.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '').replace(/#.*$/, '');
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0);
}
