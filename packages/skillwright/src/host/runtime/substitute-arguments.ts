// The placeholders of a skill's body. The body is read once, from left to right: nothing that an argument or a
// command brings in is ever read again.

import { findCommands, placeholderPattern } from '../../skill/format/index.ts';
import { quoteArgument, splitArguments } from './split-arguments.ts';

/** What placeholders stand for. */
export interface Substitutions {
  /** Arguments as typed, or already cut into words. */
  readonly args: string | readonly string[];
  /** Names of the arguments, in order. */
  readonly names?: readonly string[];
  /** Values of `${…}`; a name without a value stays as it is written. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** The shell that commands in the body are written for. */
  readonly shell?: 'bash' | 'powershell';
}

/** A command in the body whose output the author wants in its place. */
export interface DynamicCommand {
  /** With its arguments filled in, each quoted as one word. */
  readonly command: string;
  /** As it stands in the body when it is not run. */
  readonly written: string;
  /** Line of the body, from 1. */
  readonly line: number;
}

/** A body in pieces: text, and commands that stand between. */
export interface Substituted {
  readonly pieces: readonly (string | DynamicCommand)[];
  readonly words: readonly string[];
}

/** Fills in the placeholders of a body. Arguments that no placeholder asks for are appended. */
export function substituteArguments(body: string, substitutions: Substitutions): Substituted {
  const { args, shell = 'bash' } = substitutions;
  const words = typeof args === 'string' ? splitArguments(args) : [...args];
  const typed = (typeof args === 'string' ? args : words.map(quoteArgument).join(' ')).trim();
  const placeholders = placeholderPattern(substitutions.names ?? []);
  let asked = false;

  const fill = (text: string, quote: (word: string) => string): string =>
    text.replace(new RegExp(placeholders, 'gu'), (...match) => {
      const [whole] = match as [string];
      const found = match.at(-1) as Partial<Record<string, string>>;
      if (found.escaped !== undefined) return found.escaped;
      if (found.variable !== undefined)
        return readVariable(substitutions.variables ?? {}, found.variable) ?? whole;
      asked = true;
      if (found.all !== undefined) return quote === identity ? typed : words.map(quote).join(' ');
      if (found.name !== undefined) {
        const word = words[substitutions.names!.indexOf(found.name)];
        return word === undefined ? '' : quote(word);
      }
      const word = words[Number(found.bracketed ?? found.index)];
      return word === undefined ? whole : quote(word);
    });

  const pieces: (string | DynamicCommand)[] = [];
  let end = 0;
  for (const { start, source, sourceStart, stop, line } of findCommands(body)) {
    pieces.push(fill(body.slice(end, start), identity));
    const command = fill(source, quoteFor(shell));
    const written = body.slice(start, sourceStart) + command + body.slice(sourceStart + source.length, stop);
    pieces.push({ command, written, line });
    end = stop;
  }
  pieces.push(fill(body.slice(end), identity));
  if (!asked && typed !== '') pieces.push(`\n\nARGUMENTS: ${typed}`);
  return { pieces, words };
}

/** The value of a variable; what every object inherits is none. */
export function readVariable(
  variables: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined;
}

const identity = (word: string) => word;

const quoteFor = (shell: 'bash' | 'powershell') =>
  shell === 'bash' ? quoteArgument : (word: string) => `'${word.replaceAll("'", "''")}'`;
