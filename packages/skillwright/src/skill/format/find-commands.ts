// Finds commands in a body whose output the author wants inserted: `` !`command` `` and fences marked with `!`.

/** One command; offsets count from the start of the body. */
export interface CommandPlace {
  readonly start: number;
  /** Offset after the command. */
  readonly stop: number;
  readonly source: string;
  readonly sourceStart: number;
  /** Line of the body, from 1. */
  readonly line: number;
}

const opening = /^(?<ticks>`{3,})![^\S\n]*\n|(?<=^|\s)!`(?<inline>[^`\n]+)`/gm;

/** The commands of a body in order, in linear time. */
export function findCommands(body: string): CommandPlace[] {
  const places: CommandPlace[] = [];
  const closings = Map.groupBy(body.matchAll(/^(`{3,})[^\S\n]*$/gm), (match) => match[1]!);
  let [stop, line, counted] = [0, 1, 0];
  for (const match of body.matchAll(opening)) {
    const start = match.index;
    if (start < stop) continue;
    const { ticks, inline } = match.groups!;
    const sourceStart = ticks === undefined ? start + 2 : start + match[0].length;
    let source = inline;
    if (ticks !== undefined) {
      const ends = closings.get(ticks) ?? [];
      while (ends[0] !== undefined && ends[0].index < sourceStart) ends.shift();
      if (ends[0] === undefined) continue;
      source = body.slice(sourceStart, ends[0].index).replace(/\n$/, '');
      stop = ends[0].index + ends[0][0].length;
    } else stop = start + match[0].length;
    for (let at = body.indexOf('\n', counted); at !== -1 && at < start; at = body.indexOf('\n', at + 1)) {
      line++;
      counted = at + 1;
    }
    places.push({ start, stop, source: source!, sourceStart, line });
  }
  return places;
}
