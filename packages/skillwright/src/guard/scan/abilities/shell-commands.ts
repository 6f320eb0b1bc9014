// Reads the commands of shell text, line by line: the programs and their first arguments.

/** One command of a line. */
export interface ShellCommand {
  readonly program: string;
  /** The rest of the command. */
  readonly rest: string;
  /** Line in the text, from 0. */
  readonly line: number;
  readonly text: string;
}

const prefix =
  /^(?:(?:[$>%#❯]|PS>)[ \t]+|(?:sudo|time|nohup|then|do|else|if|elif|while|until|!|exec|env|xargs|timeout[ \t]+\S+)[ \t]+(?:-\w+[ \t]+){0,2}|[A-Za-z_]\w{0,60}=(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[^\s$(`]{0,200})[ \t]+|[({][ \t]*)/;

/** The commands of a shell text. Comments, here-documents and continued lines are skipped. */
export function shellCommands(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let heredoc: string | undefined;
  let isContinued = false;
  for (const [line, raw] of text.split('\n').entries()) {
    if (heredoc !== undefined) {
      if (raw.trim() === heredoc) heredoc = undefined;
      continue;
    }
    const begins = /<<-?\s?["']?([A-Za-z_]\w{0,40})/.exec(raw);
    if (begins !== null) heredoc = begins[1];
    const shown = raw.trim();
    const isNew = !isContinued;
    isContinued = /(?:\\|\|)$/.test(shown);
    if (shown === '' || /^#(?!!)/.test(shown) || shown.length > 2000) continue;
    const parts = splitCommands(shown);
    for (const part of isNew ? parts : parts.slice(1)) {
      let command = part.trim();
      for (let match = prefix.exec(command); match !== null; match = prefix.exec(command))
        command = command.slice(match[0].length);
      const [, program, rest] = /^["']?([\w.@/~${}+-]{1,120})["']?(?=[\s;)]|$)([\s\S]*)$/.exec(command) ?? [];
      if (program === undefined || /^\s{0,4}(?:=|\()/.test(rest ?? '')) continue;
      commands.push({ program, rest: (rest ?? '').trim(), line, text: shown });
    }
  }
  return commands;
}

/** Splits at `;`, `&&`, `||`, `|` and `$(` outside quotes; `$(` also inside double quotes. */
function splitCommands(line: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quote = '';
  const cut = (at: number, length: number): void => {
    parts.push(line.slice(start, at));
    start = at + length;
  };
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!;
    if (letter === '\\') at++;
    else if (quote !== "'" && line.startsWith('$(', at) && line[at + 2] !== '(') cut(at++, 2);
    else if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '#' && /\s/.test(line[at - 1] ?? '')) {
      parts.push(line.slice(start, at));
      return parts;
    } else if (letter === ';' || letter === '|' || line.startsWith('&&', at)) {
      const length = line[at + 1] === letter ? 2 : 1;
      cut(at, length);
      at += length - 1;
    }
  }
  parts.push(line.slice(start));
  return parts;
}
