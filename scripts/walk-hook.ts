// Loaded before a program: notes every function of the packages that runs, in order. `npm run walks` reads the notes.

import { readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

/** A function: its file, and its name where it has one. */
export type NotedFunction = readonly [file: string, name: string];

/** Written when the program ends: the functions, and the number of each one that ran, in order. */
export interface Notes {
  readonly functions: readonly NotedFunction[];
  readonly ran: readonly number[];
}

/** Global function that a walk calls to start noting; without it everything counts. */
export const START = '__startWalk';

const packages = fileURLToPath(new URL('../packages', import.meta.url));
const functions: NotedFunction[] = [];
let ran: number[] = [];

Object.assign(globalThis, {
  __note: (number: number) => void ran.push(number),
  [START]: () => {
    ran = [];
  },
});

process.on('exit', () => {
  const notes: Notes = { functions, ran };
  writeFileSync(`${process.env.WALK_NOTES}-${process.pid}.json`, JSON.stringify(notes));
});

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly body?: Node;
  readonly id?: { readonly name?: string } | null;
  readonly key?: { readonly name?: string };
}

/** The text with a call at the start of every function. */
function instrument(file: string, text: string): string {
  const insertions: [at: number, inserted: string][] = [];
  const visit = (node: Node, name: string): void => {
    const own = node.id?.name ?? node.key?.name ?? name;
    if (/^(?:Function|ArrowFunction)/.test(node.type) && node.body != null) {
      const note = `__note(${functions.push([file, own]) - 1})`;
      if (node.body.type === 'BlockStatement' || node.body.type === 'FunctionBody')
        insertions.push([node.body.start + 1, `${note};`]);
      else insertions.push([node.body.start, `(${note},`], [node.body.end, ')']);
    }
    const inner = /^(?:VariableDeclarator|Property|PropertyDefinition|MethodDefinition)$/.test(node.type)
      ? own
      : '';
    for (const child of Object.values(node).flat())
      if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, inner);
  };
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, '');
  insertions.sort(([a], [b]) => a - b);
  let at = 0;
  return (
    insertions
      .map(([place, inserted]) => {
        const before = text.slice(at, place);
        at = place;
        return before + inserted;
      })
      .join('') + text.slice(at)
  );
}

registerHooks({
  load(url, context, next) {
    const file = url.startsWith('file:') ? relative(packages, fileURLToPath(url)) : '';
    if (!/^\w+\/src\/.*\.ts$/.test(file.split(sep).join('/'))) return next(url, context);
    const source = instrument(file, readFileSync(fileURLToPath(url), 'utf8').replace(/^#!.*/, ''));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
