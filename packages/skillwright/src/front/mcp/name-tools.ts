// Commands in our own words, as a model can use them: `run 'skc outline demo'` becomes a call of the tool.

import { optionNamed, optionsOf } from '../commands/index.ts';
import type { ServedTool } from './load-tools.ts';

/** A command in quotes, with the word before it that says what to do; or one that ends a sentence, behind a colon. */
const QUOTED = /(\b[Rr]un )?(['`])skc ([^'`\n]+|(?:[^'`\n]|'[^'\n]*')+?)\2/g;
const ENDING = /(: )skc ([a-z][^\n]*)$/gm;

/**
 * The text with tools for commands. A command that no tool stands for, or that wants what only a person may do, is
 * named as something to ask the user for.
 */
export function nameTools(text: string, tools: ReadonlyMap<string, ServedTool>): string {
  if (!text.includes('skc ')) return text;
  return text
    .replace(QUOTED, (whole, run: string | undefined, _quote, line: string) => {
      const call = spellTool(line, tools);
      if (call !== undefined) return `${run === undefined ? '' : 'call '}${call}`;
      return run === undefined ? whole : `ask the user to ${whole.replace(/^R/, 'r')}`;
    })
    .replace(ENDING, (_whole, colon: string, line: string) => {
      const call = spellTool(line, tools);
      return `${colon}${call ?? `ask the user to run 'skc ${line}'`}`;
    });
}

/** `skc_show {"skill":"demo"}` for `show demo`; undefined when no tool can do that. */
function spellTool(line: string, tools: ReadonlyMap<string, ServedTool>): string | undefined {
  const [name, ...words] = splitWords(line);
  const tool = tools.get(`skc_${name}`);
  if (tool === undefined) return undefined;
  const { positionals, flags } = optionsOf(tool.command);
  const input: Record<string, unknown> = {};
  const free = [...positionals];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const flag = word.startsWith('--') ? optionNamed(flags, word.slice(2)) : undefined;
    const option = flag ?? free[0];
    if (option === undefined || (flag === undefined && word.startsWith('-'))) return undefined;
    if (!(option.field in tool.input.shape)) return undefined;
    if (flag === undefined && !option.multiple) free.shift();
    const value = option.kind === 'boolean' ? true : flag === undefined ? word : words[++at];
    if (value === undefined) return undefined;
    const given = option.kind === 'number' ? Number(value) : value;
    input[option.field] = option.multiple ? [...((input[option.field] as unknown[]) ?? []), given] : given;
  }
  const definition = tool.definition.name;
  return words.length === 0 ? definition : `${definition} ${JSON.stringify(input)}`;
}

/** The words of a line as a shell reads them. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  );
}
