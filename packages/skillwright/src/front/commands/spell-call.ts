// An operation as the caller would type it: a shell command, or a tool call.

import { quoteWord } from '../../base/diagnostics/index.ts';
import type { Actor } from '../../skill/judge/index.ts';

/** The operation and its input. Fields in `positionals` come before the flags, in this order. */
export interface Call {
  readonly name: string;
  readonly positionals: readonly string[];
  readonly input: Readonly<Record<string, unknown>>;
}

/** `skc show demo --section 'Getting started'`, or `skc_show {"skill":"demo","section":["Getting started"]}` for a model. */
export function spellCall({ name, positionals, input }: Call, by: Actor): string {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== false);
  if (by === 'model') return `skc_${name} ${JSON.stringify(Object.fromEntries(given))}`;
  const words = positionals.flatMap((field) => spellList(input[field]));
  const flags = given.flatMap(([field, value]) =>
    positionals.includes(field) ? [] : spellList(value).map((word) => spellFlag(field, word)),
  );
  // After `--` nothing is a flag.
  const isPlain = words.every((word) => !word.startsWith('-'));
  const quoted = words.map(quoteWord);
  const line = isPlain ? [...quoted, ...flags] : [...flags, '--', ...quoted];
  return ['skc', name, ...line].join(' ');
}

const spellList = (value: unknown): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];

function spellFlag(field: string, word: string): string {
  const flag = `--${field.replaceAll('_', '-')}`;
  if (word === 'true') return flag;
  return `${flag}${word.startsWith('-') ? '=' : ' '}${quoteWord(word)}`;
}
