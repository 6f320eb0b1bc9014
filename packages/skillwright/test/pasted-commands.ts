// The commands a run tells its user to run. Each must be ready to paste: it exists, its words are accepted, nothing is left to fill in.

import { SkillwrightError } from '../src/base/diagnostics/index.ts';
import { cliTable, isCliName } from '../src/front/cli/cli-table.ts';
import { parseArguments } from '../src/front/cli/parse-arguments.ts';

/** The commands in the `help:` and `next:` lines of a text, as a person would copy them. */
function commandsIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /^(?:help|next): /.test(line))
    .flatMap((line) => [
      ...[...line.matchAll(/`(skc [^`]+)`/g)].map((match) => match[1]!),
      ...[...line.matchAll(/(?<=^|[\s(])'(skc (?:[^']|'[^']*')*?)'(?=[\s,;.:?)]|$)/g)].map(
        (match) => match[1]!,
      ),
      // A sentence may start with the program's name: "skc did not make it".
      ...[...line.matchAll(/(?<!^help): (skc [^`]+)$/g)].map((match) => match[1]!),
    ]);
}

/** The faults of the commands in a text; empty when all of them can be pasted. */
export async function faultsIn(text: string): Promise<string[]> {
  const faults = await Promise.all(commandsIn(text).map(faultOf));
  return faults.filter((fault) => fault !== undefined);
}

async function faultOf(line: string): Promise<string | undefined> {
  if (/<[a-z-]+>(?!.*')/.test(line)) return `something is left to fill in: ${line}`;
  const [, name = '', ...words] = shellWords(line);
  if (name === 'help' || name.startsWith('-')) return undefined;
  if (!isCliName(name)) return `there is no command '${name}': ${line}`;
  // A name alone is a suggestion, not a whole command.
  if (words.length === 0 || words.includes('--help')) return undefined;
  try {
    await parseArguments(await cliTable[name].load(), words);
    return undefined;
  } catch (error) {
    if (error instanceof SkillwrightError) return `${error.message}: ${line}`;
    throw error;
  }
}

/** The words of a command line without expansions, as a shell splits it. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/g)].map(([word]) =>
    word.replace(
      /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
      (_, single, double, escaped) => single ?? double ?? escaped,
    ),
  );
}
