// Replaces commands in our messages with tool calls: `run 'skc outline demo'` becomes a call of the tool.

import { optionNamed, optionsOf } from '../commands/index.ts';
import type { ServedTool } from './load-tools.ts';

/** A command in quotes with an optional "run" before it, or one after a colon at the end of a sentence. */
const QUOTED = /(\b[Rr]un )?(['`])skc ([^'`\n]+|(?:[^'`\n]|'[^'\n]*')+?)\2/g;
const ENDING = /(: )skc ([a-z][^\n]*)$/gm;

/**
 * The text with tools in place of commands. If no tool exists for a command, or only a person may run it, the text says
 * to ask the user.
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

/** `skc_show {"skill":"demo"}` for `show demo`; undefined when there is no such tool. */
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

/** Splits a line into words as a shell does. */
function splitWords(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  );
}
